import type { Market } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { selectableSymbols } from './use-market-of.ts'

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
    expect(selectableSymbols(markets, 50)).toEqual(['BTCUSDT', 'ADAUSDT'])
  })

  it('are the first 50 of them', () => {
    const markets = Array.from({ length: 80 }, (_, i) => market(`C${i}USDT`))
    expect(selectableSymbols(markets, 50)).toHaveLength(50)
    expect(selectableSymbols(markets, 50).at(-1)).toBe('C49USDT')
  })
})
