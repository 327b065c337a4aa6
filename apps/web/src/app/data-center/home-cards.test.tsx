import { profile } from '@shapecast/contracts/auth'
import { bots } from '@shapecast/contracts/bots'
import { activeDataset, datasets, previewDataset } from '@shapecast/contracts/datasets'
import { driftStates } from '@shapecast/contracts/drift'
import { indicators } from '@shapecast/contracts/indicators'
import { markets } from '@shapecast/contracts/market'
import { type Model, mlHealth, models } from '@shapecast/contracts/ml'
import {
  type BotPrediction,
  botLastPredictions,
  type Prediction,
  pollBotPrediction,
  predictions,
  predictMulti,
} from '@shapecast/contracts/predictions'
import { trainingJobs } from '@shapecast/contracts/trainings'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { painted } from '#kit/theme/scheme.ts'
import { colors } from '#kit/theme/tokens.ts'
import { drawnStyle } from '../../testing/drawn-style.ts'
import { Refusal } from '../../testing/fake-server.ts'
import { emptyInstallation, MIRA, openApp } from '../../testing/render-app.tsx'
import '../../testing/tokens.ts'
import { sampleBot } from '../../testing/sample-bot.ts'

const HOUR_MS = 3_600_000
const card = (name: string) => screen.findByRole('region', { name })
const button = (name: string) => screen.getByRole('button', { name })

function installation() {
  const server = emptyInstallation()
  server.on(trainingJobs, () => [])
  server.on(datasets, () => [])
  server.on(activeDataset, () => null)
  server.on(driftStates, () => [])
  server.on(botLastPredictions, () => ({}))
  server.on(indicators, () => ({
    rsi: 61.23,
    zScore: 1.254,
    ultimateOscillator: 55.51,
    ema: { ema20: 67_001.5 },
    bollinger: { upper: 68_000.1, middle: 67_000.2, lower: 66_000.3 },
  }))
  return server
}

const model = (version: string, stage: Model['stage'], last_update: number): Model => ({
  version,
  stage,
  stats: { accuracy: 0.573, interval: null, baseline: null, last_update },
  artifacts: [],
})
const POOR = {
  code: 'not_worth_trading' as const,
  leans: 'up' as const,
  expectedBps: 3,
  costBps: 22,
  edgeBps: -19,
  horizon: 1,
}
const said = (version: string, signal: Prediction['signal']): Prediction => ({
  timestamp: 0,
  aligned_ts: HOUR_MS,
  signal,
  confidence: 0.642,
  current_price: 67_412.3,
  lstm_prediction: 1,
  transformer_prediction: 1,
  stopLoss: 1,
  reasoning: '',
  edgeBps: 1,
  verdict: null,
  version,
  hash: 'a',
})

it('without models and bots says so, and shows the indicators and what a dataset leaves out', async () => {
  await openApp(installation(), '/ml-analysis')
  await screen.findByText('No saved models')
  await screen.findByText('No bots found')
  const data = await card('Data')
  expect(data.textContent).toContain('Candles by range 720 · export has 320 rows')
  expect(data.textContent).toContain('last 400 + warmup ≈99 excluded')
  const values = (await screen.findByRole('meter', { name: 'RSI' })).parentElement!.textContent
  for (const words of ['61.2', 'Z-Score+1.25', 'Ultimate Oscillator55.5', 'EMA 2067,001.5'])
    expect(values).toContain(words)
  expect(values).toMatch(/Bollinger upper68,000\.1Bollinger middle67,000\.2Bollinger lower66,000\.3/)
})

