import { AppError } from '@shapecast/contracts/errors'
import { type Account, createAccount } from './account.ts'
import { type Candles, candlesFromRows } from './candles.ts'
import { DECISION } from './decisions.ts'
import type { Journal, TradeExit } from './journal.ts'
import { closePosition, enter } from './position.ts'
import { fillResting } from './post-only.ts'
import { heldShare, moveToTarget } from './rebalance.ts'
import type { Rules, Trader } from './rules.ts'
import { settleFunding, stepClose, stepOpen, stepWithin, watchDrawdown } from './step.ts'

/** What a person has asked a pair to be brought to, whatever its band: a share of the equity; and when, ms. */
export interface HandTarget {
  readonly target: number
  readonly askedMs: number
}

/** One pair of a bot: its position, as the engine's account has it. */
export interface PairAccount {
  readonly symbol: string
  readonly account: Account
  /** What the last decision asks for at the next open: a code of DECISION or a share of the equity; null for nothing. */
  pending: number | null
  /** Open time of the candle whose open has been acted on; −1 before the first. */
  openedTs: number
  /** The last price seen, quote per base; 0 before the first. */
  lastPrice: number
  /** Entry time of the position that a person has told to close, at the next price; left out of any other. */
  toClose?: number | undefined
  /** Until it has been brought there, at the next price; left out of any other. */
  byHand?: HandTarget | undefined
  /** The same while an order of it is at an exchange. */
  sentByHand?: HandTarget | undefined
  /** Open time of the candle within which it was: of its range nobody knows what came before that, so that its last price alone counts. */
  movedTs?: number
  /** Day (as `closingDay`) of the last target; −1 before the first. Left out where it was written down before this was. */
  decidedDay?: number
}

/** Several pairs on one balance. Plain finite numbers only, so that it survives JSON. Amounts in quote. */
export interface Portfolio {
  /** Money without the profit or loss of open positions. */
  balance: number
  /** At the last close, open positions marked there. */
  equity: number
  /** Highest equity at a close so far. */
  peak: number
  /** Open time of the candle at whose close the drawdown limit was reached; −1 before that. */
  haltedAt: number
  readonly pairs: PairAccount[]
}

/** A candle of a pair: one that has closed, or as it stands while it forms. */
export interface Bar {
  readonly candles: Candles
  readonly i: number
}

type Bars = readonly (Bar | null)[]

/** A portfolio with the rules of each of its pairs, and where each writes what happens. */
export interface Desk {
  readonly portfolio: Portfolio
  readonly rules: readonly Rules[]
  readonly journals: readonly Journal[]
}

/** A portfolio of `initialBalance` quote that has seen no candle. */
export const createPortfolio = (initialBalance: number, symbols: readonly string[]): Portfolio => ({
  balance: initialBalance,
  equity: initialBalance,
  peak: initialBalance,
  haltedAt: -1,
  pairs: symbols.map((symbol) => ({
    symbol,
    account: createAccount(initialBalance),
    pending: null,
    openedTs: -1,
    lastPrice: 0,
    decidedDay: -1,
  })),
})

export const copyPortfolio = (portfolio: Portfolio): Portfolio => ({
  ...portfolio,
  pairs: portfolio.pairs.map((pair) => ({ ...pair, account: { ...pair.account } })),
})

/** Equity with open positions at the last prices. */
export const portfolioEquity = ({ balance, pairs }: Portfolio): number =>
  balance + pairs.reduce((sum, { account, lastPrice }) => sum + account.size * (lastPrice - account.entryPrice), 0)

/** What is held at the last prices as a share of the equity, below 0 short; null where no equity is left. */
export function portfolioShare(portfolio: Portfolio): number | null {
  const equity = portfolioEquity(portfolio)
  const worth = portfolio.pairs.reduce((sum, { account, lastPrice }) => sum + account.size * lastPrice, 0)
  return equity > 0 ? worth / equity : null
}

