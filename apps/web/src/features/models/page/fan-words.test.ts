import { describe, expect, it } from 'vitest'
import { coverageTolerance, fanVerdict, skillVerdict } from './fan-words.ts'

describe('the verdict on a fan', () => {
  it('allows 3 points one candle ahead and 6 points eight ahead', () => {
    expect(coverageTolerance(1)).toBeCloseTo(0.03)
    expect(coverageTolerance(8)).toBeCloseTo(0.06)
    expect(coverageTolerance(4.5)).toBeCloseTo(0.045)
  })
  it('is as promised within that', () =>
    expect(
      fanVerdict([
        { horizon: 1, coverage90: 0.89 },
        { horizon: 8, coverage90: 0.845 },
      ]),
    ).toBe('The 90% range held 89.0% of what came one candle ahead and 84.5% 8 candles ahead: as promised.'))
  it('says where it was too narrow', () =>
    expect(
      fanVerdict([
        { horizon: 1, coverage90: 0.9 },
        { horizon: 8, coverage90: 0.82 },
      ]),
    ).toMatch(/too narrow at 8 ahead\.$/))
  it('says where it was too wide', () =>
    expect(fanVerdict([{ horizon: 1, coverage90: 0.94 }])).toBe(
      'The 90% range held 94.0% of what came one candle ahead: too wide at 1 ahead.',
    ))
})

it('a range that no simple rule loses to says so in words', () => {
  expect(skillVerdict(0.015, 0.05)).toBe('It is sharper than a rolling volatility and than a range that never changes.')
  expect(skillVerdict(-0.004, 0.012)).toMatch(/^It is no better than a rolling volatility/)
  expect(skillVerdict(0, 0)).toBe('It is no better than either simple rule.')
})
