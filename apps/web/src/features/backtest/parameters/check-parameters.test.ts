import { describe, expect, it } from 'vitest'
import { sampleBot } from '../../../testing/sample-bot.ts'
import { sampleModel } from '../../../testing/sample-model.ts'
import { jobRequest, ohlcvCount, temporaryBot } from '../job/job-request.ts'
import { checkParameters, derivedLimit, firstError } from './check-parameters.ts'
import { changeParameters, INITIAL_PARAMETERS } from './parameters.ts'

const HOUR = 3_600_000
const range = { fromMs: 0, toMs: 720 * HOUR }
const bot = sampleBot({ tradingPairs: ['ETHUSDT', 'BTCUSDT'] })
const botParameters = changeParameters(INITIAL_PARAMETERS, { botId: bot.id })
const modelParameters = changeParameters(INITIAL_PARAMETERS, { mode: 'model', version: 'v3', symbol: 'BTCUSDT' })

describe('what is missing', () => {
  const complaint = (change: Parameters<typeof changeParameters>[1]) =>
    firstError(checkParameters(changeParameters(INITIAL_PARAMETERS, change), range, [bot]).errors)

  it('the choice of a bot', () => expect(complaint({})).toBe('Please select a bot to test.'))
  it('a bot that is gone', () => expect(complaint({ botId: 'gone' })).toBe('Selected bot not found.'))
  it('the choice of a model', () => expect(complaint({ mode: 'model' })).toBe('Please select a model to test.'))
  it('a series that the model is trained on', () => {
    const model = sampleModel()
    const of = (symbol: string) => {
      const chosen = { ...modelParameters, version: model.version, symbol }
      return firstError(checkParameters(chosen, range, [bot], [model]).errors)
    }
    expect(of('BTCUSDT')).toBeNull()
    expect(of('ETHUSDT')).toBe(
      `${model.version} is not trained on ETHUSDT 1h. Train it on that series first, or choose one that is.`,
    )
  })
  it('a timeframe that exists', () =>
    expect(complaint({ botId: bot.id, timeframe: '2h' })).toBe('Use one of 1m, 5m, 15m, 30m, 1h, 4h, 1d.'))
  it('a whole leverage of at least 1', () => {
    expect(complaint({ ...modelParameters, leverage: 1.5 })).toBe('Leverage must be a whole number.')
    expect(complaint({ ...modelParameters, leverage: 0 })).toBe('Leverage must be at least 1.')
  })
  it('a size and a balance, but no limit of the drawdown: 0 is none', () => {
    expect(complaint({ ...modelParameters, positionSize: 0 })).toBe(
      'Position Size must be above 0: a position of nothing trades nothing.',
    )
    expect(complaint({ ...modelParameters, initialBalance: 0 })).toBe(
      'Initial Balance must be above 0: nothing can be bought with nothing.',
    )
    expect(complaint({ ...modelParameters, maxDrawdownPct: 0 })).toBeNull()
    expect(complaint({ ...modelParameters, maxDrawdownPct: -0.5 })).toBe('Max Drawdown must be at least 0.')
  })
  it('a number in an empty field', () =>
    expect(complaint({ botId: bot.id, slippageBps: null })).toBe('Slippage must be a number.'))
  it('a number in a field that cannot be read as one', () =>
    expect(complaint({ ...modelParameters, positionSize: Number.NaN })).toBe('Position Size must be a number.'))
  it('an order of the dates', () => {
    const checked = checkParameters(botParameters, { fromMs: 5, toMs: 5 }, [bot])
    expect(checked.errors.range).toBe('To must be later than From.')
  })
  it('an end that the market has come to', () => {
    const nowMs = Date.UTC(2026, 10, 23, 12)
    const wrong = (toMs: number) => checkParameters(botParameters, { fromMs: 0, toMs }, [bot], [], nowMs).errors.range
    expect(wrong(nowMs)).toBeUndefined()
    expect(wrong(Date.UTC(9999, 11, 31))).toBe('The market has come to 23 Nov 2026.')
  })
})

