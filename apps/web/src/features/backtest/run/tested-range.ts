import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import type { Health, Series } from '@shapecast/contracts/market'
import type { Model } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { DEFAULT_DAYS, type TimeRange } from '#entities/markets/market-range.ts'
import { formatDateRange } from '#kit/format/time.ts'
import type { Parameters } from './parameters.ts'

const DAY_MS = 86_400_000
const Candles = BacktestRequest.shape.limit

/**
 * The range that stands in the fields: dates that were chosen, else the default; where no beginning was chosen and the
 * number of candles was typed, it begins so many before its end. A number that cannot be tested moves nothing.
 */
export function effectiveRange(
  chosen: Pick<Parameters, 'fromMs' | 'toMs' | 'limit'>,
  byDefault: TimeRange,
  timeframe: Timeframe,
): TimeRange {
  const toMs = chosen.toMs ?? byDefault.toMs
  if (chosen.fromMs === null && typeof chosen.limit === 'number' && Candles.safeParse(chosen.limit).success)
    return { fromMs: Math.max(0, toMs - chosen.limit * TIMEFRAME_MS[timeframe]), toMs }
  const fromMs = chosen.toMs === null ? byDefault.fromMs : chosen.toMs - DEFAULT_DAYS * DAY_MS
  return { fromMs: chosen.fromMs ?? fromMs, toMs }
}

interface RangeHint {
  readonly text: string
  /** Whether the range as chosen has no stored candle. */
  readonly outside: boolean
}

/** What is stored of a series, in a line below the dates; null where the market needs no hint. */
export function rangeHint(
  range: TimeRange,
  series: Series | undefined,
  kind: Health['market'],
  symbol: string,
  timeframe: string,
): RangeHint | null {
  if (series === undefined)
    return kind === 'replay'
      ? { text: `No ${symbol} ${timeframe} candles are stored. Import them on the Lern page.`, outside: true }
      : null
  const stored = formatDateRange(series.first, series.last)
  if (range.toMs <= series.first || range.fromMs > series.last)
    return { text: `No candles in this range. Stored: ${stored}.`, outside: kind !== 'live' }
  return { text: `Stored: ${stored}`, outside: false }
}

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

interface UnseenPart {
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
