import { BacktestRequest } from '@shapecast/contracts/backtest'
import type { Health, Series } from '@shapecast/contracts/market'
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

export interface RangeHint {
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
