import { expect, it } from 'vitest'
import { batchVerdict } from './batch-verdict.ts'

const cell = (sharpe: number | null, years = 1, isClear = false) => ({ sharpe, years, isClear })

it('calls the best of forty what luck gives, though it would stand out alone', () => {
  const cells = [...Array.from({ length: 39 }, () => cell(0)), cell(2)]
  const found = batchVerdict(cells, 40)
  // Φ(2) = 0.97725; 1 − 0.97725⁴⁰ = 0.6018.
  expect(found).toMatchObject({ code: 'what_luck_gives', runs: 40, best: 39 })
  expect(found.p).toBeCloseTo(0.6018, 3)
  expect(found.luckSharpe).toBeCloseTo(2.18, 1)
  // Alone: 1 − Φ(2) = 0.0228.
  expect(batchVerdict([cell(2)], 1)).toMatchObject({ code: 'better_than_luck', luckSharpe: 0 })
  expect(batchVerdict([cell(2)], 1).p).toBeCloseTo(0.0228, 4)
})

it('counts what was tried on the series before: the same run is less of a surprise', () => {
  // 1 − 0.97725² = 0.0450, and of 100 tries 1 − 0.97725¹⁰⁰ = 0.8999.
  expect(batchVerdict([cell(2), cell(0)], 2)).toMatchObject({ code: 'better_than_luck' })
  const found = batchVerdict([cell(2), cell(0)], 100)
  expect(found).toMatchObject({ code: 'what_luck_gives', runs: 2 })
  expect(found.p).toBeCloseTo(0.8999, 3)
})

it('weighs a ratio by the years that show it', () => {
  expect(batchVerdict([cell(2, 0.25), cell(1.5, 4)], 2).best).toBe(1)
})

it('leaves out what was not run or has no ratio', () => {
  expect(batchVerdict([null, cell(null), cell(1, 1, true)], 1)).toMatchObject({ runs: 1, clear: 1, best: 2 })
  expect(batchVerdict([null, cell(null)], 2)).toEqual({
    code: 'too_few',
    runs: 0,
    clear: 0,
    best: null,
    luckSharpe: null,
    p: null,
  })
})
