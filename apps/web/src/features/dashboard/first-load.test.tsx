import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { mlHealth } from '@shapecast/contracts/ml'
import { predictionColumns, toColumns } from '@shapecast/contracts/prediction-columns'
import { predictCloud, predictions } from '@shapecast/contracts/predictions'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { emptyInstallation, openApp } from '../../testing/render-app.tsx'

const idle = vi.hoisted(() => new Set<() => void>())
vi.mock('#wire/calls/when-idle.ts', () => ({
  whenIdle: (action: () => void) => {
    idle.add(action)
    return () => idle.delete(action)
  },
}))
// A canvas draws nothing here.
vi.mock('#charts/price-chart/create-price-chart.ts', () => ({
  createPriceChart: () => ({
    show: () => undefined,
    relabel: () => undefined,
    draw: () => undefined,
    picture: () => undefined,
    reset: () => undefined,
    moved: () => null,
    remove: () => undefined,
  }),
}))

/** The browser has time now. */
const rest = () =>
  act(async () => {
    const actions = [...idle]
    idle.clear()
    for (const action of actions) action()
  })

const HOUR = 3_600_000
/** What the services may answer before the figures are drawn, gzipped bytes. */
const MOST_BYTES = 20_000
const CANDLE: CandleRow = [100 * HOUR, 1, 2, 0.5, 1.5, 7]
const SAID = {
  timestamp: 100 * HOUR,
  aligned_ts: 101 * HOUR,
  signal: 'BUY' as const,
  confidence: 0.642,
  current_price: 1000,
  lstm_prediction: 1002,
  transformer_prediction: 999,
  stopLoss: 990,
  edgeBps: 14,
  version: 'v3',
  hash: 'a',
  source: 'live' as const,
  madeAt: 101 * HOUR,
  trainedOn: false,
}

/** Below 1, with nothing in it that could be compressed. */
const noise = (i: number) => Math.abs((Math.sin(i * 12.9898) * 43_758.5453) % 1)
const price = (i: number) => Number((60_000 + 1e4 * noise(i)).toFixed(1))
const candle = (i: number): CandleRow => {
  const [low, open, close, high] = [price(i), price(i + 300), price(i + 301), price(i + 600)].toSorted((a, b) => a - b)
  return [(472_000 + i) * HOUR, open!, high!, low!, close!, Number((1e3 * noise(i)).toFixed(5))]
}
const MARKET = Array.from({ length: 300 }, (_, i) => candle(i))
const SPOKEN = MARKET.slice(-101).map(([timestamp], i) => ({
  ...SAID,
  timestamp,
  aligned_ts: timestamp + HOUR,
  madeAt: timestamp + HOUR + Math.floor(1e5 * noise(i)),
  confidence: noise(i),
  lstm_prediction: price(i),
  transformer_prediction: price(i + 7),
}))

/** What public/first-calls.js asks for beside the profile. */
const FIRST_CALLS = [
  'GET /bot/api/ml/health',
  'GET /bot/api/ml/predictions/columns?symbol=BTCUSDT&timeframe=1h&limit=101',
  'GET /bot/api/ml/predictions?symbol=BTCUSDT&timeframe=1h&limit=1',
  'GET /bot/api/ohlcv/BTCUSDT?timeframe=1h&limit=300',
  'GET /bot/api/ticker/BTCUSDT',
  'GET /bot/health',
]
const OTHER_CALLS = [
  'GET /bot/api/backtest/runs?limit=10',
  'GET /bot/api/bots',
  'GET /bot/api/charts/BTCUSDT/lines',
  'GET /bot/api/charts/watchlist',
  'GET /bot/api/markets',
  'GET /bot/api/ml/first-model',
  'GET /bot/api/ml/models',
  'GET /soc/api/notifications?limit=20',
  'GET /soc/api/tasks?limit=10',
  'POST /bot/api/ml/predict-cloud',
]

/** The forecasts of older candles, when the browser has time. */
const OLDER = `GET /bot/api/ml/predictions/columns?symbol=BTCUSDT&timeframe=1h&limit=4999&before=${100 * HOUR}`

// The test resumes the session itself before the page does; the fake has no stream.
const isOther = (one: string) => /\/auth\/profile|\/stream\?/.test(one)

it('asks for nothing twice, and for older forecasts when the browser has time', async () => {
  const server = emptyInstallation()
  server.on(mlHealth, () => ({
    healthy: true,
    stats: { accuracy: 0.53, interval: null, baseline: null },
  }))
  server.on(ohlcv, () => [CANDLE])
  server.on(predictions, () => [SAID])
  server.on(predictionColumns, ({ query }) => toColumns(query.has('before') ? [] : [SAID], HOUR))
  server.on(predictCloud, () => ({
    symbol: 'BTCUSDT',
    timeframe: '1h' as const,
    version: 'v3',
    hash: 'a',
    method: 'quantile' as const,
    lookback: 30,
    timestamp: 100 * HOUR,
    current_price: 1000,
    points: [],
    coverage: { holdout: [], live: [] },
  }))
  await openApp(server, '/dashboard')
  await screen.findByText('BUY')
  await screen.findByText('No tasks yet')
  const calls = () => server.calls.filter((one) => !isOther(one)).toSorted()
  await waitFor(() => expect(calls()).toEqual([...FIRST_CALLS, ...OTHER_CALLS].toSorted()))
  await rest()
  await waitFor(() => expect(calls()).toEqual([...FIRST_CALLS, ...OTHER_CALLS, OLDER].toSorted()))
  await waitFor(() => expect(server.calls.filter((one) => one.includes('/stream?'))).toHaveLength(1))
})

it('has asked for those first calls before its code has come', () => {
  const asked = vi.fn(async (_url: string) => new Response())
  window.history.replaceState(null, '', '/dashboard')
  window.localStorage.setItem('authToken', 'a token')
  const script = readFileSync(resolve(import.meta.dirname, '../../../public/first-calls.js'), 'utf8')
  new Function('window', 'fetch', script)(window, asked)
  const urls = asked.mock.calls.map(([url]) => `GET ${url}`)
  expect(urls.toSorted()).toEqual([...FIRST_CALLS, 'GET /soc/api/auth/profile'])
  expect(window.firstCalls?.answers.size).toBe(FIRST_CALLS.length + 1)
  delete window.firstCalls
})

it('has its candles and forecasts in less than 20 kB', () => {
  const answers = [MARKET, toColumns(SPOKEN, HOUR), SPOKEN.slice(-1)]
  const bytes = answers.reduce((sum, data) => sum + gzipSync(JSON.stringify({ data })).length, 0)
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes).toBeLessThan(MOST_BYTES)
})
