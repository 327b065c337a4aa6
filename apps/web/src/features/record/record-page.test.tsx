import { modelDrift } from '@shapecast/contracts/drift'
import { models } from '@shapecast/contracts/ml'
import { leaderboard, trackRecord } from '@shapecast/contracts/track-record'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, openApp } from '../../testing/render-app.tsx'
import { sampleModel } from '../../testing/sample-model.ts'
import { sampleRecord, sampleScores } from '../../testing/sample-record.ts'

const v4 = { ...sampleModel(), version: 'v4', stage: 'staging' as const }
const LUCK = sampleScores({
  accuracy: 0.52,
  interval: [0.451, 0.589],
  direction: { code: 'may_be_luck', forecasts: 200, right: 104, rule: 'majority', ruleRatio: 0.52 },
})

/** v3 in use and v4 in staging, of which v3 leads. */
function installation() {
  const server = emptyInstallation()
  server.on(models, () => ({ models: [sampleModel(), v4], current: 'v3' }))
  server.on(trackRecord, ({ params }) =>
    params.version === 'v3' ? sampleRecord() : sampleRecord({ version: 'v4', stage: 'staging', total: LUCK }),
  )
  server.on(leaderboard, () => ({
    entries: [
      { version: 'v3', stage: 'production' as const, scores: sampleScores(), span: { candles: 210, missed: 8 } },
      { version: 'v4', stage: 'staging' as const, scores: LUCK, span: null },
    ],
    head: { rows: 202, hash: 'd'.repeat(64) },
  }))
  server.on(modelDrift, ({ params }) => ({ version: params.version!, stage: 'production' as const, series: [] }))
  return server
}
const card = (name: string) => screen.findByRole('region', { name })
const rowsOf = (table: HTMLElement) => within(table).getAllByRole('row').slice(1)

it('says of the model in use what its forecasts came to, and what follows', async () => {
  await openApp(installation(), '/ml-analysis/record')
  const verdict = within(await card('What it said before it happened'))
  verdict.getByText('better than guessing')
  verdict.getByText(/^Of 200 forecasts 124 had the right direction: 62.0% \(55.1–68.4\)\./)
  verdict.getByText('What follows: Backtest it with its costs before a bot trades on it.')
  verdict.getByText('202 of 210 candles')
  verdict.getByText('8 missed')
  expect(verdict.getByRole('link', { name: 'Open Backtest' }).getAttribute('href')).toBe('/backtest')
})

it('lists the newest forecasts with their results, six at first', async () => {
  await openApp(installation(), '/ml-analysis/record')
  const user = userEvent.setup()
  const table = await screen.findByRole('table', { name: 'The newest forecasts' })
  const outcomes = () => rowsOf(table).map((row) => /not known yet|right|wrong/.exec(row.textContent)?.[0])
  expect(outcomes()).toEqual(['not known yet', 'right', 'wrong', 'wrong', 'wrong', 'wrong'])
  await user.click(screen.getByRole('button', { name: 'Show all 8' }))
  expect(outcomes()).toHaveLength(8)
})

it('goes to the record of another version, which the address names then', async () => {
  await openApp(installation(), '/ml-analysis/record')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('combobox', { name: 'Version' }))
  await user.click(await screen.findByRole('option', { name: /^v4/ }))
  const verdict = await card('What it said before it happened')
  await waitFor(() => within(verdict).getByText('can be luck'))
  expect(window.location.search).toBe('?version=v4')
  expect(screen.getByRole('link', { name: 'Model page' }).getAttribute('href')).toBe('/ml-analysis/models/v4')
})

it('ranks all versions, each with the way to its record', async () => {
  await openApp(installation(), '/ml-analysis/record?version=v4')
  const table = await screen.findByRole('table', { name: 'Leaderboard' })
  expect(rowsOf(table).map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(['1', '2'])
  const links = within(table).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['v3', '/ml-analysis/record?version=v3'],
    ['v4', '/ml-analysis/record?version=v4'],
  ])
})

it('says why a record cannot be read and asks again; the version can still be changed', async () => {
  const server = installation()
  server.on(trackRecord, () => {
    throw new Refusal(503, 'unavailable', 'The record is being checked.')
  })
  await openApp(server, '/ml-analysis/record')
  await screen.findByText('The record is being checked.')
  screen.getByRole('combobox', { name: 'Version' })
  server.on(trackRecord, () => sampleRecord())
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  await card('What it said before it happened')
})

it('an installation without a model shows the leaderboard and when it will fill', async () => {
  const server = installation()
  server.on(models, () => ({ models: [], current: null }))
  server.on(leaderboard, () => ({ entries: [], head: { rows: 0, hash: '' } }))
  await openApp(server, '/ml-analysis/record')
  await screen.findByText(/^No forecast is written down yet\./)
  expect(screen.queryByRole('combobox', { name: 'Version' })).toBeNull()
  expect(server.calls.some((call) => call.includes('/track-record/'))).toBe(false)
})
