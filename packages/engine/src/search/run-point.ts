import { createAccount } from '../account.ts'
import type { Candles } from '../candles.ts'
import { maxDrawdownPct } from '../indicators/drawdown.ts'
import type { Journal } from '../journal.ts'
import type { Rules } from '../rules.ts'
import { runCandles } from '../run-candles.ts'

/** What is kept of a run. */
export interface DailyRun {
  /** At each of the daily closes: quote, and the share of it that was held. */
  readonly equity: Float64Array
  readonly share: Float64Array
  readonly finalEquity: number
  /** Percent, 0 or positive. */
  readonly maxDrawdownPct: number
  /** Positions closed. */
  readonly trades: number
}

/** A backtest of which only what it came to is kept, and the equity at the candles `days`. */
export function runPoint(
  candles: Candles,
  decisions: Int8Array | Float64Array,
  rules: Rules,
  initialBalance: number,
  days: Int32Array,
): DailyRun {
  const account = createAccount(initialBalance)
  const journal = new TradeCount()
  const equity = new Float64Array(candles.length)
  const size = new Float64Array(candles.length)
  runCandles({ account, rules, candles, decisions, equity, size, journal })
  return {
    equity: Float64Array.from(days, (day) => equity[day]!),
    share: Float64Array.from(days, (day) => (equity[day]! > 0 ? (size[day]! * candles.close[day]!) / equity[day]! : 0)),
    finalEquity: account.equity,
    maxDrawdownPct: maxDrawdownPct(equity, initialBalance),
    trades: journal.trades,
  }
}

/** Counts closed positions. */
class TradeCount implements Journal {
  trades = 0
  trade(): void {
    this.trades++
  }
  fill(): void {}
  skip(): void {}
  reduced(): void {}
  gap(): void {}
  funding(): void {}
}
