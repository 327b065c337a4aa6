import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalOf, unitsOf, unitsOfDecimal } from './money.ts'

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

  it('add up as the exchange adds them, for hundreds of millions of coins', () => {
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