/**
 * Moves one candle forward that opened at `time`: `bars` are those of each pair, null where a pair has no candle then. For
 * one pair the same, to the bit, as `step`. Pairs act in their order: what one has bought with, the next one cannot. Those
 * that are `gone` are sold at their last price. Returns the equity at the close.
 */
export function stepPortfolio(desk: Desk, bars: Bars, time: number, gone: readonly boolean[] | null = null): number {
  openBars(desk, bars)
  moveWithin(desk, bars)
  fillRests(desk, bars)
  sellGone(desk, gone, time)
  return closeBars(desk, bars, time)
}

/** Acts on what was decided, at the opens of the bars whose open has not been acted on. */
export function openBars(desk: Desk, bars: Bars): void {
  const opening = barsOf(desk, bars).filter(({ pair, bar }) => pair.openedTs < bar.candles.ts[bar.i]!)
  for (const { pair, bar } of opening) pair.lastPrice = bar.candles.open[bar.i]!
  for (const { pair, bar, k } of opening) {
    const nothing = desk.rules[k]!.targets === null ? DECISION.HOLD : Number.NaN
    onShared(desk, k, (trader) => stepOpen(trader, bar.candles, bar.i, pair.pending ?? nothing))
    pair.pending = null
    pair.openedTs = bar.candles.ts[bar.i]!
  }
}

/** Fills stops, targets and liquidations that the bars reach; of bars that still form, so far: it may be asked again. */
export function moveWithin(desk: Desk, bars: Bars): void {
  for (const { pair, bar, k } of barsOf(desk, bars)) {
    if (pair.openedTs !== bar.candles.ts[bar.i]) continue
    const { candles, i } = pair.movedTs === pair.openedTs ? lastOf(bar) : bar
    onShared(desk, k, (trader) => stepWithin(trader, candles, i))
    pair.lastPrice = bar.candles.close[bar.i]!
  }
}

/** Fills what rests at its limit by the whole range of bars that have closed: known at their close, the same live as in a backtest. */
export function fillRests(desk: Desk, bars: Bars): void {
  for (const { pair, bar, k } of barsOf(desk, bars))
    if (pair.account.resting !== undefined) onShared(desk, k, (trader) => fillResting(trader, bar.candles, bar.i))
}

/** Applies the closes, and halts if the equity is a drawdown limit below its peak. Returns the equity. */
export function closeBars(desk: Desk, bars: Bars, time: number): number {
  const { portfolio, rules } = desk
  for (const { pair, bar, k } of barsOf(desk, bars)) {
    stepClose({ account: pair.account, rules: rules[k]! }, bar.candles, bar.i)
    pair.lastPrice = bar.candles.close[bar.i]!
  }
  return watchDrawdown(portfolio, rules[0]!, portfolioEquity(portfolio), time)
}

/**
 * By pair, whether what is held of it is to be sold at its last price at a close (ms): it is not among those held, and no candle
 * of it has closed for a day. Asked at midnight (UTC) alone; null at any other close.
 */
export type GoneAt = (closeMs: number) => readonly boolean[] | null

/** Sells at its last price what is held of pairs that have left a bot's universe and have no candle any more. */
export function sellGone(desk: Desk, gone: readonly boolean[] | null, time: number): void {
  const { portfolio } = desk
  if (gone === null || portfolio.haltedAt >= 0) return
  const prices = portfolio.pairs.map(({ account, lastPrice }, k) => (gone[k] && account.side !== 0 ? lastPrice : null))
  closePairs(desk, prices, { reason: 'no_candles', time })
}

/** Charges the funding that is due at the opens of bars whose open has not been acted on, and nothing else. */
export function settleBars(desk: Desk, bars: Bars): void {
  for (const { pair, bar, k } of barsOf(desk, bars)) {
    const { funding } = desk.rules[k]!
    const [time, open] = [bar.candles.ts[bar.i]!, bar.candles.open[bar.i]!]
    if (funding === null || pair.openedTs >= time) continue
    onShared(desk, k, (trader) => settleFunding(trader, funding, open, time))
  }
}

