import { createAccount } from '../account.ts'
import type { Candles } from '../candles.ts'
import { maxDrawdownPct } from '../indicators/drawdown.ts'
import { SILENT } from '../journal.ts'
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

/** Columns that a run fills in: those of the one before may be used again. */
export const runColumns = (length: number) => ({ equity: new Float64Array(length), size: new Float64Array(length) })

/** A backtest of which only what it came to is kept, and the equity at the candles `days`. */
export function runPoint(
  candles: Candles,
  decisions: Int8Array | Float64Array,
  rules: Rules,
  initialBalance: number,
  days: Int32Array,
  { equity, size } = runColumns(candles.length),
): DailyRun {
  const account = createAccount(initialBalance)
  let trades = 0
  const journal = { ...SILENT, trade: () => void trades++ }
  runCandles({ account, rules, candles, decisions, equity, size, journal })
  const atDays = { equity: new Float64Array(days.length), share: new Float64Array(days.length) }
  for (let d = 0; d < days.length; d++) {
    const day = days[d]!
    const worth = equity[day]!
    atDays.equity[d] = worth
    atDays.share[d] = worth > 0 ? (size[day]! * candles.close[day]!) / worth : 0
  }
  return {
    ...atDays,
    finalEquity: account.equity,
    maxDrawdownPct: maxDrawdownPct(equity, initialBalance),
    trades,
  }
}
