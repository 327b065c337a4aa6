import { describe, expect, it } from 'vitest'
import { doesWords, futuresFacts, pairWords, returnPctOf, sizePhrase, sizeWords, strategyWords } from './bot-words.ts'

describe('words of a bot', () => {
  it('name one model, count several, and say where the current one is followed', () => {
    const ml = { strategy: 'ml', mlModelVersion: null, mlModelVersions: null } as const
    expect([
      strategyWords({ ...ml, mlModelVersion: 'v3' }),
      strategyWords({ ...ml, mlModelVersions: ['v3', 'v4', 'v5'] }),
      strategyWords(ml),
      strategyWords({ ...ml, strategy: 'openai' }),
    ]).toEqual(['ML · v3', 'ML · 3 models', 'ML · current model', 'OpenAI'])
  })

  it('say that a policy asks no model', () => {
    const bot = { strategy: 'ml', mlModelVersion: null, mlModelVersions: null } as const
    expect(strategyWords({ ...bot, parameters: { policy: 'steady_risk' } })).toBe('ML · Steady risk')
    expect(strategyWords({ ...bot, parameters: { policy: 'model_brake' } })).toBe('ML · current model')
  })

  it('name the stored rule and version that it trades, and no rule that it does not', () => {
    const ruleOrigin = { id: '', version: 3, name: 'Cross' }
    const bot = { strategy: 'ml', mlModelVersion: null, mlModelVersions: null } as const
    expect(strategyWords({ ...bot, parameters: { policy: 'rule', ruleOrigin } })).toBe('ML · Cross, version 3')
    expect(strategyWords({ ...bot, parameters: { policy: 'rule' } })).toBe('ML · Rule')
    expect(strategyWords({ ...bot, parameters: { policy: 'steady_risk', ruleOrigin } })).toBe('ML · Steady risk')
  })

  it('say what it does and holds: 870 of 1,000 in BTC are 87%', () => {
    const held = {
      quantity: 0.02,
      entryPrice: 40_000,
      entryTime: 0,
      takeProfitPrice: null,
      stopLossPrice: null,
      markPrice: 43_500,
      unrealizedPnL: 70,
      closing: false,
    }
    const long = { symbol: 'BTCUSDT', side: 'long', worth: 870, ...held } as const
    const short = { symbol: 'ETHUSDT', side: 'short', worth: 400, ...held } as const
    const bot = { strategy: 'ml', currentBalance: 1000, positions: [long] } as const
    const words = (over: object) => doesWords({ ...bot, positions: [long], parameters: null, ...over }, () => undefined)
    expect(words({ parameters: { policy: 'trend_steady_risk' } })).toBe('Trend with steady risk · holds 87% BTC')
    expect(words({ positions: [long, short] })).toBe('Model signal · holds 87% BTC, short 40% ETH')
    expect(words({ positions: [long, { ...long, symbol: 'ETHUSDT', worth: 100 }] })).toBe(
      'Model signal · holds 87% BTC, 10% ETH',
    )
    expect(words({ strategy: 'openai', positions: [] })).toBe('OpenAI signal · holds nothing')
    expect(words({ currentBalance: 0 })).toBe('Model signal · holds — BTC')
  })

  it('say the size that is traded: a policy does not trade the position size', () => {
    const bot = { positionSize: 0.015, tradingPairs: ['BTCUSDT'], parameters: null }
    expect(sizeWords(bot, () => undefined)).toBe('0.015')
    expect(sizeWords({ ...bot, parameters: { policy: 'steady_risk' } }, () => undefined)).toBe('By risk level')
    expect(sizePhrase({ ...bot, parameters: { policy: 'steady_risk' } }, () => undefined)).toBe('size by risk level')
    expect(sizeWords({ ...bot, parameters: { sizing: { kind: 'quote_amount', quote: 10 } } }, () => undefined)).toBe(
      '10.00 USDT',
    )
  })

  it('name the first pairs and count the others', () => {
    expect([pairWords(['BTCUSDT'], 2), pairWords(['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'ADAUSDT'], 2)]).toEqual([
      'BTCUSDT',
      'BTCUSDT, ETHUSDT +2',
    ])
  })

  it('leave out stops that are off, and all of it on spot', () => {
    const bot = { marketType: 'futures' as const, leverage: 10, takeProfitPct: 0, stopLossPct: 2.5 }
    expect(futuresFacts(bot)).toEqual(['10×', 'SL 2.5%'])
    expect(futuresFacts({ ...bot, marketType: 'spot' })).toEqual([])
  })

  it('measure a return against the initial balance', () => {
    expect(returnPctOf({ initialBalance: 200, currentBalance: 190 })).toBeCloseTo(-5)
    expect(returnPctOf({ initialBalance: 0, currentBalance: 0 })).toBe(0)
  })
})
