import { equityAt } from './account.ts'
import type { Candles } from './candles.ts'
import { asksForOrder, DECISION } from './decisions.ts'
import { nextSettlement } from './models/funding.ts'
import type { Trader } from './rules.ts'
import { step, trackCandle } from './step.ts'

/** A run under way. `decisions[i - 1]` is acted on at candle i; `equity` has a place for each candle. */
export interface Run extends Trader {
  readonly candles: Candles
  readonly decisions: Int8Array | Float64Array
  readonly equity: Float64Array
  /** Quantity at each close, negative for a short; written where it is given. */
  readonly size?: Float64Array | undefined
}

/** Folds `step` over the candles of a run, and writes the equity at their closes. */
export function runCandles(run: Run): void {
  const { account, rules, candles, decisions, equity } = run
  const codes = decisions instanceof Int8Array && rules.targets === null ? decisions : null
  for (let i = 0; i < candles.length; i++) {
    if (codes !== null && i > 0) i = passQuiet(run, codes, i)
    if (i === candles.length) break
    const decision = i > 0 ? decisions[i - 1]! : rules.targets === null ? DECISION.HOLD : Number.NaN
    equity[i] = step(run, candles, i, decision)
    if (run.size !== undefined) run.size[i] = account.size
  }
}

const CODES = [DECISION.SELL, DECISION.HOLD, DECISION.BUY, DECISION.CLOSE, DECISION.CLOSE_LONG, DECISION.CLOSE_SHORT]
/** On spot and on futures, of each side, short first: bit `code + 1` is set where the code moves who holds that side. */
const MOVING = [false, true].map((canShort) =>
  [-1, 0, 1].map((side) =>
    CODES.filter(
      (code) => asksForOrder(code, side) && (side !== 0 || canShort || code === DECISION.BUY),
    ).reduce<number>((bits, code) => bits | (1 << (code + 1)), 0),
  ),
)

/**
 * Takes the account from candle `from` on through those that only mark it, as most do: no order, stop, gap, rate or
 * end of a position's time. Returns the first that needs a step. What `step` would do, to the bit, at
 * half its cost.
 */
function passQuiet(run: Run, codes: Int8Array, from: number): number {
  const { account, rules, candles, equity } = run
  const { side, size, entryPrice } = account
  const halted = account.haltedAt >= 0
  if (halted && side !== 0) return from
  const { ts, open, high, low, close, length } = candles
  const { timeframeMs, tracksCandles } = rules
  const haltRatio = halted ? Number.NEGATIVE_INFINITY : rules.haltRatio
  const moving = halted ? 0 : MOVING[Number(rules.canShort)]![side + 1]!
  const cash = account.balance + account.profitElsewhere
  const endsAt = Math.min(
    side === 0 ? Number.POSITIVE_INFINITY : account.entryTime + rules.timeExitMs,
    rules.funding === null || side === 0 ? Number.POSITIVE_INFINITY : nextSettlement(rules.funding, account.lastTs),
  )
  let { lowerTrigger: lower, upperTrigger: upper, peak, lastTs } = account
  let floor = peak * haltRatio
  let i = from
  // Without what follows the candles, they are passed in one go.
  for (let until = tracksCandles ? from + 1 : length; ; until = i + 1) {
    for (; i < until; i++) {
      const time = ts[i]!
      if (time - lastTs !== timeframeMs || time >= endsAt || ((moving >> (codes[i - 1]! + 1)) & 1) === 1) break
      // The low implies the test of the open, which is read here so that it is cached when a step needs it.
      if (open[i]! <= lower || low[i]! <= lower || high[i]! >= upper) break
      const now = cash + size * (close[i]! - entryPrice)
      // The step says that the limit is reached.
      if (now <= floor) break
      if (now > peak) {
        peak = now
        floor = peak * haltRatio
      }
      equity[i] = now
      lastTs = time
    }
    if (i < until || !tracksCandles) break
    trackCandle(run, candles, i - 1)
    if (i === length) break
    lower = account.lowerTrigger
    upper = account.upperTrigger
  }
  if (i === from) return from
  run.size?.fill(size, from, i)
  account.peak = peak
  account.lastTs = lastTs
  account.equity = equityAt(account, close[i - 1]!)
  return i
}