/** Takes back what was decided and is not done yet. */
export function takeBackOrders({ pairs }: Portfolio): void {
  for (const pair of pairs) {
    pair.pending = null
    pair.byHand = undefined
    pair.account.resting = undefined
  }
}

/** Whether a person has told to close what the pair holds. */
export const isToClose = ({ account, toClose }: Pick<PairAccount, 'account' | 'toClose'>): boolean =>
  account.side !== 0 && account.entryTime === toClose

/** Closes what is open of the pairs at their prices, null for a pair that goes on; what its decision asked for is taken back. */
export function closePairs(
  desk: Desk,
  prices: readonly (number | null)[],
  at: { reason: TradeExit; time: number },
): void {
  for (const [k, pair] of desk.portfolio.pairs.entries()) {
    const price = prices[k] ?? null
    if (price === null) continue
    pair.pending = null
    pair.toClose = undefined
    pair.account.resting = undefined
    pair.byHand = undefined
    if (pair.account.side === 0) continue
    pair.lastPrice = price
    onShared(desk, k, (trader) => closePosition(trader, price, at.reason, at.time))
  }
}

/**
 * Brings the pairs that a person has asked for to their targets, whatever the band: sales first, then purchases in the order
 * of the pairs, each capped at the cash that is left. A pair whose price is null waits.
 */
export function rebalancePairs(desk: Desk, prices: readonly (number | null)[], time: number): void {
  const asked = desk.portfolio.pairs.flatMap((pair, k) => {
    const price = prices[k] ?? null
    return pair.byHand === undefined || price === null ? [] : [{ pair, k, price, ...pair.byHand }]
  })
  for (const { pair, price } of asked) pair.lastPrice = price
  const isSale = asked.map(({ k, price, target }) =>
    onShared(desk, k, ({ account }) => target < heldShare(account, price)),
  )
  for (const sells of [true, false])
    for (const [n, { pair, k, price, target }] of asked.entries()) {
      if (isSale[n] !== sells) continue
      const { size } = pair.account
      onShared(desk, k, (trader) => moveToTarget(trader, 0, target, price, time, 'rebalanced_by_hand'))
      pair.byHand = undefined
      if (pair.account.size !== size) tookOver(pair, time)
    }
}

/** What a person had a pair do within the candle of `time` takes the place of what rests. */
function tookOver(pair: PairAccount, time: number): void {
  pair.movedTs = time
  pair.account.resting = undefined
}

/** Does again what a person did, at what it was filled at. */
function actByHand(desk: Desk, { symbol, price, quantity, closedBy }: HandAct, time: number): void {
  const { portfolio } = desk
  const rules = desk.rules.map((each) => ({ ...each, fills: { ...each.fills, exit: (at: number) => at } }))
  const filled = { ...desk, rules }
  const k = portfolio.pairs.findIndex((pair) => pair.symbol === symbol)
  const pair = portfolio.pairs[k]!
  if (quantity === null) {
    if (closedBy !== undefined && closedBy.entryTime !== pair.account.entryTime) return
    const prices = portfolio.pairs.map((each) => (each === pair ? price : null))
    closePairs(filled, prices, { reason: closedBy?.reason ?? 'closed_by_hand', time })
    return
  }
  pair.lastPrice = price
  tookOver(pair, time)
  onShared(filled, k, (trader) => {
    const { side, size } = trader.account
    if (quantity > 0) enter(trader, 1, { rawPrice: price, price, wanted: quantity, carried: quantity, time })
    else if (side > 0) closePosition(trader, price, 'rebalanced_by_hand', time, Math.min(-quantity, size))
  })
}

/** A bar of which its last price alone is known. */
const lastOf = ({ candles, i }: Bar): Bar => {
  const price = candles.close[i]!
  return { candles: candlesFromRows([[candles.ts[i]!, price, price, price, price, 0]]), i: 0 }
}

