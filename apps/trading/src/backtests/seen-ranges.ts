import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { RangePart } from '@shapecast/contracts/backtest-results'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import type { SeenCandles } from '@shapecast/ml/forecast/model-traits'

/** What a version has seen: known, by its author's word, or unknown, so that every candle until its upload counts. */
export interface SeenRange extends SeenCandles {
  version: string
}

/**
 * Tells the part of a run that its models have seen from the part that they have not. The seen part reaches from the
 * first to the last candle that any model has seen; the unseen part is what comes after it, or where nothing does,
 * what comes before. `judge` gives the figures of candles from (included) to (left out).
 */
export function splitSeen(
  candles: Candles,
  ranges: readonly SeenRange[],
  judge: (from: number, to: number) => Pick<RangePart, 'metrics' | 'intervals'>,
): { seen: BacktestRun['seen']; seenRatio: number } {
  const { length, ts } = candles
  const within = ranges
    .map((range) => ({
      ...range,
      first: indexAtOrAfter(candles, range.from),
      end: indexAtOrAfter(candles, range.to + 1),
    }))
    .filter(({ first, end }) => first < end)
  const part = (from: number, to: number) =>
    from < to ? { from: ts[from]!, to: ts[to - 1]!, candles: to - from, ...judge(from, to) } : null
  const declared = ranges.filter(({ basis }) => basis === 'declared').map(({ version }) => version)
  const byAuthorsWord = declared.length === 0 ? {} : { byAuthorsWord: [...new Set(declared)] }
  if (within.length === 0)
    return { seen: { ranges: [], ...byAuthorsWord, seen: null, unseen: part(0, length) }, seenRatio: 0 }

  const touched = new Uint8Array(length)
  for (const { first, end } of within) touched.fill(1, first, end)
  const first = Math.min(...within.map((range) => range.first))
  const end = Math.max(...within.map((range) => range.end))
  return {
    seen: {
      ranges: within.map(({ version, basis, first: a, end: b }) => ({ version, basis, from: ts[a]!, to: ts[b - 1]! })),
      ...byAuthorsWord,
      seen: part(first, end),
      unseen: end < length ? part(end, length) : part(0, first),
    },
    seenRatio: touched.reduce((sum, one) => sum + one, 0) / length,
  }
}
