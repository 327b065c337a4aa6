import { AppError } from '@shapecast/contracts/errors'
import { type Account, equityAt, freeBalance, rememberClose } from './account.ts'
import type { Candles } from './candles.ts'
import { asksForOrder, DECISION } from './decisions.ts'
import { isTargetFirst } from './detail.ts'
import { type Side, stopTrigger } from './models/fills.ts'
import { type FundingSeries, fundingReceived } from './models/funding.ts'
import { closePosition, followPrice, liquidatePosition, openPosition, setTriggers, stopReason } from './position.ts'
import { fillResting, rest, takeResting } from './post-only.ts'
import { moveToTarget } from './rebalance.ts'
import type { Rules, Trader } from './rules.ts'

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
export function step(trader: Trader, candles: Candles, i: number, decision: number): number {
  const { account, rules } = trader
  stepOpen(trader, candles, i, decision)
  stepWithin(trader, candles, i)
  fillResting(trader, candles, i)
  stepClose(trader, candles, i)
  return watchDrawdown(account, rules, equityAt(account, candles.close[i]!), candles.ts[i]!)
}

/** What happens at the open of a candle, first of the three parts of a step. */
export function stepOpen(trader: Trader, candles: Candles, i: number, decision: number): void {
  const { account, rules, journal } = trader
  const time = candles.ts[i]!
  const open = candles.open[i]!
  if (time - account.lastTs !== rules.timeframeMs) noteGap(trader, time)
  if (rules.funding !== null) settleFunding(trader, rules.funding, open, time)

  let stopped = false
  if (open <= account.lowerTrigger || open >= account.upperTrigger) {
    exitAtOpen(trader, open, time)
    stopped = true
  }
  if (stopped || account.haltedAt >= 0 || (rules.targets !== null && !Number.isNaN(decision)))
    account.resting = undefined
  if (account.haltedAt >= 0) {
    if (account.side !== 0) closePosition(trader, open, 'max_drawdown', time)
  } else if (rules.targets !== null) {
    if (Number.isNaN(decision)) takeResting(trader, open, time)
    else if (stopped && rules.noSameBarReentry) journal.skip('same_bar_reentry', time)
    // Behind a gap there is no close to rest at.
    else if (rules.postOnly !== null && account.lastClose > 0)
      rest(trader, { postOnly: rules.postOnly, band: rules.targets.band }, decision, { open, time })
    else moveToTarget(trader, rules.targets.band, decision, open, time)
  } else if (asksForOrder(decision, account.side)) actOnDecision(trader, decision, open, time, stopped)
  else if (account.side !== 0 && time - account.entryTime >= rules.timeExitMs) closePosition(trader, open, 'time', time)
}

/** What happens within the candle after its open; of one that still forms, so far: it may be asked again. */
export function stepWithin(trader: Trader, candles: Candles, i: number): void {
  const { lowerTrigger, upperTrigger } = trader.account
  if (candles.low[i]! <= lowerTrigger || candles.high[i]! >= upperTrigger) exitWithin(trader, candles, i)
}

/** Applies the close of candle `i`. */
export function stepClose(trader: Omit<Trader, 'journal'>, candles: Candles, i: number): void {
  trader.account.lastTs = candles.ts[i]!
  if (trader.rules.tracksCandles) trackCandle(trader, candles, i)
}

/** What a volatility target, a post-only order and a trailing stop take from a candle. */
export function trackCandle(
  { account, rules }: Omit<Trader, 'journal'>,
  { high, low, close }: Candles,
  i: number,
): void {
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

function actOnDecision(trader: Trader, decision: number, open: number, time: number, stopped: boolean): void {
  const { account, rules, journal } = trader
  const enters = decision === DECISION.BUY || (decision === DECISION.SELL && rules.canShort)
  if (account.side !== 0) closePosition(trader, open, enters ? 'reversal' : 'signal', time)
  if (!enters) return
  if (stopped && rules.noSameBarReentry) journal.skip('same_bar_reentry', time)
  else openPosition(trader, decision as Side, open, time)
}

/** The open lies at or beyond a resting order: that order fills there; beyond the liquidation price, the venue acts. */
function exitAtOpen(trader: Trader, open: number, time: number): void {
  const { account, rules } = trader
  const { side } = account
  if (side * (open - account.liquidationPrice) <= 0) liquidatePosition(trader, time)
  else if (side * (open - account.takeProfitPrice) >= 0) closePosition(trader, open, 'take_profit', time)
  else closePosition(trader, open, stopReason(account, rules), time)
}

/**
 * Of the prices that the candle has reached the bad ones count first, in the order in which they lie, unless smaller
 * candles say that the target came before them. A stop so near
 * that the slippage of this candle's own entry has passed it fills at the open.
 */
function exitWithin(trader: Trader, candles: Candles, i: number): void {
  const { account, rules, journal } = trader
  const { side, stopLossPrice: stop, liquidationPrice: liquidation, takeProfitPrice: target } = account
  const time = candles.ts[i]!
  const open = candles.open[i]!
  const worst = side > 0 ? candles.low[i]! : candles.high[i]!
  const isBoth = candles.low[i]! <= account.lowerTrigger && candles.high[i]! >= account.upperTrigger
  const isTarget = isBoth ? isTargetFirst(account, rules.detail, time) : null
  if (isBoth) journal.bothReached?.(time, isTarget !== null)
  if (isTarget !== true && side * (worst - stop) <= 0 && side * (stop - liquidation) > 0)
    closePosition(trader, stopTrigger(stop, side, open), stopReason(account, rules), time)
  else if (isTarget !== true && side * (worst - liquidation) <= 0) liquidatePosition(trader, time)
  else closePosition(trader, target, 'take_profit', time)
}

function noteGap({ account, rules, journal }: Trader, time: number): void {
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
export function settleFunding(trader: Trader, series: FundingSeries, open: number, time: number): void {
  const { account, rules, journal } = trader
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
