import type { BacktestRun, Metrics } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import type { ModelCard } from '@shapecast/ml/artifact'

/** Open times of the first and last candle that decided anything about a model: weights, stopping or calibration. */
export interface SeenRange {
  version: string
  from: number
  to: number
}

/** From the first training row to the last outcome that the validation looked at. The hold-out is not part of it. */
export const seenBy = (
  version: string,
  card: Pick<ModelCard, 'ranges' | 'horizons'>,
  timeframe: Timeframe,
): SeenRange => ({
  version,
  from: card.ranges.train.from,
  to: card.ranges.validation.to + card.horizons * TIMEFRAME_MS[timeframe],
})

/**
 * Tells the part of a run that its models have seen from the part that they have not. The seen part reaches from the
 * first to the last candle that any model has seen; the unseen part is what comes after it, or where nothing does,
 * what comes before. `metrics` gives those of candles from (included) to (left out).
 */
export function splitSeen(
  candles: Candles,
  ranges: readonly SeenRange[],
  metrics: (from: number, to: number) => Metrics,
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
    from < to ? { from: ts[from]!, to: ts[to - 1]!, candles: to - from, metrics: metrics(from, to) } : null
  if (within.length === 0) return { seen: { ranges: [], seen: null, unseen: part(0, length) }, seenRatio: 0 }

  const touched = new Uint8Array(length)
  for (const { first, end } of within) touched.fill(1, first, end)
  const first = Math.min(...within.map((range) => range.first))
  const end = Math.max(...within.map((range) => range.end))
  return {
    seen: {
      ranges: within.map(({ version, first: a, end: b }) => ({ version, from: ts[a]!, to: ts[b - 1]! })),
      seen: part(first, end),
      unseen: end < length ? part(end, length) : part(0, first),
    },
    seenRatio: touched.reduce((sum, one) => sum + one, 0) / length,
  }
}
