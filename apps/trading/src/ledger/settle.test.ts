import { proportionalFee } from '@shapecast/engine/models/fees'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalOf, numberOf, unitsOf, unitsOfDecimal } from './money.ts'
import { NOTHING, settle } from './settle.ts'

const FEE = proportionalFee(0.0006)

describe('amounts', () => {
  it.each([
    [0.1, '0.10000000'],
    [0.1 + 0.2, '0.30000000'],
    [-1.000000006, '-1.00000001'],
    [1e-8, '0.00000001'],
    [4e-9, '0.00000000'],
    [123_456_789.25, '123456789.25000000'],
    [98_765_432.1, '98765432.10000000'],
    [10_000_000.12345678, '10000000.12345678'],
    [1_234_567_890_123.45, '1234567890123.45000000'],
    [-0, '0.00000000'],
  ])('of %d are booked as %s', (value, decimal) => {
    expect(decimalOf(unitsOf(value))).toBe(decimal)
  })

  it('of hundreds of millions of coins add up as the exchange adds them', () => {
    expect(unitsOf(1_066_946_181.5) + unitsOf(65_478_349.7)).toBe(unitsOf(1_132_424_531.2))
    const tenths = fc.integer({ min: 0, max: 2 ** 40 })
    fc.assert(fc.property(tenths, tenths, (a, b) => unitsOf(a / 10) + unitsOf(b / 10) === unitsOf((a + b) / 10)))
  })

  it('survive being written down, whatever their size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }), (u) => unitsOfDecimal(decimalOf(u)) === u),
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e21])('are never %d', (value) => {
    expect(() => unitsOf(value)).toThrow(RangeError)
  })
})

describe('a fill', () => {
  it('of a purchase of 0.5 at 100.05 costs 50.025 and a fee of 0.030015', () => {
    const { cash, fee, pnl, holding } = settle(NOTHING, { side: 'buy', quantity: unitsOf(0.5), price: 100.05 }, FEE)
    expect([cash, fee, pnl].map((u) => u && numberOf(u))).toEqual([-50.025, 0.030015, null])
    expect(holding).toEqual({ quantity: unitsOf(0.5), cost: unitsOf(50.025) })
  })

  it('of a sale of a third of 0.3 that cost 30 at 110 earns 1', () => {
    const held = { quantity: unitsOf(0.3), cost: unitsOf(30) }
    const { cash, pnl, holding } = settle(held, { side: 'sell', quantity: unitsOf(0.1), price: 110 }, FEE)
    expect([numberOf(cash), numberOf(pnl!)]).toEqual([11, 1])
    expect(holding).toEqual({ quantity: unitsOf(0.2), cost: unitsOf(20) })
  })

  it('never sells more than is held', () => {
    expect(() => settle(NOTHING, { side: 'sell', quantity: 1n, price: 1 }, FEE)).toThrow('0 are held')
  })

  it('keeps balance = start + Σ pnl − Σ fees − cost of what is held, to the unit, and no cost without coins', () => {
    const fill = fc.record({
      sell: fc.boolean(),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      quantity: fc.double({ min: 1e-7, max: 1e6, noNaN: true }),
      price: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 60 }), (fills) => {
        const start = unitsOf(10_000)
        let [balance, pnl, fees, held] = [start, 0n, 0n, NOTHING]
        for (const { sell, share, quantity, price } of fills) {
          const part = (held.quantity * BigInt(Math.round(share * 1000))) / 1000n
          if (sell && part === 0n) continue
          const execution = sell
            ? ({ side: 'sell', quantity: part, price } as const)
            : ({ side: 'buy', quantity: unitsOf(quantity), price } as const)
          const settled = settle(held, execution, FEE)
          balance += settled.cash - settled.fee
          pnl += settled.pnl ?? 0n
          fees += settled.fee
          held = settled.holding
          expect(balance).toBe(start + pnl - fees - held.cost)
          expect(held.cost >= 0n && (held.quantity > 0n || held.cost === 0n)).toBe(true)
        }
      }),
    )
  })
})
