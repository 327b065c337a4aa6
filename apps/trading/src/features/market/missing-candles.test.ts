import { expect, it } from 'vitest'
import { countOf, missingRuns, withoutKnown } from './missing-candles.ts'

it('finds the runs before, between and after the candles that are there', () => {
  const runs = missingRuns(Float64Array.of(20, 30, 60), { fromMs: 0, toMs: 80 }, 10)
  expect(runs).toEqual([
    { fromMs: 0, toMs: 10 },
    { fromMs: 40, toMs: 50 },
    { fromMs: 70, toMs: 80 },
  ])
  expect(countOf(runs, 10)).toBe(6)
  expect(missingRuns(Float64Array.of(0, 10, 20), { fromMs: 10, toMs: 20 }, 10)).toEqual([])
})

it('leaves out what is known, at the ends and in the middle of a run', () => {
  const known = [
    { fromMs: 50, toMs: 60 },
    { fromMs: -30, toMs: 10 },
  ]
  expect(withoutKnown([{ fromMs: 0, toMs: 80 }], known, 10)).toEqual([
    { fromMs: 20, toMs: 40 },
    { fromMs: 70, toMs: 80 },
  ])
  expect(withoutKnown([{ fromMs: 50, toMs: 60 }], known, 10)).toEqual([])
})
