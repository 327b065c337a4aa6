import { AppError } from '@shapecast/contracts/errors'
import { type Account, equityAt, freeBalance, rememberClose } from './account.ts'
import type { Candles } from './candles.ts'
import { asksForOrder, DECISION } from './decisions.ts'
import { isTargetFirst } from './detail.ts'
import type { Journal } from './journal.ts'
import { type Side, stopTrigger } from './models/fills.ts'
import { type FundingSeries, fundingReceived } from './models/funding.ts'
import { closePosition, followPrice, liquidatePosition, openPosition, setTriggers, stopReason } from './position.ts'
import { fillResting, rest, takeResting } from './post-only.ts'
import { moveToTarget } from './rebalance.ts'
import type { Rules } from './rules.ts'

/**
 * Moves the account one candle forward: candle `i`, with the decision made at the close before it. Backtests and
 * live bots both go through here. Returns the equity at the close (quote). `decision` is a code of DECISION, or under
 * `rules.targets` the share of the equity to hold, NaN where none was decided.
 *
 * Within the candle: funding that fell due, then resting orders that the open has gapped through, then the decision
 * at the open or the end of the position's time, then stops on the candle's range, then what rests, then the mark at its close, to which
 * a trailing stop follows. Throws `bad_input` where the candle is
 * not later than the last one.
 */
export function step(
  account: Account,
  rules: Rules,
  candles: Candles,
  i: number,
  decision: number,
  journal: Journal,
): number {
  stepOpen(account, rules, candles, i, decision, journal)
  stepWithin(account, rules, candles, i, journal)
  fillResting(account, rules, candles, i, journal)
  stepClose(account, rules, candles, i)
  return watchDrawdown(account, rules, equityAt(account, candles.close[i]!), candles.ts[i]!)
}

/** What happens at the open of a candle, first of the three parts of a step. */
export function stepOpen(
  account: Account,
  rules: Rules,
  candles: Candles,
  i: number,
  decision: number,
  journal: Journal,
): void {
  const time = candles.ts[i]!
  const open = candles.open[i]!
  if (time - account.lastTs !== rules.timeframeMs) noteGap(account, rules, time, journal)
  if (rules.funding !== null) settleFunding(account, rules, rules.funding, open, time, journal)

  let stopped = false
  if (open <= account.lowerTrigger || open >= account.upperTrigger) {
    exitAtOpen(account, rules, open, time, journal)
    stopped = true
  }
  if (stopped || account.haltedAt >= 0 || (rules.targets !== null && !Number.isNaN(decision)))
    account.resting = undefined
  if (account.haltedAt >= 0) {
    if (account.side !== 0) closePosition(account, rules, open, 'max_drawdown', time, journal)
  } else if (rules.targets !== null) {
    if (Number.isNaN(decision)) takeResting(account, rules, open, time, journal)
    else if (stopped && rules.noSameBarReentry) journal.skip('same_bar_reentry', time)
    // Behind a gap there is no close to rest at.
    else if (rules.postOnly !== null && account.lastClose > 0)
      rest(account, rules, { postOnly: rules.postOnly, band: rules.targets.band }, decision, { open, time }, journal)
    else moveToTarget(account, rules, rules.targets.band, decision, open, time, journal)
  } else if (asksForOrder(decision, account.side)) actOnDecision(account, rules, decision, open, time, stopped, journal)
  else if (account.side !== 0 && time - account.entryTime >= rules.timeExitMs)
    closePosition(account, rules, open, 'time', time, journal)
}

/** What happens within the candle after its open; of one that still forms, so far: it may be asked again. */
export function stepWithin(account: Account, rules: Rules, candles: Candles, i: number, journal: Journal): void {
  if (candles.low[i]! <= account.lowerTrigger || candles.high[i]! >= account.upperTrigger)
    exitWithin(account, rules, candles, i, journal)
}

/** Applies the close of candle `i`. */
export function stepClose(account: Account, rules: Rules, candles: Candles, i: number): void {
  account.lastTs = candles.ts[i]!
  if (rules.tracksCandles) trackCandle(account, rules, candles, i)
}

