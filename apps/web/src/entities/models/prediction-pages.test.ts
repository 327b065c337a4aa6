import type { ChartPrediction } from '@shapecast/contracts/prediction-columns'
import { describe, expect, it } from 'vitest'
import {
  firstPredictionRows,
  mergePredictions,
  PREDICTION_PAGE_ROWS,
  prependPredictions,
  refreshSince,
} from './prediction-pages.ts'

const row = (i: number, more: Partial<ChartPrediction> = {}): ChartPrediction => ({
  timestamp: i * 60,
  aligned_ts: (i + 1) * 60,
  signal: 'HOLD',
  confidence: 0.5,
  lstm_prediction: 101,
  transformer_prediction: 99,
  version: 'v3',
  hash: 'a',
  source: 'backfilled',
  madeAt: 7,
  trainedOn: false,
  ...more,
})
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i))
const candles = (list: readonly ChartPrediction[] | null) => list?.map(({ timestamp }) => timestamp / 60)

it('a chart loads 5,000 rows, 20 × limit where it is longer, 10,000 at most', () =>
  expect([100, 300, 2000].map(firstPredictionRows)).toEqual([5000, 6000, 10_000]))

describe('a refresh', () => {
  it('asks for the last three rows again and what follows', () => {
    expect(refreshSince(rows(0, 9))).toBe(6 * 60 - 1)
    expect(refreshSince(rows(4, 5))).toBe(4 * 60 - 1)
    expect(refreshSince([])).toBeNull()
  })
  it('appends what is new, and puts a row sealed live in the place of the backfilled one', () => {
    const merged = mergePredictions(rows(0, 5), [row(2), row(3), row(4, { source: 'live', madeAt: 9 }), row(5)])
    expect(candles(merged)).toEqual([0, 1, 2, 3, 4, 5])
    expect(merged?.[4]?.source).toBe('live')
  })
  it('returns the stored list itself where nothing is new', () => {
    const stored = rows(0, 5)
    expect(mergePredictions(stored, rows(2, 5))).toBe(stored)
  })
  it('has all loaded again where another model speaks, rows are missing between, or there are none', () => {
    expect(mergePredictions(rows(0, 5), [row(4), row(5, { hash: 'b' })])).toBeNull()
    expect(mergePredictions(rows(0, 5), [row(4, { version: 'v4' })])).toBeNull()
    expect(mergePredictions(rows(0, 5), rows(6, 8))).toBeNull()
    expect(mergePredictions(rows(0, 5), [])).toBeNull()
  })
  it('keeps to a list that holds rows of an earlier model of that version, sealed live', () => {
    const stored = [row(0, { hash: 'old', source: 'live' }), row(1), row(2)]
    expect(
      candles(mergePredictions(stored, [row(0, { hash: 'old', source: 'live' }), row(1), row(2), row(3)])),
    ).toEqual([0, 1, 2, 3])
  })
})

describe('an older page', () => {
  it('has 2,000 rows', () => expect(PREDICTION_PAGE_ROWS).toBe(2000))
  it('goes before the stored rows, without what they have', () =>
    expect(candles(prependPredictions(rows(3, 5), rows(0, 4)))).toEqual([0, 1, 2, 3, 4]))
  it('changes nothing when it belongs to another version', () => {
    const stored = rows(3, 5)
    expect(prependPredictions(stored, [row(1, { version: 'v4' })])).toBe(stored)
  })
})
