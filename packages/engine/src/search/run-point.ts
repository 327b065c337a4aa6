import { type Account, createAccount } from '../account.ts'
import type { Candles } from '../candles.ts'
import { asksForOrder, DECISION } from '../decisions.ts'
import { drawdownPct } from '../indicators/drawdown.ts'
import type { Journal } from '../journal.ts'
import type { Rules } from '../rules.ts'
import { step } from '../step.ts'

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

/** What a run has come to. */
interface Under {
  readonly equity: Float64Array
  readonly share: Float64Array
  /** The next candle, and the next daily close. */
  i: number
  day: number
  deepestPct: number
  /** What is left of the peak at the deepest, rounding included: a division is needed below it only. */
  left: number
}

/**
 * A backtest of which only the equity at the candles `days` is kept. Equity, drawdown and trades are those of `runBacktest`, to
 * the bit: whatever happens goes through `step`, and candles on which nothing can are only marked.
 */
export function runPoint(
  candles: Candles,
  decisions: Int8Array | Float64Array,
  rules: Rules,
  initialBalance: number,
  days: Int32Array,
): DailyRun {
  const account = createAccount(initialBalance)
  const journal = new TradeCount()
  const { length } = candles
  const run: Under = {
    equity: new Float64Array(days.length),
    share: new Float64Array(days.length),
    i: 0,
    day: 0,
    deepestPct: 0,
    left: 1,
  }
  const codes =
    decisions instanceof Int8Array && rules.targets === null && !rules.tracksCandles && rules.funding === null
      ? decisions
      : null
  // Of each side, −1 first, which codes move who holds it.
  const asking = [-1, 0, 1].map((side) => Uint8Array.from(CODES, (code) => Number(acts(code, side, rules))))
  const first = rules.targets === null ? DECISION.HOLD : Number.NaN
  while (run.i < length) {
    if (codes !== null && run.i > 0) markQuiet(run, account, rules, candles, codes, days, asking[account.side + 1]!)
    const { i } = run
    if (i === length) break
    const equity = step(account, rules, candles, i, i === 0 ? first : decisions[i - 1]!, journal)
    if (equity < account.peak * run.left) deepen(run, equity, account.peak)
    if (i === days[run.day]) {
      run.share[run.day] = equity > 0 ? (account.size * candles.close[i]!) / equity : 0
      run.equity[run.day++] = equity
    }
    run.i++
  }
  return {
    equity: run.equity,
    share: run.share,
    finalEquity: account.equity,
    maxDrawdownPct: run.deepestPct,
    trades: journal.trades,
  }
}

function deepen(run: Under, equity: number, peak: number): void {
  run.deepestPct = Math.max(run.deepestPct, drawdownPct(equity, peak))
  run.left = 1 - run.deepestPct / 100 + 1e-13
}

const CODES = [DECISION.SELL, DECISION.HOLD, DECISION.BUY, DECISION.CLOSE, DECISION.CLOSE_LONG, DECISION.CLOSE_SHORT]

/** Whether a code moves an account that holds that side. */
const acts = (code: number, side: number, { canShort }: Rules): boolean =>
  asksForOrder(code, side) && (side !== 0 || canShort || code === DECISION.BUY)

/** Marks the candles up to the next one on which something can happen: an order, a stop, the end of a position's time, a halt. */
function markQuiet(
  run: Under,
  account: Account,
  rules: Rules,
  { ts, high, low, close, length }: Candles,
  decisions: Int8Array,
  days: Int32Array,
  asks: Uint8Array,
): void {
  const { side, size, balance, entryPrice, entryTime, lowerTrigger, upperTrigger } = account
  const halted = account.haltedAt >= 0
  if (halted && side !== 0) return
  const { haltRatio, timeExitMs } = rules
  let { peak, equity } = account
  let { i } = run
  for (; i < length; i++) {
    if (asks[decisions[i - 1]! + 1] === 1 && !halted) break
    if (side !== 0) {
      if (low[i]! <= lowerTrigger || high[i]! >= upperTrigger || ts[i]! - entryTime >= timeExitMs) break
      const now = balance + size * (close[i]! - entryPrice)
      if (now > peak) peak = now
      else {
        // The step says itself that the limit was reached.
        if (now <= peak * haltRatio) break
        if (now < peak * run.left) deepen(run, now, peak)
      }
      equity = now
    }
    if (i === days[run.day]) {
      run.share[run.day] = equity > 0 ? (size * close[i]!) / equity : 0
      run.equity[run.day++] = equity
    }
  }
  run.i = i
  account.peak = peak
  account.equity = equity
  account.lastTs = ts[i - 1]!
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
