import { parseDecimal, whyNotANumber } from './decimal.ts'
import type { Layout } from './dialect.ts'
import type { RowScanner } from './row-scanner.ts'
import { EARLIEST_MS, msOf, type TimeUnit, timeUnitOf } from './time-unit.ts'

export interface RowOutcome {
  /** The unit of its time; null where that is no time. */
  unit: TimeUnit | null
  /** Why the row is refused; null where it is a candle. */
  reason: string | null
  /** Refused because it opens between two multiples of the timeframe. */
  misaligned: boolean
}

const PRICE_NAMES = ['open', 'high', 'low', 'close'] as const
const outcome: RowOutcome = { unit: null, reason: null, misaligned: false }
const refuse = (reason: string, misaligned = false): RowOutcome => {
  outcome.reason = reason
  outcome.misaligned = misaligned
  return outcome
}

/**
 * Reads the scanner's present row into `out` as [ts in ms, open, high, low, close, volume] and checks that it is a
 * candle of the timeframe that has closed by `nowMs`. The outcome is one object for all rows: read it before the next.
 */
export function readRow(
  row: RowScanner,
  layout: Layout,
  timeframeMs: number,
  nowMs: number,
  out: Float64Array,
): RowOutcome {
  outcome.unit = null
  outcome.reason = null
  outcome.misaligned = false
  if (row.columns !== layout.columns)
    return refuse(
      `torn line: it has ${row.columns} ${row.columns === 1 ? 'column' : 'columns'} instead of ${layout.columns}`,
    )
  const number = (column: number): number => parseDecimal(row.bytes, row.starts[column]!, row.ends[column]!)

  const time = number(layout.ts)
  const unit = timeUnitOf(time)
  if (unit === null)
    return refuse(
      Number.isNaN(time)
        ? `timestamp ${whyNotANumber(row.column(layout.ts))}`
        : `timestamp ${row.column(layout.ts)} is no time in seconds, milliseconds or microseconds`,
    )
  outcome.unit = unit
  const ts = msOf(time, unit)
  if (ts < EARLIEST_MS) return refuse(`it opens at ${iso(ts)}, before any coin existed`)
  if (ts > nowMs) return refuse(`it opens at ${iso(ts)}, in the future`)
  if (ts % timeframeMs !== 0) return refuse(`it opens at ${iso(ts)}, between two candles of the timeframe`, true)
  if (ts + timeframeMs > nowMs) return refuse(`it opened at ${iso(ts)} and has not closed yet`)

  out[0] = ts
  const open = number(layout.open)
  const high = number(layout.high)
  const low = number(layout.low)
  const close = number(layout.close)
  const volume = number(layout.volume)
  out[1] = open
  out[2] = high
  out[3] = low
  out[4] = close
  out[5] = volume
  // One comparison chain for the good row (a NaN fails each of them), the words only for the bad one.
  const sound =
    low > 0 &&
    low <= open &&
    low <= close &&
    high >= open &&
    high >= close &&
    volume >= 0 &&
    high < 1e15 &&
    volume < 1e18
  return sound ? outcome : refuse(whatIsWrong(row, layout, out))
}

function whatIsWrong(row: RowScanner, layout: Layout, out: Float64Array): string {
  for (let i = 0; i < 4; i++) {
    const name = PRICE_NAMES[i]!
    const price = out[i + 1]!
    if (Number.isNaN(price)) return `${name} ${whyNotANumber(row.column(layout[name]))}`
    if (price <= 0) return `${name} is ${price}: a price is above zero`
    if (price >= 1e15) return `${name} is ${price}: too large for a price`
  }
  const [, open, high, low, close, volume] = out as unknown as [number, number, number, number, number, number]
  if (Number.isNaN(volume)) return `volume ${whyNotANumber(row.column(layout.volume))}`
  if (volume < 0) return `volume is ${volume}: it cannot be negative`
  if (volume >= 1e18) return `volume is ${volume}: too large`
  if (high < low) return `high ${high} is below low ${low}`
  if (high < open || high < close) return `high ${high} is below ${high < open ? `open ${open}` : `close ${close}`}`
  return `low ${low} is above ${low > open ? `open ${open}` : `close ${close}`}`
}

const iso = (ms: number): string => new Date(ms).toISOString()
