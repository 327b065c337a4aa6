import { modelDrift } from '@shapecast/contracts/drift'
import { importance } from '@shapecast/contracts/importance'
import { cancelJob } from '@shapecast/contracts/jobs'
import { seriesList } from '@shapecast/contracts/market'
import { type ArtifactDetail, modelDetail, models } from '@shapecast/contracts/ml'
import { predictionRanges } from '@shapecast/contracts/predictions'
import { type Retraining, type RetrainingDraft, retrainings, setRetraining } from '@shapecast/contracts/retraining'
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { emptyInstallation, openApp } from '../../../testing/render-app.tsx'
import { sampleModel, sampleRanges } from '../../../testing/sample-model.ts'

/** Most words of a model's page before something on it is opened. */
const MOST_WORDS = 500

async function openModel(address = '/ml-analysis/models/v3') {
  const server = emptyInstallation()
  server.on(modelDetail, sampleModel)
  server.on(predictionRanges, sampleRanges)
  server.on(modelDrift, () => ({ version: 'v3', stage: 'production' as const, series: [] }))
  server.on(importance, () => null)
  await openApp(server, address)
  await screen.findByText('Of the last 48 closes 47 landed inside.', { exact: false })
}

/** Words of the page that can be seen: without what is folded, and without the figures of a plot for a screen reader. */
function wordsShown(): number {
  const page = screen.getByRole('main').cloneNode(true) as HTMLElement
  for (const hidden of page.querySelectorAll('details > :not(summary), figcaption')) hidden.remove()
  return [...page.querySelectorAll('*')]
    .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
    .flatMap((node) => node.textContent?.split(/\s+/).filter((word) => /\w/.test(word)) ?? []).length
}

it('is found at its address of before too', async () => {
  await openModel('/ml-analysis?model=v3&tab=range')
  expect(window.location.pathname + window.location.search).toBe('/ml-analysis/models/v3?tab=range')
})

it('says where the next close lands, and in at most 500 words what the model is worth, on every tab', async () => {
  await openModel()
  screen.getByText('99.0 – 101.0', { exact: false })
  screen.getByText('Seen (training and validation) up to 6 Nov 2026, 03:00 UTC.', { exact: false })
  const tabs = screen.getAllByRole('tab').map((tab) => tab.textContent)
  expect(tabs).toEqual(['Range', 'Direction', 'Traded plainly', 'Inputs', 'Provenance'])
  for (const name of tabs) {
    fireEvent.click(within(screen.getByRole('tablist', { name: 'Evidence' })).getByRole('tab', { name: name! }))
    await screen.findByRole('tab', { name: name!, selected: true })
    expect(wordsShown(), `words with ${name} open`).toBeLessThanOrEqual(MOST_WORDS)
    expect(wordsShown(), `words with ${name} open`).toBeGreaterThan(80)
  }
})

it('cancels the measuring of what it looks at', async () => {
  const server = emptyInstallation()
  const jobId = '01890000-0000-7000-8000-00000000000a'
  let status: 'running' | 'cancelled' = 'running'
  server.on(modelDetail, sampleModel)
  server.on(predictionRanges, sampleRanges)
  server.on(modelDrift, () => ({ version: 'v3', stage: 'production' as const, series: [] }))
  const run = { artifactId: jobId, jobId, importance: null, error: null, requestedAt: 1, finishedAt: null }
  server.on(importance, () => ({ ...run, status }))
  server.on(cancelJob, ({ params }) => {
    status = 'cancelled'
    return { id: params.id! }
  })
  await openApp(server, '/ml-analysis/models/v3?tab=inputs')
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the measuring' }))
  await screen.findByText('Not measured yet.', { exact: false })
  expect(server.calls).toContain(`POST /bot/api/jobs/${jobId}/cancel`)
  expect(screen.queryByRole('button', { name: 'Cancel the measuring' })).toBeNull()
})

