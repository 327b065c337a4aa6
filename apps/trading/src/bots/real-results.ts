import { NEVER_ABOVE, NEVER_BELOW } from '@shapecast/engine/models/liquidation'
import { copyPortfolio, isToClose, type Portfolio } from '@shapecast/engine/portfolio'
import { movedBy } from '@shapecast/engine/position'
import type { EndedOrder, RealLedger } from '../exchange/ended-orders.ts'
import type { PairTrade } from './decide-bot.ts'
import { mayRetry } from './hand-wishes.ts'
import { isDust, isSellable, type MoveInput, type PairMarket } from './move-orders.ts'
import { settleRests, type Unfilled } from './real-rests.ts'
import type { RunningBot } from './running-bots.ts'
import type { FuturesState, RealState } from './tables.ts'

/** After a refused closing order the next one is tried so much later. */
export const RETRY_MS = 15_000

/** What ended orders have made of a bot. */
export interface AppliedResults {
  /** As its ledger is now. */
  readonly portfolio: Portfolio
  readonly real: RealState
  readonly trades: readonly PairTrade[]
  /** Orders without a fill. */
  readonly refused: readonly Unfilled[]
}

/** Applies what a bot's orders have become: its portfolio is what its ledger has. The same input gives the same. */
export function applyResults(
  of: Pick<MoveInput, 'ledger' | 'markets' | 'nowMs'> & { state: RunningBot['state'] },
  percents: { takeProfitPct: number; stopLossPct: number },
): AppliedResults {
  const { state, ledger, markets, nowMs } = of
  const step = [...markets.values()][0]!.rules.timeframeMs
  const portfolio = copyPortfolio(state.portfolio)
  const { trades, refused, charged } = applyOrders(portfolio, ledger, step, state.real!.futures?.charged ?? {})
  wishAgain(portfolio, ledger, nowMs)
  const settled = settleRests(state.real!.rests ?? {}, portfolio, ledger, markets, nowMs)
  const known = { ...withoutOld(state.real!, ledger), ...(state.real!.rests && { rests: settled.rests }) }
  mirror(portfolio, ledger, markets, percents, { ...known, closing: state.closing })
  const real = withOwed(withRetry(known, ledger, nowMs), charged, portfolio, trades, nowMs)
  return {
    portfolio,
    real,
    trades,
    refused: [...refused.filter(({ orderId }) => !settled.of.has(orderId)), ...settled.unfilled],
  }
}

/** What a person has asked for and was never placed, as when the process that had to send it was killed, is asked for again. */
function wishAgain({ pairs }: Portfolio, { ended }: RealLedger, nowMs: number): void {
  for (const { symbol, type, wasPlaced } of ended) {
    const pair = pairs.find((each) => each.symbol === symbol)
    if (type !== 'market' || pair?.sentByHand === undefined) continue
    if (!wasPlaced && mayRetry(pair.sentByHand, nowMs)) pair.byHand = pair.sentByHand
    pair.sentByHand = undefined
  }
}

/** Makes the bot's portfolio what its ledger has. Dust, and what a sale has left of too little worth, is nothing held. */
function mirror(
  portfolio: Portfolio,
  ledger: RealLedger,
  markets: ReadonlyMap<string, PairMarket>,
  { takeProfitPct, stopLossPct }: { takeProfitPct: number; stopLossPct: number },
  { futures, closing }: RealState & { closing: boolean },
): void {
  portfolio.balance = ledger.balance
  for (const pair of portfolio.pairs) {
    const { account } = pair
    const { quantity = 0, cost = 0 } = ledger.held.get(pair.symbol) ?? {}
    const { rules, price } = markets.get(pair.symbol)!
    account.balance = ledger.balance
    const isFutures = futures !== undefined
    const last = ledger.ended.findLast(({ symbol, filled }) => symbol === pair.symbol && filled > 0)
    // A purchase that its fee, or the price, made too small to be sold is held all the same: it is not bought twice.
    const wasHeld = last === undefined ? account.side !== 0 : !last.closes
    const isLeaving = closing || isToClose(pair)
    const isTooSmall = !isSellable(quantity, price ?? pair.lastPrice, rules) && (isLeaving || !wasHeld)
    // A position can be closed whatever it is worth.
    if (isFutures ? quantity === 0 : isTooSmall || isDust(quantity, rules)) {
      Object.assign(account, { side: 0, size: 0, margin: 0, entryFee: 0, positionFunding: 0 })
      pair.toClose = undefined
      continue
    }
    const side = quantity > 0 ? 1 : -1
    account.side = side
    account.size = quantity
    account.entryPrice = cost / Math.abs(quantity)
    account.entryRawPrice = account.entryPrice
    account.margin = cost / rules.leverage
    const { funding = 0 } = ledger.charges.get(pair.symbol) ?? {}
    account.positionFunding = funding - (futures?.charged[pair.symbol]?.funding ?? 0)
    // They are shown; that they act is the exchange's, or the watch's.
    account.takeProfitPrice = movedBy(account.entryPrice, side, takeProfitPct)
    account.stopLossPrice = movedBy(account.entryPrice, -side, stopLossPct)
    account.lowerTrigger = NEVER_BELOW
    account.upperTrigger = NEVER_ABOVE
    account.liquidationPrice =
      futures?.liquidation[pair.symbol] ??
      rules.liquidation.price(account.entryPrice, side, account.margin / Math.abs(quantity))
  }
}

