import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { ApiError, type Call } from '@shapecast/contracts/client'
import { expect, it } from 'vitest'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { BacktestFailure, startBacktest } from './use-backtest-job.ts'

const bot = sampleBot()

function planOf(mode: 'bot' | 'model') {
  const chosen = mode === 'bot' ? { botId: bot.id } : { mlModelVersion: 'v3', symbol: 'BTCUSDT' }
  return {
    request: BacktestRequest.parse({ mode, ...chosen, timeframe: '1h', to: 720 * 3_600_000 - 1 }),
    symbol: 'BTCUSDT',
  }
}

/** Answers each call by method and path, and keeps what was called. */
function service(answers: Record<string, unknown>) {
  const calls: string[] = []
  const call = (async (endpoint, input) => {
    const name = `${endpoint.method} ${endpoint.path}`
    calls.push(name)
    const answer = answers[name]
    if (answer instanceof Error) throw answer
    if (answer === undefined) throw new Error(`unexpected ${name} ${JSON.stringify(input)}`)
    return answer
  }) as Call
  return { call, calls }
}

const OHLCV = 'GET /api/ohlcv/:symbol'
const JOBS = 'POST /api/backtest/jobs'
const refused = new ApiError(422, 'no_candles', 'There are no candles.', true)
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof BacktestFailure ? error.failure : error),
  )

it('a model is tested by a bot that is made for it', async () => {
  const { call, calls } = service({
    [OHLCV]: [[0, 1, 1, 1, 1, 1]],
    'POST /api/bots': { botId: 'temporary' },
    [JOBS]: { jobId: 'job' },
  })
  const started = await startBacktest(call, planOf('model'))
  expect(started).toEqual({ jobId: 'job', temporaryBotId: 'temporary', warning: null })
  expect(calls).toEqual([OHLCV, 'POST /api/bots', JOBS])
})

it('the temporary bot goes when the job cannot be queued', async () => {
  const { call, calls } = service({
    [OHLCV]: [[0, 1, 1, 1, 1, 1]],
    'POST /api/bots': { botId: 'temporary' },
    [JOBS]: refused,
    'DELETE /api/bots/:id': { ok: true },
  })
  expect(await failureOf(startBacktest(call, planOf('model')))).toEqual({
    title: 'Backtest launch error',
    detail: 'There are no candles.',
  })
  expect(calls.at(-1)).toBe('DELETE /api/bots/:id')
})

it('a model without candles is not tested', async () => {
  const { call, calls } = service({ [OHLCV]: [] })
  expect(await failureOf(startBacktest(call, planOf('model')))).toEqual({
    title: 'No OHLCV data available for selected symbol and timeframe',
    detail: undefined,
  })
  expect(calls).toEqual([OHLCV])
})

it('a model whose candles fail to load: the reason is appended', async () => {
  const { call } = service({ [OHLCV]: refused })
  expect(await failureOf(startBacktest(call, planOf('model')))).toMatchObject({
    title: 'Failed to load OHLCV data: There are no candles.',
  })
})

it('a bot whose candles fail to load is tested all the same, with a warning', async () => {
  const { call } = service({ [OHLCV]: refused, [JOBS]: { jobId: 'job' } })
  expect(await startBacktest(call, planOf('bot'))).toEqual({
    jobId: 'job',
    temporaryBotId: null,
    warning: { title: 'Failed to load OHLCV data', detail: 'There are no candles.' },
  })
})

it('a refused virtual bot is said so', async () => {
  const { call } = service({ [OHLCV]: [[0, 1, 1, 1, 1, 1]], 'POST /api/bots': refused })
  expect(await failureOf(startBacktest(call, planOf('model')))).toMatchObject({ title: 'Failed to create virtual bot' })
})

it('a bot that was deleted meanwhile is not found, and nothing else is said', async () => {
  const gone = new ApiError(404, 'not_found', 'Selected bot not found.', true)
  const { call } = service({ [OHLCV]: [[0, 1, 1, 1, 1, 1]], [JOBS]: gone })
  expect(await failureOf(startBacktest(call, planOf('bot')))).toEqual({
    title: 'Selected bot not found.',
    detail: undefined,
  })
})