const barsOf = ({ portfolio }: Pick<Desk, 'portfolio'>, bars: Bars) =>
  portfolio.pairs.flatMap((pair, k) => {
    const bar = bars[k] ?? null
    return bar === null ? [] : [{ pair, bar, k }]
  })

/** Lets a pair's account work on the balance that all pairs share. */
function onShared<T>({ portfolio, rules, journals }: Desk, k: number, work: (trader: Trader) => T): T {
  const { account } = portfolio.pairs[k]!
  let bound = 0
  let profit = 0
  for (const other of portfolio.pairs) {
    if (other.account === account || other.account.side === 0) continue
    bound += other.account.margin
    profit += other.account.size * (other.lastPrice - other.account.entryPrice)
  }
  account.balance = portfolio.balance
  account.haltedAt = portfolio.haltedAt
  account.boundElsewhere = bound
  account.profitElsewhere = profit
  const done = work({ account, rules: rules[k]!, journal: journals[k]! })
  portfolio.balance = account.balance
  return done
}

/** What a person did with a pair within a candle. */
export interface HandAct {
  readonly symbol: string
  /** At which it was filled, quote per base. */
  readonly price: number
  /** Base that was bought, below 0 sold, to rebalance it; null where all of it was closed. */
  readonly quantity: number | null
  /** What closed the position that was entered then (ms) in the same candle, where no person did: its range does not tell what came first. */
  readonly closedBy?: { readonly reason: TradeExit; readonly entryTime: number }
  /** What had been decided at the close before was taken back. */
  readonly takesBack: boolean
}

/** One pair of a run: decisions (codes or shares, NaN for none) at the close of each of its candles. */
export interface PairRun {
  readonly candles: Candles
  readonly decisions: Int8Array | Float64Array
  readonly rules: Rules
  readonly journal: Journal
}

/**
 * Folds `stepPortfolio` over the candles of several pairs, in the order of their times. Returns the portfolio after the
 * last one; `onEquity` hears the equity of each time, and `acts` is what people did, by the open time of its candle (ms) and
 * in its order; `goneAt` is a universe's. Throws `bad_input` for columns of different lengths.
 */
export function runPortfolio(
  initialBalance: number,
  runs: ReadonlyMap<string, PairRun>,
  onEquity: (equity: number) => void = () => {},
  acts: ReadonlyMap<number, readonly HandAct[]> = new Map(),
  goneAt: GoneAt = () => null,
): Portfolio {
  const pairs = [...runs.values()]
  for (const { candles, decisions } of pairs)
    if (candles.length !== decisions.length)
      throw new AppError('bad_input', `There are ${decisions.length} decisions for ${candles.length} candles.`)
  const portfolio = createPortfolio(initialBalance, [...runs.keys()])
  const desk = { portfolio, rules: pairs.map((run) => run.rules), journals: pairs.map((run) => run.journal) }
  const next = pairs.map(() => 0)
  for (;;) {
    const time = Math.min(...pairs.map(({ candles }, k) => candles.ts[next[k]!] ?? Number.POSITIVE_INFINITY))
    if (time === Number.POSITIVE_INFINITY) return portfolio
    const bars = pairs.map(({ candles }, k) => (candles.ts[next[k]!] === time ? { candles, i: next[k]! } : null))
    const done = acts.get(time) ?? []
    for (const { symbol, takesBack } of done)
      if (takesBack) for (const pair of portfolio.pairs) if (pair.symbol === symbol) pair.pending = null
    openBars(desk, bars)
    for (const act of done) actByHand(desk, act, time)
    moveWithin(desk, bars)
    fillRests(desk, bars)
    sellGone(desk, goneAt(time + desk.rules[0]!.timeframeMs), time)
    onEquity(closeBars(desk, bars, time))
    for (const [k, bar] of bars.entries()) {
      if (bar === null) continue
      const decision = pairs[k]!.decisions[bar.i]!
      portfolio.pairs[k]!.pending = Number.isNaN(decision) ? null : decision
      next[k]!++
    }
  }
}
