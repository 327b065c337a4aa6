import { describe, expect, it } from 'vitest'
import {
  formatBps,
  formatChangePct,
  formatFeeRate,
  formatInterval,
  formatLimitPct,
  formatSharePct,
  formatShareRatio,
  formatShareRatioShort,
} from './percent.ts'

describe('percentages', () => {
  it('gives a change its sign and 2 decimals', () => {
    expect(formatChangePct(9.534)).toBe('+9.53%')
    expect(formatChangePct(-2.85)).toBe('−2.85%')
    expect(formatChangePct(0)).toBe('0.00%')
  })

  it('gives a share 1 decimal and no sign, from percent or from a ratio', () => {
    expect(formatSharePct(50)).toBe('50.0%')
    expect(formatShareRatio(0.6421)).toBe('64.2%')
    expect(formatShareRatioShort(0.573)).toBe('57%')
  })

  it('writes limits and costs as they were entered', () => {
    expect(formatLimitPct(10)).toBe('10%')
    expect(formatLimitPct(1.5)).toBe('1.5%')
    expect(formatFeeRate(0.0006)).toBe('0.06%')
    expect(formatBps(5)).toBe('5 bps')
  })

  it('writes the interval of an accuracy', () => expect(formatInterval([0.524, 0.62])).toBe('95% CI 52.4–62.0'))

  it('has no unit on the unknown', () => {
    expect([formatChangePct(null), formatShareRatio(undefined), formatBps(null), formatInterval(null)]).toEqual([
      '—',
      '—',
      '—',
      '—',
    ])
  })
})