it('previews the first three of the coins; a failure takes the preview away', async () => {
  const server = installation()
  const coins = ['BTC', 'ETH', 'SOL', 'ADA']
  const common = { quote: 'USDT', active: true, tickSize: 0.1, lotSize: 1, minNotional: 5 }
  server.on(markets, () => coins.map((base) => ({ id: `${base}USDT`, symbol: `${base}/USDT`, base, ...common })))
  server.on(predictions, () => [])
  server.on(previewDataset, ({ query }) => {
    const isEmpty = query.get('symbol') === 'ETHUSDT'
    return {
      symbol: query.get('symbol')!,
      timeframe: '1h' as const,
      candles: isEmpty ? 0 : 720,
      first: isEmpty ? null : 0,
      last: isEmpty ? null : 719 * HOUR_MS,
      example: isEmpty ? null : { open: 100, close: 101.5 },
    }
  })
  await openApp(server, `/ml-analysis?coins=${coins.map((coin) => `${coin}USDT`).join()}`)
  await waitFor(() => expect(button('Preview')).toHaveProperty('disabled', false))
  fireEvent.click(button('Preview'))
  const shown = within(await screen.findByRole('list', { name: 'Preview' }))
  await shown.findAllByText(/open 100\.0,/)
  expect(shown.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'BTCUSDT720 candles1 Jan 1970, 00:00 – 30 Jan 1970, 23:00 UTCFirst candle: open 100.0, close 101.5',
    'ETHUSDTNo data',
    'SOLUSDT720 candles1 Jan 1970, 00:00 – 30 Jan 1970, 23:00 UTCFirst candle: open 100.0, close 101.5',
  ])
  expect(server.calls.filter((call) => call.includes('/ml/predictions'))[0]).toContain('limit=2000')
  server.on(previewDataset, () => {
    throw new Refusal(500, 'internal', 'The disk is full.')
  })
  fireEvent.click(button('Preview'))
  await screen.findByText('The disk is full.')
  expect(screen.queryByRole('list', { name: 'Preview' })).toBeNull()
})

it('lists models by stage, tests them, and lets managers alone move them', async () => {
  const server = installation()
  server.on(mlHealth, () => ({ healthy: true, stats: { accuracy: 0.573, interval: null, baseline: null } }))
  const list = [model('v1', 'archived', 1), model('v2', 'production', 2), model('v3', 'production', 3)]
  server.on(models, () => ({ models: list, current: 'v3' }))
  server.on(bots, () => Array.from({ length: 201 }, (_, i) => sampleBot({ id: `${MIRA.id.slice(0, -3)}${100 + i}` })))
  await openApp(server, '/ml-analysis')
  const area = await card('Models')
  const rows = () => within(area).getAllByRole('listitem')
  await waitFor(() => expect(rows()).toHaveLength(3))
  const dot = (await within(area).findByText('Healthy')).querySelector('span')!
  expect(drawnStyle(dot).backgroundColor).toBe(painted(colors.up))
  expect(
    rows().map((row) => row.textContent?.match(/^v\d(current)?(production|staging|archived)acc 57%/)?.[0]),
  ).toEqual(['v3currentproductionacc 57%', 'v2productionacc 57%', 'v1archivedacc 57%'])
  expect(rows().map((row) => row.textContent?.match(/TestSet Staging$|TestProduction$/)?.[0])).toEqual([
    'TestSet Staging',
    'TestSet Staging',
    'TestProduction',
  ])
  const botsAsked = () => server.calls.find((call) => call.includes('last-predictions'))?.split('%2C').length
  await waitFor(() => expect(botsAsked()).toBe(200))
  const bodies: unknown[] = []
  server.on(predictMulti, ({ body }) => {
    bodies.push(body)
    return {
      results: [
        { version: 'v3', prediction: { ...said('v3', 'BUY'), verdict: POOR }, error: null },
        { version: 'v2', prediction: null, error: 'v2 is not trained on BTCUSDT 1h.' },
      ],
    }
  })
  fireEvent.click(within(area).getByRole('button', { name: 'Test production' }))
  await within(area).findByText('BUY')
  expect(rows()[0]?.textContent).toContain('Not worth trading: −0.19% after costsBUY64.2%67,412.3')
  expect(rows()[1]?.textContent).toContain('v2 is not trained on BTCUSDT 1h.')
  expect(bodies).toEqual([{ versions: ['v3', 'v2'], symbol: 'BTCUSDT', timeframe: '1h', limit: 300 }])
  window.fetch = async () => new Response('', { status: 500 })
  fireEvent.click(within(area).getByRole('button', { name: 'Test v1' }))
  await within(area).findByText('Test failed')
  fireEvent.click(within(area).getByRole('button', { name: 'Test production' }))
  await waitFor(() => expect(within(area).queryByText('BUY')).toBeNull())
  expect(within(area).queryByText('Test failed')).toBeNull()
})

