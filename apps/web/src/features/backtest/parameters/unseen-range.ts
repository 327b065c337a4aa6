import type { Model } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { TimeRange } from '#entities/markets/market-range.ts'

/** Whether a version has an artifact that can predict a series. */
export const isTrainedOn = (model: Model, symbol: string, timeframe: Timeframe): boolean =>
  model.artifacts.some((artifact) => artifact.symbol === symbol && artifact.timeframe === timeframe)

/**
 * The first candle that none of the versions has seen in training or validation, ms; null where that is not known for one
 * of them, or nothing was trained on the series.
 */
export function unseenFromMs(
  models: readonly Model[] | undefined,
  versions: readonly string[],
  symbol: string | undefined,
  timeframe: Timeframe,
): number | null {
  let from: number | null = null
  for (const version of versions) {
    const artifacts = (models?.find((model) => model.version === version)?.artifacts ?? []).filter(
      (artifact) => artifact.symbol === symbol && artifact.timeframe === timeframe,
    )
    if (artifacts.length === 0) return null
    // The candle where a hold-out begins is the outcome of the forecast before it. What an upload has seen is known from
    // its author at most: any candle up to there may be of it.
    for (const { holdoutFrom } of artifacts) from = Math.max(from ?? 0, holdoutFrom + TIMEFRAME_MS[timeframe])
  }
  return from
}

export interface UnseenPart {
  /** Ends where the range ends; the same as the range where all of it is unseen. */
  readonly range: TimeRange
  readonly candles: number
}

/** The unseen part of a range; null where the range has none, or where nothing is known of it. */
export function unseenPart(range: TimeRange, fromMs: number | null, timeframe: Timeframe): UnseenPart | null {
  if (fromMs === null || fromMs >= range.toMs) return null
  const part = { fromMs: Math.max(range.fromMs, fromMs), toMs: range.toMs }
  return { range: part, candles: Math.ceil((part.toMs - part.fromMs) / TIMEFRAME_MS[timeframe]) }
}
