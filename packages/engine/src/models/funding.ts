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

/**
 * What a position of `size` base (below 0 short) receives at a settlement, quote: below 0 it pays. A long pays a positive
 * rate of its notional at `mark` (quote per base).
 */
export const fundingReceived = (size: number, mark: number, rate: number): number => -size * mark * rate
