import { describe, expect, it } from 'vitest'
import { positionWorth } from './position-worth.ts'

const base = { size: 0.015, unit: 'base' as const, balance: 100, price: 64_667, leverage: 10, maxDrawdownPct: 10 }

describe('what a position is worth', () => {
  it('is 970 USDT for 0.015 BTC at 64,667, 9.7 times a balance of 100, with 1 % to a limit of 10 %', () => {
    const worth = positionWorth(base)!
    expect(worth.notional).toBeCloseTo(970, 0)
    expect(worth.timesBalance).toBeCloseTo(9.7, 1)
    expect(worth.pctToLimit).toBeCloseTo(1.03, 2)
  })

  it('needs no price for an amount of money or a share of the balance', () => {
    expect(positionWorth({ ...base, size: 50, unit: 'quote', price: null })?.notional).toBe(50)
    expect(positionWorth({ ...base, size: 25, unit: 'percent', price: null, leverage: 1 })?.notional).toBe(25)
  })

  it('is 10 × 25 % of a balance of 100 where that share is the margin of 10× leverage', () => {
    const worth = positionWorth({ ...base, size: 25, unit: 'percent' })
    expect(worth).toMatchObject({ notional: 250, timesBalance: 2.5, carried: 250, pctToLimit: 4 })
  })

  it('is carried by the balance up to its leverage: on spot 970 USDT become 100, and the limit is 10 % away', () => {
    const worth = positionWorth({ ...base, leverage: 1 })!
    expect(worth.timesBalance).toBeCloseTo(9.7, 1)
    expect(worth).toMatchObject({ carried: 100, timesCarried: 1, pctToLimit: 10 })
  })

  it('is not known without a price, a size or a balance', () => {
    expect(positionWorth({ ...base, price: null })).toBeNull()
    expect(positionWorth({ ...base, size: null })).toBeNull()
    expect(positionWorth({ ...base, balance: 0 })).toBeNull()
    expect(positionWorth({ ...base, leverage: null })).toBeNull()
  })
})