describe('the candle limit', () => {
  it('follows the range: 30 days of hours are 720', () => expect(derivedLimit(range, '1h')).toBe(720))
  it('is at most 5,000', () => expect(derivedLimit({ fromMs: 0, toMs: 9000 * HOUR }, '1h')).toBe(5000))
  it('is typed by hand until a date or the timeframe changes', () => {
    const typed = changeParameters(botParameters, { limit: 100 })
    expect(changeParameters(typed, { feePct: 0.1 }).limit).toBe(100)
    expect(changeParameters(typed, { fromMs: 1 }).limit).toBe('derived')
    expect(changeParameters(typed, { timeframe: '4h' }).limit).toBe('derived')
  })
  it('begins at 1,000, within the 30 days that the dates begin with', () => {
    const { plan } = checkParameters(botParameters, range, [bot])
    expect(plan).toMatchObject({ limit: 1000, wholeRange: true, range })
  })
  it('that is typed is what is tested: seen candles are left out no more, until that is chosen again', () => {
    expect(INITIAL_PARAMETERS.unseenOnly).toBe(true)
    for (const typed of [{ limit: 100 }, { fromMs: 1 }, { toMs: 2 }])
      expect(changeParameters(botParameters, typed).unseenOnly).toBe(false)
    expect(changeParameters(botParameters, { fromMs: null, toMs: null }).unseenOnly).toBe(true)
    const typed = changeParameters(botParameters, { limit: 100 })
    expect(changeParameters(typed, { unseenOnly: true })).toMatchObject({ unseenOnly: true, limit: 100 })
  })
})

describe('the request', () => {
  const request = (parameters: typeof botParameters, of = range) => {
    const { plan } = checkParameters(parameters, of, [bot])
    return plan === null ? null : jobRequest(plan, plan.mode === 'bot' ? plan.bot.id : 'made')
  }

  it('names the pair of a bot with one', () => {
    const { plan } = checkParameters(botParameters, range, [{ ...bot, tradingPairs: ['ETHUSDT'] }])
    expect(jobRequest(plan!, bot.id)).toMatchObject({ mode: 'bot', symbol: 'ETHUSDT' })
  })

  it('names the whole range by its ends and carries the mode; a bot with several pairs is tested on all', () => {
    expect(request(botParameters)).toEqual({
      mode: 'bot',
      botId: bot.id,
      timeframe: '1h',
      limit: 1000,
      from: 0,
      to: 720 * HOUR - 1,
      feeRate: 0.0006,
      slippageBps: 5,
      noSameBarReentry: true,
    })
  })

  it('a limit that was typed asks for the newest so many up to the end', () => {
    const body = request(changeParameters(botParameters, { limit: 100 }))
    expect(body).toMatchObject({ limit: 100, to: 720 * HOUR - 1 })
    expect(body).not.toHaveProperty('from')
  })

  it('a range of 9,000 candles is cut to its last 5,000', () => {
    const body = request({ ...botParameters, limit: 'derived' }, { fromMs: 0, toMs: 9000 * HOUR })
    expect(body).toMatchObject({ limit: 5000, to: 9000 * HOUR - 1 })
    expect(body).not.toHaveProperty('from')
  })

  it('a limit above the range leaves the dates as they are', () =>
    expect(request(changeParameters(botParameters, { limit: 2000 }))).toMatchObject({
      limit: 2000,
      from: 0,
      to: 720 * HOUR - 1,
    }))

  it('a model is traded by a virtual, private, temporary futures bot of medium risk', () => {
    const { plan } = checkParameters(modelParameters, range, undefined)
    if (plan?.mode !== 'model') throw new Error('no plan')
    expect(temporaryBot(plan)).toMatchObject({
      name: 'v3 model only',
      strategy: 'ml',
      mlModelVersion: 'v3',
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
    })
  })

  it('loads at least 300 candles', () => {
    expect(ohlcvCount(24)).toBe(300)
    expect(ohlcvCount(720)).toBe(720)
    expect(ohlcvCount(50_000)).toBe(10_000)
  })
})
