import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  directionOf,
  formatCount,
  formatFileSize,
  formatFixed,
  formatLeverage,
  formatRatio,
  formatSigned,
  formatUpTo,
} from './number.ts'

describe('numbers', () => {
  it('separates thousands and keeps the decimals asked for', () => {
    expect(formatFixed(67412.25, 1)).toBe('67,412.3')
    expect(formatFixed(5, 2)).toBe('5.00')
    expect(formatUpTo(1234.5, 4)).toBe('1,234.5')
    expect(formatCount(58419)).toBe('58,419')
    expect(formatRatio(1.384)).toBe('1.38')
  })

  it('writes a true minus, and no sign on what rounds to zero', () => {
    expect(formatFixed(-2.854, 2)).toBe('−2.85')
    expect(formatFixed(-0.004, 2)).toBe('0.00')
    expect(formatSigned(0.004, 2)).toBe('0.00')
    expect(formatSigned(-0, 2)).toBe('0.00')
    expect(formatSigned(1.61, 2)).toBe('+1.61')
    expect(formatSigned(-1.61, 2)).toBe('−1.61')
  })

  it.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('shows %s as unknown, never as 0', (value) => {
    expect(formatFixed(value, 2)).toBe('—')
    expect(formatSigned(value, 2)).toBe('—')
    expect(formatCount(value)).toBe('—')
    expect(formatLeverage(value)).toBe('—')
    expect(directionOf(value)).toBe('flat')
  })

  it('points the way that the rounded text points', () => {
    expect(directionOf(0.004)).toBe('flat')
    expect(directionOf(0.006)).toBe('up')
    expect(directionOf(-0.006)).toBe('down')
    expect(directionOf(0.004, 3)).toBe('up')
  })

  it('writes what Intl.NumberFormat writes', () => {
    const digits = fc.integer({ min: 0, max: 10 })
    const value = fc.oneof(
      fc.double({ min: 0, max: 1e17, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      // Halves, and what a computer keeps a little below or above them.
      fc.tuple(fc.nat(1e9), fc.nat(9)).map(([units, scale]) => (units * 10 + 5) / 10 ** scale),
    )
    fc.assert(
      fc.property(value, digits, (x, max) => {
        const intl = (minimumFractionDigits: number) =>
          x.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits: max })
        expect(formatFixed(x, max)).toBe(intl(max))
        expect(formatUpTo(x, max)).toBe(intl(0))
      }),
      { numRuns: 2000 },
    )
  })

  it('writes leverage as 10×', () => expect(formatLeverage(10)).toBe('10×'))
})

it('counts in thousands, never less than one', () => {
  expect([12, 4_499, 999_400, 1_520_000].map(formatFileSize)).toEqual(['1 kB', '4 kB', '999 kB', '1.5 MB'])
})
