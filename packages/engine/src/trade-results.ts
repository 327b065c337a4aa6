import type { TradeResults } from '@shapecast/contracts/bot-results'

/** A stretch of time in which something was held: open times of the candles of its entry and its exit, ms; quote per base, and base. */
export interface HeldSpell {
  readonly entryTime: number
  /** Infinity while it is held. */
  readonly exitTime: number
  readonly entryPrice: number
  readonly quantity: number
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Of closed trades in the order in which they closed. A trade that made nothing is a loss of 0. Definitions: docs/bots.md. */
export function tradeResultsOf(trades: readonly { readonly netPnL: number; readonly fees: number }[]): TradeResults {
  const results = trades.map(({ netPnL }) => netPnL)
  let run = 0
  let longestLosingRun = 0
  for (const result of results) {
    run = result > 0 ? 0 : run + 1
    longestLosingRun = Math.max(longestLosingRun, run)
  }
  return {
    trades: trades.length,
    expectancy: meanOf(results),
    averageWin: meanOf(results.filter((result) => result > 0)),
    averageLoss: meanOf(results.filter((result) => result <= 0)),
    longestLosingRun,
    fees: trades.reduce((sum, { fees }) => sum + fees, 0),
  }
}

/**
 * How much of the time something was held, percent: of all closes those at which it was (entered in a candle that has closed by
 * then, left in a later one), and what had been paid for it over the equity there, on average. `atMs`: closes in order, ms, with
 * the `equity` (quote) there. Null without a close.
 */
export function heldTimeOf(
  spells: readonly HeldSpell[],
  { atMs, equity }: { readonly atMs: readonly number[]; readonly equity: readonly number[] },
): { timeInMarketPct: number; exposurePct: number } | null {
  if (atMs.length === 0) return null
  const entered = spells.toSorted((a, b) => a.entryTime - b.entryTime)
  const left = spells.toSorted((a, b) => a.exitTime - b.exitTime)
  let [nextIn, nextOut, cost, held, exposure] = [0, 0, 0, 0, 0]
  for (const [i, close] of atMs.entries()) {
    for (; nextIn < entered.length && entered[nextIn]!.entryTime < close; nextIn++)
      cost += entered[nextIn]!.entryPrice * entered[nextIn]!.quantity
    for (; nextOut < left.length && left[nextOut]!.exitTime < close; nextOut++)
      cost -= left[nextOut]!.entryPrice * left[nextOut]!.quantity
    if (nextIn === nextOut) {
      // Not what rounding left of the sums.
      cost = 0
      continue
    }
    held++
    if (equity[i]! > 0) exposure += cost / equity[i]!
  }
  return { timeInMarketPct: (100 * held) / atMs.length, exposurePct: (100 * exposure) / atMs.length }
}
