/**
 * Funding rates of a perpetual future, oldest first: at `ts[k]` (ms) a long pays `rate[k]` × notional to a short.
 * `from` and `to` (ms) are the range within which the series has every rate.
 */
export interface FundingSeries {
  readonly ts: Float64Array
  readonly rate: Float64Array
  readonly from: number
  readonly to: number
}

/** Whether the series knows every rate of a range of candles. */
export const coversRange = (series: FundingSeries, fromTs: number, toTs: number): boolean =>
  series.from <= fromTs && series.to >= toTs
