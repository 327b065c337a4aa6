import { candlesFromRows } from '@shapecast/engine/candles'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unitsOf } from '../../ledger/money.ts'
import { crossingFill, marketFill, restingFill, worthOf } from './paper-fills.ts'

const candle = (open: number, high: number, low: number, close: number) =>
  candlesFromRows([[1_735_689_600_000, open, high, low, close, 1]])
const stop = { side: 'sell', type: 'stop', price: 95 } as const

describe('a market order', () => {
  it('pays 5 bps more, gets 5 bps less, and costs 0.06 % of its value', () => {
    expect(marketFill('buy', 100)).toEqual({ rawPrice: 100, price: expect.closeTo(100.05, 12) })
    expect(marketFill('sell', 100)).toEqual({ rawPrice: 100, price: expect.closeTo(99.95, 12) })
    expect(worthOf(unitsOf(0.5), 100.05)).toEqual({ notional: unitsOf(50.025), fee: unitsOf(0.030015) })
  })
})

describe('a limit order', () => {
  it('fills as a market order once the price has crossed it, never worse than its limit', () => {
    expect(crossingFill('buy', 101, 100)!.price).toBeCloseTo(100.05, 12)
    expect(crossingFill('buy', 100.02, 100)!.price).toBe(100.02)
    expect(crossingFill('sell', 99.98, 100)!.price).toBe(99.98)
    expect(crossingFill('buy', 100, 100)!.price).toBe(100)
    expect(crossingFill('sell', 100, 100)!.price).toBe(100)
    expect(crossingFill('buy', 99.99, 100)).toBeNull()
    expect(crossingFill('sell', 100.01, 100)).toBeNull()
  })

  it('fills at its limit where a candle reaches it, not a hundredth before', () => {
    const buy = { side: 'buy', type: 'limit', price: 95 } as const
    const sell = { side: 'sell', type: 'limit', price: 105 } as const
    expect(restingFill(buy, candle(100, 101, 95, 96), 0)).toEqual({ price: 95, rawPrice: 95 })
    expect(restingFill(buy, candle(90, 91, 89, 90), 0)).toEqual({ price: 95, rawPrice: 95 })
    expect(restingFill(buy, candle(100, 101, 95.01, 96), 0)).toBeNull()
    expect(restingFill(sell, candle(100, 105, 99, 100), 0)).toEqual({ price: 105, rawPrice: 105 })
    expect(restingFill(sell, candle(100, 104.99, 99, 100), 0)).toBeNull()
  })
})

describe('a stop', () => {
  it('at 95 sells at 95 × 0.9995 = 94.9525 where the low reaches it', () => {
    expect(restingFill(stop, candle(100, 101, 95, 99), 0)).toEqual({ rawPrice: 95, price: expect.closeTo(94.9525, 10) })
    expect(restingFill(stop, candle(100, 101, 95.01, 99), 0)).toBeNull()
  })

  it('at 95 sells at 90 × 0.9995 = 89.955 where the candle opens at 90', () => {
    expect(restingFill(stop, candle(90, 96, 88, 96), 0)).toEqual({ rawPrice: 90, price: expect.closeTo(89.955, 10) })
  })

  it('never gets more than its price, and always the worse of it and the open', () => {
    const price = fc.double({ min: 1e-4, max: 1e5, noNaN: true })
    fc.assert(
      fc.property(price, price, price, (at, open, other) => {
        const low = Math.min(open, other)
        const fill = restingFill({ ...stop, price: at }, candle(open, Math.max(open, other), low, low), 0)
        if (low > at) return fill === null
        const raw = Math.min(at, open)
        return fill !== null && fill.rawPrice === raw && Math.abs(fill.price / (raw * 0.9995) - 1) < 1e-12
      }),
    )
  })
})
