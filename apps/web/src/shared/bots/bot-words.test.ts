import { describe, expect, it } from 'vitest'
import { futuresFacts, pairWords, returnPctOf, sizePhrase, sizeWords, strategyWords } from './bot-words.ts'

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
