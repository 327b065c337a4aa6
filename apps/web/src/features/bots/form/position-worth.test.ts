import { describe, expect, it } from 'vitest'
import { positionWorth } from './position-worth.ts'

const base = { size: 0.015, unit: 'base' as const, balance: 100, price: 64_667, maxDrawdownPct: 10 }

describe('what a position is worth', () => {
  it('is 970 USDT for 0.015 BTC at 64,667, 9.7 times a balance of 100, with 1 % to a limit of 10 %', () => {
    const worth = positionWorth(base)!
    expect(worth.notional).toBeCloseTo(970, 0)
    expect(worth.timesBalance).toBeCloseTo(9.7, 1)
    expect(worth.pctToLimit).toBeCloseTo(1.03, 2)
  })

  it('needs no price for an amount of money or a share of the balance', () => {
    expect(positionWorth({ ...base, size: 50, unit: 'quote', price: null })?.notional).toBe(50)
    expect(positionWorth({ ...base, size: 25, unit: 'percent', price: null })?.notional).toBe(25)
  })

  it('is not known without a price, a size or a balance', () => {
    expect(positionWorth({ ...base, price: null })).toBeNull()
    expect(positionWorth({ ...base, size: null })).toBeNull()
    expect(positionWorth({ ...base, balance: 0 })).toBeNull()
  })
})