it('has a red dot where no model is healthy, an amber one where that is not known', async () => {
  const server = installation()
  const dotOf = async (word: string) => {
    const dot = (await within(await card('Models')).findByText(word)).querySelector('span')!
    return drawnStyle(dot).backgroundColor
  }
  await openApp(server, '/ml-analysis')
  expect(await dotOf('Unhealthy')).toBe(painted(colors.down))
  server.on(mlHealth, () => {
    throw new Refusal(500, 'internal', 'Not now.')
  })
  fireEvent.click(button('Refresh Data'))
  expect(await dotOf('Unknown')).toBe(painted(colors.warn))
})

it('lists bots by model with what each said last; who may only look moves no model', async () => {
  const server = installation()
  server.on(profile, () => ({ user: { ...MIRA, role: 'user' as const } }))
  server.on(models, () => ({ models: [model('v3.2', 'staging', 1)], current: null }))
  const other = '01890000-0000-7000-8000-0000000000b2'
  server.on(bots, () => [
    sampleBot({ status: 'active' }),
    sampleBot({ id: other, name: 'Asker', strategy: 'openai', mlModelVersion: null, totalPnL: -3 }),
  ])
  const newest = (botId: string, signal: Prediction['signal']) => ({
    botId,
    symbol: 'BTCUSDT',
    timeframe: '1h' as const,
    signal,
    confidence: 0.56,
    rule: null,
    verdict: null,
    votes: [],
    madeAt: 0,
  })
  const kept = new Map<string, BotPrediction>([[other, newest(other, 'SELL')]])
  server.on(botLastPredictions, () => Object.fromEntries(kept))
  await openApp(server, '/ml-analysis')
  const area = await card('Bots')
  await within(area).findByText('SELL')
  expect(
    within(area)
      .getAllByRole('heading', { level: 3 })
      .map((head) => head.parentElement?.textContent),
  ).toEqual(['v3.2stagingacc 57%', '—no model'])
  const [first, second] = within(area).getAllByRole('listitem')
  expect(first?.textContent).toBe('NorthwindActive—+62.40refresh')
  expect(second?.textContent).toBe('AskerStoppedSELL56.0%−3.00refresh')
  server.on(pollBotPrediction, ({ params }) => {
    const said = { ...newest(params.id!, 'HOLD'), verdict: POOR }
    kept.set(said.botId, said)
    return said
  })
  fireEvent.click(within(area).getByRole('button', { name: 'refresh Northwind' }))
  await within(first!).findByText('HOLD')
  expect(first?.textContent).toContain('not worth tradingHOLD56.0%')
  server.on(pollBotPrediction, () => {
    throw new Refusal(422, 'too_few_candles', 'There are 61 candles; 300 are needed.')
  })
  const isPolled = () => server.calls.filter((call) => call.endsWith(`${other}/poll-prediction`)).length === 1
  fireEvent.click(within(area).getByRole('button', { name: 'refresh Asker' }))
  await waitFor(() => expect(isPolled()).toBe(true))
  await waitFor(() => expect(button('refresh Asker').getAttribute('aria-disabled')).toBeNull())
  within(second!).getByText('SELL')
  expect(screen.queryByText(/61 candles/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Production: v3.2' })).toBeNull()
  const before = server.calls.length
  fireEvent.click(button('Refresh Data'))
  await waitFor(() => expect(server.calls.slice(before)).toContain('GET /bot/api/ml/models'))
  expect(server.calls.slice(before)).toEqual(
    expect.arrayContaining(['GET /bot/api/bots', 'POST /bot/api/ml/indicators']),
  )
})