/** What ended orders have come to: trades, and orders that came to nothing. Entries are noted in the portfolio. */
function applyOrders(
  portfolio: Portfolio,
  { ended, held, charges }: RealLedger,
  step: number,
  before: FuturesState['charged'],
): { trades: PairTrade[]; refused: Unfilled[]; charged: FuturesState['charged'] } {
  const trades: PairTrade[] = []
  const refused: Unfilled[] = []
  const charged = { ...before }
  // What was held before these orders tells an entry from an addition.
  const sizes = new Map(portfolio.pairs.map(({ symbol }) => [symbol, held.get(symbol)?.quantity ?? 0]))
  const signed = ({ side, filled }: EndedOrder) => (side === 'buy' ? filled : -filled)
  for (const order of ended) sizes.set(order.symbol, (sizes.get(order.symbol) ?? 0) - signed(order))
  for (const order of ended) {
    const { symbol, side, closes, filled, average, fee, pnl, exitReason, atMs } = order
    const account = portfolio.pairs.find((pair) => pair.symbol === symbol)?.account
    if (filled === 0) refused.push({ orderId: order.id, reason: `No order: ${order.reason}` })
    if (filled === 0 || account === undefined) continue
    const size = Math.abs(sizes.get(symbol)!)
    sizes.set(symbol, sizes.get(symbol)! + signed(order))
    const time = Math.floor(atMs / step) * step
    if (!closes) {
      // What a fee in coins took, or dust, is no position.
      if (size < 0.01 * filled) Object.assign(account, { entryTime: time, entryFee: 0 })
      account.entryFee += fee
      continue
    }
    const part = Math.min(1, filled / Math.max(size, filled))
    const entryFee = account.entryFee * part
    account.entryFee -= entryFee
    // What the exchange has booked beside trades since the last one belongs to this one.
    const { funding: allFunding = 0, fees: allFees = 0 } = charges.get(symbol) ?? {}
    const { funding: oldFunding = 0, fees: oldFees = 0 } = charged[symbol] ?? {}
    const funding = (allFunding - oldFunding) * part
    const kept = (allFees - oldFees) * part
    charged[symbol] = { funding: oldFunding + funding, fees: oldFees + kept }
    const fees = entryFee + fee + kept
    const isLong = side === 'sell'
    trades.push({
      symbol,
      side: isLong ? 'long' : 'short',
      entryTime: account.entryTime,
      exitTime: time,
      entryPrice: isLong ? average - pnl / filled : average + pnl / filled,
      exitPrice: average,
      quantity: filled,
      grossPnL: pnl,
      slippageCost: 0,
      fees,
      funding,
      netPnL: pnl - fees + funding,
      exitReason: exitReason ?? 'signal',
    })
  }
  return { trades, refused, charged }
}

const withRetry = (real: RealState, { ended }: RealLedger, nowMs: number): RealState =>
  ended.some(({ closes, type, filled }) => closes && type === 'market' && filled === 0)
    ? { ...real, retryAtMs: nowMs + RETRY_MS }
    : real

/** Liquidation prices of positions that have changed since the exchange told them are known no more. */
function withoutOld(real: RealState, { ended }: RealLedger): RealState {
  const { futures } = real
  const changed = new Set(ended.flatMap(({ symbol, filled }) => (filled > 0 ? [symbol] : [])))
  if (futures === undefined || changed.size === 0) return real
  const kept = Object.entries(futures.liquidation).filter(([symbol]) => !changed.has(symbol))
  return { ...real, futures: { ...futures, liquidation: Object.fromEntries(kept) } }
}

/** Funding of a position is told for so long after it was closed. */
const PAID_AFTER_MS = 2 * 60_000

/** What was charged, and until when it has to be asked what the exchange has booked of what is held, or was just closed. */
function withOwed(
  real: RealState,
  charged: FuturesState['charged'],
  { pairs }: Portfolio,
  trades: readonly PairTrade[],
  nowMs: number,
): RealState {
  const { futures } = real
  if (futures === undefined) return real
  const flat = pairs.every(({ account }) => account.side === 0)
  const owedMs = trades.length > 0 && flat ? nowMs + PAID_AFTER_MS : futures.owedMs
  return { ...real, futures: { ...futures, charged, owedMs } }
}
