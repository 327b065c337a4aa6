import { describe, expect, it } from 'vitest'
import { futuresFacts, shownPairs, sizeWords, strategyWords } from './bot-words.ts'

describe('words of a bot', () => {
  it('names one model, counts several, and says where the current one is followed', () => {
    expect(strategyWords({ strategy: 'ml', mlModelVersion: 'v3.2', mlModelVersions: null })).toBe('ML · v3.2')
    expect(strategyWords({ strategy: 'ml', mlModelVersion: null, mlModelVersions: ['a', 'b', 'c'] })).toBe(
      'ML · 3 models',
    )
    expect(strategyWords({ strategy: 'ml', mlModelVersion: null, mlModelVersions: null })).toBe('ML · current model')
    expect(strategyWords({ strategy: 'openai', mlModelVersion: null, mlModelVersions: null })).toBe('OpenAI')
  })

  it('says the size that is traded: a policy does not trade the position size', () => {
    const bot = { positionSize: 0.015, tradingPairs: ['BTCUSDT'], parameters: null }
    expect(sizeWords(bot, () => undefined)).toBe('0.015')
    expect(sizeWords({ ...bot, parameters: { policy: 'steady_risk' } }, () => undefined)).toBe('By risk level')
    expect(sizeWords({ ...bot, parameters: { sizing: { kind: 'quote_amount', quote: 10 } } }, () => undefined)).toBe(
      '10.00 USDT',
    )
  })

  it('names three of five pairs and counts two', () => {
    expect(shownPairs(['A', 'B', 'C', 'D', 'E'])).toEqual({ named: ['A', 'B', 'C'], more: 2 })
    expect(shownPairs(['A'])).toEqual({ named: ['A'], more: 0 })
  })

  it('leaves out stops that are off, and all of it on spot', () => {
    const bot = { marketType: 'futures' as const, leverage: 10, takeProfitPct: 0, stopLossPct: 2.5 }
    expect(futuresFacts(bot)).toEqual(['10×', 'SL 2.5%'])
    expect(futuresFacts({ ...bot, marketType: 'spot' })).toEqual([])
  })
})
