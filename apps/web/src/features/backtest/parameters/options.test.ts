import type { Market } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { assetsOf, modelLabel, selectableSymbols, strategyText } from './options.ts'

const market = (id: string, over: Partial<Market> = {}): Market => ({
  id,
  symbol: id,
  base: id.slice(0, -4),
  quote: id.slice(-4),
  active: true,
  tickSize: 0.1,
  lotSize: 0.001,
  minNotional: 5,
  ...over,
})

describe('selectable symbols', () => {
  it('are active USDT markets, each once', () => {
    const markets = [
      market('BTCUSDT'),
      market('BTCUSDT'),
      market('ETHUSDT', { active: false }),
      market('SOLEURO'),
      market('ADAUSDT', { quote: 'PERP' }),
    ]
    expect(selectableSymbols(markets)).toEqual(['BTCUSDT', 'ADAUSDT'])
  })

  it('are the first 50 of them', () => {
    const markets = Array.from({ length: 80 }, (_, i) => market(`C${i}USDT`))
    expect(selectableSymbols(markets)).toHaveLength(50)
    expect(selectableSymbols(markets).at(-1)).toBe('C49USDT')
  })
})

describe('labels', () => {
  it('a model by version, stage and accuracy', () => {
    const stats = { accuracy: 0.573, last_update: 0 }
    expect(modelLabel({ version: 'v3.2', stage: 'production', stats })).toBe('v3.2 · production · acc 57%')
  })
  it('a model without a stage says none, without an accuracy that it is not trained', () => {
    expect(modelLabel({ version: 'v4', stats: { accuracy: null, last_update: null } })).toBe('v4 · none · not trained')
  })
  it('an ensemble by the number of its models', () => {
    expect(strategyText({ strategy: 'ml', mlModelVersion: null, mlModelVersions: ['a', 'b', 'c'] })).toBe(
      'ML, 3 models',
    )
  })
})

it('the assets of a symbol without a market come from its quote', () => {
  expect(assetsOf('BTCUSDT', undefined)).toEqual({ base: 'BTC', quote: 'USDT' })
})
