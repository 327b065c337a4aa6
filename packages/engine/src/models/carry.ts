import type { Ratio } from '@shapecast/contracts/units'
import type { FundingSeries } from './funding.ts'

/** Buying the coin, selling the future, and both again the other way round. */
const FILLS = 4
/** The coin, and as much again as margin of the future, which then stands a doubled price. */
const CAPITAL_OF_NOTIONAL = 2

/** What was settled in a calendar year (UTC), and what a carry from its first to its last known moment would have come to. */
export interface CarryYear {
  readonly year: number
  /** Share of the year whose rates are known. */
  readonly known: Ratio
  readonly settlements: number
  /** Share of the settlements at which the carry paid. */
  readonly paid: Ratio
  /** All rates together, of the notional. */
  readonly rates: Ratio
  /** After the costs of one entry and one exit, of the capital that it binds. */
  readonly net: Ratio
}

/**
 * What cash-and-carry would have come to, by calendar year: a coin is held and as much of its future sold, so that prices cancel
 * out and funding stays. net = (Σ rates − 4 × cost of a fill) / 2: coin and margin are as much as the notional each. `costOfFill`:
 * fee and slippage of its notional. Apart from the rates nothing is known of the gap between spot and future, which an entry and
 * an exit can win or lose; in stretches that are not known nothing is earned.
 */
export function carryByYear({ ts, rate, known }: FundingSeries, costOfFill: Ratio): CarryYear[] {
  const rates = [...ts].map((at, k) => ({ year: new Date(at).getUTCFullYear(), rate: rate[k]! }))
  return [...Map.groupBy(rates, ({ year }) => year)].map(([year, settled]) => {
    const [start, end] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)]
    const within = known.map(({ fromMs, untilMs }) => Math.max(0, Math.min(untilMs, end) - Math.max(fromMs, start)))
    const sum = settled.reduce((total, one) => total + one.rate, 0)
    return {
      year,
      known: within.reduce((total, ms) => total + ms, 0) / (end - start),
      settlements: settled.length,
      paid: settled.filter((one) => one.rate < 0).length / settled.length,
      rates: sum,
      net: (sum - FILLS * costOfFill) / CAPITAL_OF_NOTIONAL,
    }
  })
}
