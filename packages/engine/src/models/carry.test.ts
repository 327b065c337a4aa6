import { describe, expect, it } from 'vitest'
import { carryByYear } from './carry.ts'

const HOUR = 3_600_000

/** Every eight hours from after `fromMs` to `untilMs`. */
function ratesOf(fromMs: number, untilMs: number, rateAt: (k: number) => number) {
  const ts = Float64Array.from({ length: (untilMs - fromMs) / (8 * HOUR) }, (_, k) => fromMs + (k + 1) * 8 * HOUR)
  return { ts, rate: ts.map((_, k) => rateAt(k)), mark: ts.map(() => Number.NaN), known: [{ fromMs, untilMs }] }
}

describe('a carry', () => {
  it('earns the rates of a year, less four fills, on twice the notional', () => {
    const series = ratesOf(Date.UTC(2023, 0), Date.UTC(2024, 0) - 8 * HOUR, () => 0.0001)
    const [year, ...others] = carryByYear(series, 0.0011)
    expect(others).toEqual([])
    expect(year).toMatchObject({ year: 2023, settlements: 1094, paid: 0 })
    expect(year!.known).toBeCloseTo(1094 / 1095, 12)
    expect(year!.rates).toBeCloseTo(0.1094, 12)
    // (0.1094 − 0.0044) / 2
    expect(year!.net).toBeCloseTo(0.0525, 12)
  })

  it('loses where shorts pay, and earns nothing where no rates are known', () => {
    const early = ratesOf(Date.UTC(2023, 11, 31), Date.UTC(2024, 0, 2), (k) => (k % 2 === 0 ? -0.001 : 0.0005))
    const [before, after] = carryByYear(early, 0)
    expect([before!.settlements, after!.settlements]).toEqual([2, 4])
    expect(before).toMatchObject({ year: 2023, paid: 0.5 })
    expect(after!.net).toBeCloseTo(-0.0005, 12)
    expect(after!.known).toBeCloseTo(1 / 366, 12)
  })
})