it('is trained again by itself as its owner sets it', async () => {
  const server = emptyInstallation()
  let plan: Retraining | null = null
  server.on(modelDetail, sampleModel)
  server.on(predictionRanges, sampleRanges)
  server.on(modelDrift, () => ({ version: 'v3', stage: 'production' as const, series: [] }))
  server.on(retrainings, () => (plan === null ? [] : [plan]))
  server.on(setRetraining, ({ body }) => {
    const id = '01890000-0000-7000-8000-00000000000b'
    const turns = { lastAt: null, nextAt: null, jobId: null, error: 'Only 12 candles.' }
    const set: Retraining = { ...(body as RetrainingDraft), id, userId: id, ...turns }
    plan = set
    return set
  })
  const user = userEvent.setup()
  await openApp(server, '/ml-analysis/models/v3?tab=provenance')
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  const dialog = await screen.findByRole('dialog', { name: 'Train v3 again' })
  const days = within(dialog).getByLabelText(/Every/)
  await user.clear(days)
  await user.type(days, '400')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await within(dialog).findByText('must be at most 365')
  await user.clear(days)
  await user.type(days, '14')
  await user.click(within(dialog).getByRole('button', { name: 'Predicts at once' }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText(
    'Trained again every 14 days, and once its live score is found worse. One that is better beyond chance predicts from then on.',
  )
  await screen.findByText('The last attempt asked for nothing: Only 12 candles.')
})

const UPLOAD: Omit<NonNullable<ArtifactDetail['upload']>, 'beside'> = {
  name: 'BTC leads',
  author: 'Ada',
  uploadedBy: null,
  description: null,
  trained: null,
  corpusUntil: null,
  holdoutSeen: 'unknown',
  seenWords: 'Nobody here knows what it has seen.',
  ownLabel: null,
  lookback: 16,
  inputs: ['return_1'],
  output: 'fan',
  quantileUnit: 'sigma',
  bytes: 1000,
  opset: 17,
  producer: '',
  nodes: 10,
}

it('lists the series that an upload needs, and opens a backtest and a bot of it', async () => {
  const server = emptyInstallation()
  const hour = 3_600_000
  const model = sampleModel()
  const upload = {
    ...UPLOAD,
    beside: [
      { symbol: 'ETHUSDT', timeframe: '1h' as const },
      { symbol: null, timeframe: '4h' as const },
    ],
  }
  server.on(modelDetail, () => ({ ...model, artifacts: model.artifacts.map((one) => ({ ...one, upload })) }))
  server.on(predictionRanges, sampleRanges)
  server.on(modelDrift, () => ({ version: 'v3', stage: 'production' as const, series: [] }))
  server.on(models, () => ({ current: 'v3', models: [model] }))
  const stored = { venue: 'simulated', candles: 5000, first: 0, last: 4999 * hour, gapCount: 0, missingCandles: 0 }
  server.on(seriesList, () => [{ ...stored, symbol: 'BTCUSDT', timeframe: '1h' as const }])
  await openApp(server, '/ml-analysis/models/v3')
  const needs = await screen.findByRole('region', { name: 'Series it needs' })
  const rows = within(needs)
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent)
  expect(rows).toEqual([
    'BTCUSDT 1his forecast1 Jan – 28 Jul 1970Candles',
    'ETHUSDT 1his looked atNo candlesGet candles',
    'BTCUSDT 4his looked at1 Jan – 28 Jul 1970Candles',
  ])
  expect(needs.textContent).toContain(
    '3 series, each up to the candle that it forecasts from: 1 series without candles',
  )
  expect(within(needs).getByRole('link', { name: 'Get candles' }).getAttribute('href')).toBe(
    '/ml-analysis?coins=ETHUSDT&timeframe=1h',
  )
  fireEvent.click(screen.getByRole('link', { name: 'Backtest it' }))
  await screen.findByRole('button', { name: 'Run Backtest' })
  expect(screen.getByLabelText<HTMLInputElement>('Model').textContent).toContain('v3')
})
