import { backtestRuns } from '@shapecast/contracts/backtest'
import { compareBacktestRuns, exportRunComparison, type RunComparison } from '@shapecast/contracts/run-comparison'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Refusal } from '../../../../testing/fake-server.ts'
import { emptyInstallation, openApp } from '../../../../testing/render-app.tsx'
import { sampleComparison, sampleRun } from '../../../../testing/sample-run.ts'

// Draws on a canvas, which there is none of here.
vi.mock('#charts/equity-overlay.tsx', () => ({ EquityOverlay: () => null }))

const FIRST = sampleRun({ name: 'Quick' })
const SECOND = sampleRun({ _id: '0199d3c0-0000-7000-8000-000000000002', name: 'Slow' })

async function openComparison(found: RunComparison | Refusal) {
  const server = emptyInstallation()
  server.on(backtestRuns, () => [FIRST, SECOND])
  server.on(compareBacktestRuns, () => {
    if (found instanceof Refusal) throw found
    return found
  })
  await openApp(server, `/backtest?compare=${FIRST._id},${SECOND._id}`)
  return server
}

const cellsOf = async (label: string): Promise<(string | null)[][]> =>
  within(await screen.findByRole('table', { name: label }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))

it('ranks runs with the winner, holding the coin and the months, by one call that brings no whole run', async () => {
  const server = await openComparison(sampleComparison(FIRST, SECOND))
  await screen.findByText('Quick did best, beyond what chance explains')
  expect(await cellsOf('Ranking')).toEqual([
    ['Run', 'Unseen return', '95% interval', 'Max drawdown', 'Trades', 'Profit factor'],
    ['Quick', '+20.00%', '—', '−5.0%', '4', '1.50'],
    ['Slow', '−2.00%', '—', '−9.0%', '3', '—'],
    ['Buy and hold', '−25.00%', '—', '−50.0%', '—', '—'],
  ])
  expect(await cellsOf('Months')).toEqual([
    ['Run', 'Jan 1970, seen', 'from 3 Jan'],
    ['Quick', '+1.0', '+20.0'],
    ['Slow', '—', '−2.0'],
    ['Buy and hold', '0.0', '−25.0'],
  ])
  expect(server.calls.filter((call) => call.includes(SECOND._id))).toEqual([
    `GET /bot/api/backtest/compare?ids=${FIRST._id}%2C${SECOND._id}`,
  ])
})

it('saves the curves by a call for the compared runs', async () => {
  const server = await openComparison(sampleComparison(FIRST, SECOND))
  server.on(exportRunComparison, () => {
    throw new Refusal(503, 'unavailable', 'Busy.')
  })
  fireEvent.click(await screen.findByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Not saved, again' }).title).toContain('Busy.'))
  expect(server.calls).toContain(`GET /bot/api/backtest/compare/export?ids=${FIRST._id}%2C${SECOND._id}`)
})

it('says that there is no winner, and still ranks', async () => {
  await openComparison({ ...sampleComparison(FIRST, SECOND), verdict: 'no_winner' })
  await screen.findByText('No winner yet')
  expect(await cellsOf('Ranking')).toHaveLength(4)
})

it('says that nothing is unseen, and ranks nothing', async () => {
  const none = { stretch: null, ranking: [], hold: null, months: [], curves: [] }
  await openComparison({ ...sampleComparison(FIRST, SECOND), ...none, verdict: 'nothing_unseen' })
  await screen.findByText('There is no part that none of the models has seen')
  expect(screen.queryByRole('table', { name: 'Ranking' })).toBeNull()
})

it('says why runs cannot be compared', async () => {
  await openComparison(new Refusal(422, 'unprocessable', 'Only runs of one market and timeframe can be compared.'))
  await screen.findByText('Only runs of one market and timeframe can be compared.')
})
