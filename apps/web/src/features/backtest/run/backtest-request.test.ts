import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { describe, expect, it } from 'vitest'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { sampleModel } from '../../../testing/sample-model.ts'
import { type Choices, requestOf, settle, wrongChoices } from './backtest-request.ts'
import { changeParameters, INITIAL_PARAMETERS, type Parameters } from './parameters.ts'
import { jobRequest, ohlcvCount, temporaryBot } from './use-backtest-job.ts'

const HOUR = 3_600_000
const bot = sampleBot({ tradingPairs: ['ETHUSDT', 'BTCUSDT'] })
const model = sampleModel()
/** A market that has come to the end of its first 30 days: what the dates begin with. */
const choices: Choices = {
  bots: [bot],
  models: [model],
  current: null,
  symbols: ['BTCUSDT'],
  series: [],
  kind: 'live',
  nowMs: 720 * HOUR,
}
const MODEL = { mode: 'model', version: model.version } as const

const settled = (change: Partial<Parameters>, there: Partial<Choices> = {}) =>
  settle(changeParameters(INITIAL_PARAMETERS, change), { ...choices, ...there })

describe('what is wrong beside the contract', () => {
  const wrong = (change: Partial<Parameters>, there: Partial<Choices> = {}) => wrongChoices(settled(change, there))

  it('is nothing with the only bot on the last 30 days', () => expect(wrong({})).toEqual({}))
  it('is a bot that is gone', () => expect(wrong({ botId: 'gone' })).toEqual({ botId: 'Selected bot not found.' }))
  it('is a model or a symbol that is not chosen', () => {
    expect(wrong({ mode: 'model' })).toEqual({ version: 'Please select a model to test.' })
    expect(wrong(MODEL, { symbols: [] })).toEqual({ symbol: 'Please select a symbol.' })
  })
  it('is a series that the model is not trained on', () => {
    expect(wrong(MODEL)).toEqual({})
    expect(wrong({ ...MODEL, symbol: 'ETHUSDT' })).toEqual({
      symbol: `${model.version} is not trained on ETHUSDT 1h. Train it on that series first, or choose one that is.`,
    })
  })
  it('is a range without length, or that ends after the market', () => {
    expect(wrong({ fromMs: 5, toMs: 5 })).toEqual({ range: 'To must be later than From.' })
    expect(wrong({ toMs: 720 * HOUR })).toEqual({})
    expect(wrong({ toMs: Date.UTC(9999, 11, 31) })).toEqual({ range: 'The market has come to 31 Jan 1970.' })
  })
  it('is a fee above 10 percent, said in percent', () => {
    expect(wrong({ feePct: 10 })).toEqual({})
    expect(wrong({ feePct: 10.5 })).toEqual({ feePct: 'Must be at most 10' })
  })
})

describe('the candle limit', () => {
  const limit = (change: Partial<Parameters>) => requestOf(settled(change)).limit
  it('begins at 1,000, and follows a range that is chosen: 30 days of hours are 720', () => {
    expect(limit({})).toBe(1000)
    expect(limit({ toMs: 720 * HOUR })).toBe(720)
  })
  it('is at most 5,000 of a range', () => expect(limit({ fromMs: 0, toMs: 9000 * HOUR })).toBe(5000))
  it('is typed by hand until a date or the timeframe changes', () => {
    const typed = changeParameters(INITIAL_PARAMETERS, { limit: 100 })
    expect(changeParameters(typed, { feePct: 0.1 }).limit).toBe(100)
    expect(changeParameters(typed, { fromMs: 1 }).limit).toBe('derived')
    expect(changeParameters(typed, { timeframe: '4h' }).limit).toBe('derived')
  })
  it('is tested as typed: seen candles stay in until leaving them out is chosen again', () => {
    expect(INITIAL_PARAMETERS.unseenOnly).toBe(true)
    for (const typed of [{ limit: 100 }, { fromMs: 1 }, { toMs: 2 }])
      expect(changeParameters(INITIAL_PARAMETERS, typed).unseenOnly).toBe(false)
    expect(changeParameters(INITIAL_PARAMETERS, { fromMs: null, toMs: null }).unseenOnly).toBe(true)
    const typed = changeParameters(INITIAL_PARAMETERS, { limit: 100 })
    expect(changeParameters(typed, { unseenOnly: true })).toMatchObject({ unseenOnly: true, limit: 100 })
  })
})

describe('the request', () => {
  const request = (change: Partial<Parameters>, there: Partial<Choices> = {}) =>
    jobRequest(BacktestRequest.parse(requestOf(settled(change, there))), bot.id)

  it('names the pair of a bot with one', () =>
    expect(request({}, { bots: [{ ...bot, tradingPairs: ['ETHUSDT'] }] })).toMatchObject({
      mode: 'bot',
      symbol: 'ETHUSDT',
    }))

  it('names the whole range by its ends and carries the mode; a bot with several pairs is tested on all', () =>
    expect(request({})).toEqual({
      mode: 'bot',
      botId: bot.id,
      timeframe: '1h',
      limit: 1000,
      from: 0,
      to: 720 * HOUR - 1,
      feeRate: 0.0006,
      slippageBps: 5,
      noSameBarReentry: true,
    }))

  it('asks for the newest so many up to the end where a limit was typed', () => {
    const body = request({ toMs: 720 * HOUR, fromMs: 0, limit: 100 })
    expect(body).toMatchObject({ limit: 100, to: 720 * HOUR - 1 })
    expect(body).not.toHaveProperty('from')
  })

  it('cuts a range of 9,000 candles to its last 5,000', () => {
    const body = request({ fromMs: 0, toMs: 9000 * HOUR }, { nowMs: 9000 * HOUR })
    expect(body).toMatchObject({ limit: 5000, to: 9000 * HOUR - 1 })
    expect(body).not.toHaveProperty('from')
  })

  it('leaves the dates as they are where the limit is above the range', () =>
    expect(request({ fromMs: 0, toMs: 720 * HOUR, limit: 2000 })).toMatchObject({
      limit: 2000,
      from: 0,
      to: 720 * HOUR - 1,
    }))

  it('leaves out what the model has seen', () => {
    const [artifact] = model.artifacts
    const models = [{ ...model, artifacts: [{ ...artifact!, holdoutFrom: 699 * HOUR }] }]
    expect(request({ ...MODEL, limit: 'derived' }, { models })).toMatchObject({ limit: 20, from: 700 * HOUR })
  })

  it('for a model makes a virtual, private, temporary futures bot of medium risk', () =>
    expect(temporaryBot(BacktestRequest.parse(requestOf(settled(MODEL))), 'BTCUSDT')).toMatchObject({
      name: `${model.version} model only`,
      strategy: 'ml',
      mlModelVersion: model.version,
      tradingPairs: ['BTCUSDT'],
      marketType: 'futures',
      riskLevel: 'medium',
      visibility: 'private',
      isVirtual: true,
      positionSize: 0.015,
      initialBalance: 100,
      leverage: 30,
      maxDrawdown: 50,
      parameters: { temporary: true },
    }))

  it('loads at least 300 candles', () => {
    expect(ohlcvCount(24)).toBe(300)
    expect(ohlcvCount(720)).toBe(720)
    expect(ohlcvCount(50_000)).toBe(10_000)
  })
})