/** What a volatility target, a post-only order and a trailing stop take from a candle. */
export function trackCandle(account: Account, rules: Rules, { high, low, close }: Candles, i: number): void {
  if (rules.tracksVolatility) rememberClose(account, close[i]!)
  else if (rules.postOnly !== null) account.lastClose = close[i]!
  if (rules.trailingStopPct > 0 && account.side !== 0) followPrice(account, rules, high[i]!, low[i]!)
}

/** Marks the equity at the close of a candle and halts where it is a drawdown limit below its peak; returns it. */
export function watchDrawdown(
  marked: Pick<Account, 'equity' | 'peak' | 'haltedAt'>,
  { haltRatio }: Pick<Rules, 'haltRatio'>,
  equity: number,
  time: number,
): number {
  marked.equity = equity
  if (equity > marked.peak) marked.peak = equity
  else if (equity <= marked.peak * haltRatio && marked.haltedAt < 0) marked.haltedAt = time
  return equity
}

function actOnDecision(
  account: Account,
  rules: Rules,
  decision: number,
  open: number,
  time: number,
  stopped: boolean,
  journal: Journal,
): void {
  const enters = decision === DECISION.BUY || (decision === DECISION.SELL && rules.canShort)
  if (account.side !== 0) closePosition(account, rules, open, enters ? 'reversal' : 'signal', time, journal)
  if (!enters) return
  if (stopped && rules.noSameBarReentry) journal.skip('same_bar_reentry', time)
  else openPosition(account, rules, decision as Side, open, time, journal)
}

/** The open lies at or beyond a resting order: that order fills there; beyond the liquidation price, the venue acts. */
function exitAtOpen(account: Account, rules: Rules, open: number, time: number, journal: Journal): void {
  const { side } = account
  if (side * (open - account.liquidationPrice) <= 0) liquidatePosition(account, time, journal)
  else if (side * (open - account.takeProfitPrice) >= 0)
    closePosition(account, rules, open, 'take_profit', time, journal)
  else closePosition(account, rules, open, stopReason(account, rules), time, journal)
}

/**
 * Of the prices that the candle has reached the bad ones count first, in the order in which they lie, unless smaller
 * candles say that the target came before them. A stop so near
 * that the slippage of this candle's own entry has passed it fills at the open.
 */
function exitWithin(account: Account, rules: Rules, candles: Candles, i: number, journal: Journal): void {
  const { side, stopLossPrice: stop, liquidationPrice: liquidation, takeProfitPrice: target } = account
  const time = candles.ts[i]!
  const open = candles.open[i]!
  const worst = side > 0 ? candles.low[i]! : candles.high[i]!
  const isBoth = candles.low[i]! <= account.lowerTrigger && candles.high[i]! >= account.upperTrigger
  const isTarget = isBoth ? isTargetFirst(account, rules.detail, time) : null
  if (isBoth) journal.bothReached?.(time, isTarget !== null)
  if (isTarget !== true && side * (worst - stop) <= 0 && side * (stop - liquidation) > 0)
    closePosition(account, rules, stopTrigger(stop, side, open), stopReason(account, rules), time, journal)
  else if (isTarget !== true && side * (worst - liquidation) <= 0) liquidatePosition(account, time, journal)
  else closePosition(account, rules, target, 'take_profit', time, journal)
}

function noteGap(account: Account, rules: Rules, time: number, journal: Journal): void {
  const { lastTs } = account
  if (lastTs < 0) return
  if (time <= lastTs) throw new AppError('bad_input', `Candle ${time} is not later than the last one, ${lastTs}.`)
  const missing = Math.round((time - lastTs) / rules.timeframeMs) - 1
  if (missing > 0) journal.gap({ after: lastTs, missing })
  account.lastClose = 0
}

/**
 * Charges the settlements since the last candle to a position held since then, at their marks, else at the open.
 * What the free balance cannot pay is taken from the margin, which brings the liquidation nearer.
 */
export function settleFunding(
  account: Account,
  rules: Rules,
  series: FundingSeries,
  open: number,
  time: number,
  journal: Journal,
): void {
  if (account.side === 0) return
  const due = fundingReceived(series, { fromMs: account.lastTs, untilMs: time }, account.size, open)
  if (due === 0) return
  const received = Math.max(due, -Math.max(0, freeBalance(account)))
  account.balance += received
  account.positionFunding += received
  journal.funding(received, time)
  if (freeBalance(account) >= account.margin) return
  account.margin = freeBalance(account)
  setTriggers(account, rules)
}
