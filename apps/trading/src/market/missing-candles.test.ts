import { emptyCandles } from '@shapecast/engine/candles'
import { expect, it } from 'vitest'
import { countOf, createGapFinder, missingRuns, withoutKnown } from './gaps.ts'

it('an answer of refused rows alone is no gap, and the next gap is reported', () => {
  const gaps = createGapFinder(0, 10)
  const answer = (...ts: number[]) => ({ ...emptyCandles(ts.length), ts: Float64Array.from(ts) })
  expect(gaps.next(answer(), 3)).toEqual([])
  expect(gaps.next(answer(30, 40), 0)).toEqual([])
  expect(gaps.next(answer(70), 0)).toEqual([{ fromMs: 50, toMs: 60 }])
})

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
