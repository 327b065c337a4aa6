import type { CandleRow } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { MAX_CANDLES, mergeNewest, prependOlder } from './candle-pages.ts'

const STEP = 60
const row = (i: number, close = 100 + i): CandleRow => [i * STEP, 100, 200, 50, close, 1]
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i))
const times = (merged: readonly CandleRow[] | null) => merged?.map((one) => one[0] / STEP)

describe('newest candles over the stored ones', () => {
  it('replaces the open candle and appends the new one', () => {
    const merged = mergeNewest(rows(0, 5), [row(3), row(4, 111), row(5)], STEP)
    expect(times(merged)).toEqual([0, 1, 2, 3, 4, 5])
    expect(merged?.[4]?.[4]).toBe(111)
  })
  it('keeps the very objects of candles that have not changed', () => {
    const stored = rows(0, 5)
    const merged = mergeNewest(stored, [row(3), row(4, 111)], STEP)
    expect(merged?.[3]).toBe(stored[3])
    expect(merged?.[4]).not.toBe(stored[4])
  })
  it('returns the stored list itself where nothing is new', () => {
    const stored = rows(0, 5)
    expect(mergeNewest(stored, rows(2, 5), STEP)).toBe(stored)
    expect(mergeNewest(stored, [], STEP)).toBe(stored)
  })
  it('touching replies are joined; with a hole between them the missing candles are asked for', () => {
    expect(times(mergeNewest(rows(0, 3), rows(3, 5), STEP))).toEqual([0, 1, 2, 3, 4])
    expect(mergeNewest(rows(0, 3), rows(4, 6), STEP)).toBeNull()
  })
  it('a reply that is one candle behind takes the newest candle not away', () => {
    expect(times(mergeNewest(rows(0, 6), rows(2, 5), STEP))).toEqual([0, 1, 2, 3, 4, 5])
  })
  it('a market that was set back, or another one, replaces everything', () => {
    expect(times(mergeNewest(rows(0, 9), rows(0, 4), STEP))).toEqual([0, 1, 2, 3])
    const other = rows(2, 10).map((one) => row(one[0] / STEP, 7))
    expect(mergeNewest(rows(0, 9), other, STEP)).toBe(other)
  })
  it('one revised candle is not another market', () => {
    const merged = mergeNewest(rows(0, 9), [row(4), row(5, 99), row(6), row(7), row(8)], STEP)
    expect(merged).toHaveLength(9)
    expect(merged?.[5]?.[4]).toBe(99)
  })
  it('never keeps more than 10,000: the oldest goes', () => {
    const merged = mergeNewest(rows(0, MAX_CANDLES), [row(MAX_CANDLES - 1), row(MAX_CANDLES)], STEP)
    expect(merged).toHaveLength(MAX_CANDLES)
    expect(merged?.[0]?.[0]).toBe(STEP)
  })
})

describe('an older page', () => {
  it('goes before the stored candles, each candle once', () => {
    expect(times(prependOlder(rows(5, 8), rows(2, 7)))).toEqual([2, 3, 4, 5, 6, 7])
  })
  it('is cut where 10,000 are reached: the newest stay', () => {
    const merged = prependOlder(rows(100, 100 + MAX_CANDLES - 10), rows(0, 100))
    expect(merged).toHaveLength(MAX_CANDLES)
    expect(merged[0]?.[0]).toBe(90 * STEP)
  })
  it('changes nothing where there is nothing older', () => {
    const stored = rows(5, 8)
    expect(prependOlder(stored, rows(5, 7))).toBe(stored)
  })
})
