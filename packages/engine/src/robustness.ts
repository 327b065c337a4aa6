import type { EngineTrade } from './journal.ts'
import { createRandom } from './random.ts'

/** How far results of the same trades in another draw reach; amounts in quote. */
export interface TradeBootstrap {
  readonly draws: number
  /** Range of the average net result a trade within which the middle `levelPct` percent of the draws fall. */
  readonly avgTradePnL: readonly [low: number, high: number]
  /** The same for the net result of all trades together. */
  readonly netPnL: readonly [low: number, high: number]
  /** Share of the draws, 0–1, that lose money. */
  readonly lossRatio: number
}

/**
 * Draws as many trades as there are, with replacement, `draws` times (percentile bootstrap: Efron and Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapter 13). The same seed gives the same result. Null with fewer than two
 * trades. Trades are taken as independent of one another.
 */
export function bootstrapTrades(
  trades: readonly Pick<EngineTrade, 'netPnL'>[],
  seed: number,
  { draws = 2000, levelPct = 90 } = {},
): TradeBootstrap | null {
  const count = trades.length
  if (count < 2) return null
  const random = createRandom(seed)
  const results = Float64Array.from(trades, (trade) => trade.netPnL)
  const totals = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    let total = 0
    for (let k = 0; k < count; k++) total += results[random.below(count)]!
    totals[draw] = total
  }
  totals.sort()
  const tail = (1 - levelPct / 100) / 2
  const low = quantileOf(totals, tail)
  const high = quantileOf(totals, 1 - tail)
  return {
    draws,
    avgTradePnL: [low / count, high / count],
    netPnL: [low, high],
    lossRatio: totals.filter((total) => total < 0).length / draws,
  }
}

/** Quantile of sorted values, linear between neighbours (type 7 of Hyndman and Fan, 1996). */
function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!)
}
