import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import type { TradeExit } from '@shapecast/engine/journal'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { planOf } from '@shapecast/engine/policies/plan'
import { isToClose, type PairAccount, type Portfolio } from '@shapecast/engine/portfolio'
import { isOpen, nothingDone, throughCandles } from './advance-bot.ts'
import { statusBy } from './bot-status.ts'
import { type Decision, decideOrders, tryRebalance, undecide } from './decide-bot.ts'
import { CLOSED_BY_HAND, leftBecause } from './decision-words.ts'
import { dropWishes, leftAlone } from './hand-wishes.ts'
import { dayLossOf, dayOf, drawdownReached, haltedBy } from './loss-limits.ts'
import {
  blockedBy,
  freeCash,
  isLate,
  isSellable,
  LATE_MS,
  type MoveInput,
  type MoveOrder,
  orderOf,
  refusalOf,
} from './move-orders.ts'
import { moveRests, type Rests, restingOrder, restOf, type Unfilled } from './real-rests.ts'
import { applyResults } from './real-results.ts'
import type { BotChange, HandChange } from './runtime-store.ts'
import type { BotRow, FilledOrder, RealRest, RealState } from './tables.ts'

export interface RealMove {
  readonly change: BotChange
  readonly real: RealState
  readonly orders: readonly MoveOrder[]
  /** Orders that have been applied. */
  readonly settled: readonly string[]
  /** Those of them with a fill: base, below 0 sold, at its average price, and the candle in which it was filled. */
  readonly filled: readonly FilledOrder[]
  /** Orders without a fill that their decisions asked for. */
  readonly refused: readonly Unfilled[]
  /** Orders that rest no longer. */
  readonly endRests: readonly string[]
  /** Whether there is anything to write down. */
  readonly isNews: boolean
}

/**
 * One move of a bot with real money: applies what its orders have become, decides what has closed, and looks at prices
 * for what cannot wait for a close. Nothing is filled here: what it wants is `orders`, and its portfolio is what its ledger
 * say. The same input gives the same move.
 */
export function moveReal(input: MoveInput): RealMove {
  const { running, ledger, markets, round, nowMs } = input
  const { bot, state } = running
  const plan = planOf(bot)
  const step = [...markets.values()][0]!.rules.timeframeMs
  const applied = applyResults({ state, ledger, markets, nowMs }, plan.settings)
  const before = { ...running, state: { ...state, portfolio: applied.portfolio } }
  let { real } = applied

  const limits = realBotLimitsOf(bot.parameters)
  const rests: Record<string, RealRest> = { ...real.rests }
  const orders: MoveOrder[] = []
  const through =
    round === null
      ? null
      : throughCandles(before, round, nowMs, (settings, portfolio, closed) => {
          const decided = decideOrders(settings, portfolio, closed)
          const lateMs = nowMs - closed.ts - step
          const decisions = decided.decisions.map((decision) => {
            const wanted = decided.wanted.filter(({ symbol }) => symbol === decision.symbol)
            // What a person closes, that order closes alone.
            const isClosed = portfolio.pairs.some((pair) => pair.symbol === decision.symbol && isToClose(pair))
            if (isClosed && wanted.length > 0) return notOrdered(decision, CLOSED_BY_HAND)
            if (decision.target !== null && !ledger.busy.has(decision.symbol)) delete rests[decision.symbol]
            for (const [k, asked] of wanted.entries()) {
              const at = { ...input, orders, lateMs, step }
              const cash = freeCash(decided.portfolio, ledger, orders)
              const rested = restOf(asked, markets.get(asked.symbol)!, { closeMs: closed.ts + step, nowMs, cash })
              const fill = rested?.fill ?? asked
              const refusal = refusalOf(fill, decided.portfolio, at, limits)
              if (refusal !== null && (isLate(fill, at) || ledger.busy.size > 0))
                undecide(decided.portfolio, portfolio, fill.symbol)
              if (refusal !== null) return k === 0 ? notOrdered(decision, refusal) : onlyClosed(decision, refusal)
              const order = orderOf(fill, `decision ${k}`, closed.ts, bot)
              orders.push(rested === null ? order : restingOrder(order, rested.rest, nowMs))
              if (rested !== null) rests[fill.symbol] = rested.rest
            }
            return decision
          })
          return { ...decided, decisions }
        })
  const moved = through ?? nothingDone(before)
  const { portfolio, revision } = moved
  const equity = equityAt(portfolio, markets)
  if (equity !== null) real = { ...real, day: dayOf(real.day, equity, nowMs) }
  const watched = watch(bot, portfolio, {
    equity,
    real,
    haltRatio: [...markets.values()][0]!.rules.haltRatio,
    nowMs,
  })
  const status =
    watched ?? moved.status ?? pausedBy(ledger.refusedLeg, bot) ?? endOf(bot, state, { portfolio, ledger, markets })
  orders.push(
    ...closings({ ...bot, status: status?.to ?? bot.status }, portfolio, {
      ledger,
      markets,
      real,
      closing: state.closing,
      orders,
      nowMs,
      revision,
      isDeciding: bot.status !== 'stopped' && isDeciding(moved.decidedTs, step, nowMs),
    }),
  )
  const now = { ...input, running: { ...running, bot: { ...bot, status: status?.to ?? bot.status } } }
  real = withRests(real, rests)
  const resting = moveRests(now, portfolio, { real, others: orders, revision })
  real = withRests(real, resting.rests)
  orders.push(...resting.orders)
  const byHand = rebalancing(now, { ...moved, portfolio }, real, orders)
  orders.push(...byHand.orders)

  const closing = state.closing && (isOpen(portfolio) || ledger.busy.size > 0)
  const rest = { portfolio: byHand.portfolio, byHand: byHand.left }
  const change: BotChange = { ...moved, ...rest, closing, trades: applied.trades, watches: [], status }
  return {
    change,
    real,
    orders,
    settled: ledger.ended.map(({ id }) => id),
    filled: ledger.ended.flatMap(({ id: orderId, side, filled, average: filledPrice, atMs }) => {
      const quantity = side === 'buy' ? filled : -filled
      return filled === 0 ? [] : { orderId, quantity, filledPrice, candleTs: Math.floor(atMs / step) * step }
    }),
    refused: [...applied.refused, ...resting.unfilled],
    endRests: resting.ended,
    isNews:
      through !== null ||
      status !== null ||
      orders.length > 0 ||
      resting.ended.length > 0 ||
      ledger.ended.length > 0 ||
      closing !== state.closing ||
      JSON.stringify(real) !== JSON.stringify(state.real) ||
      JSON.stringify(byHand.portfolio) !== JSON.stringify(state.portfolio),
  }
}

/** A bot that never rests anything keeps nothing of it. */
const withRests = (real: RealState, rests: Rests): RealState =>
  real.rests === undefined && Object.keys(rests).length === 0 ? real : { ...real, rests }

/** Equity at the prices of now; null where one of what is held is not known. */
function equityAt({ balance, pairs }: Portfolio, markets: MoveInput['markets']): number | null {
  let equity = balance
  for (const { symbol, account } of pairs) {
    if (account.side === 0) continue
    const { price } = markets.get(symbol)!
    if (price === null) return null
    equity += account.size * (price - account.entryPrice)
  }
  return equity
}

/** Halts where a limit on losses is reached at the prices of now; null where none is. */
function watch(
  bot: BotRow,
  portfolio: Portfolio,
  at: { equity: number | null; real: RealState; haltRatio: number; nowMs: number },
): BotChange['status'] {
  const { equity, real, haltRatio, nowMs } = at
  const trades = bot.status === 'active' || (bot.status === 'paused' && isOpen(portfolio))
  if (!trades || equity === null || portfolio.haltedAt >= 0) return null
  const why = equity <= portfolio.peak * haltRatio ? drawdownReached(bot) : dayLossOf(bot, real.day, equity)
  if (why === null) return null
  portfolio.haltedAt = nowMs
  return haltedBy(why)
}

/** What is said of a stopped bot once it holds nothing any more: what was too little to be sold, or nothing. */
function endOf(
  { status, statusReason, marketType }: BotRow,
  { portfolio: before, closing }: MoveInput['running']['state'],
  now: Pick<MoveInput, 'ledger' | 'markets'> & { portfolio: Portfolio },
): BotChange['status'] {
  const { portfolio, ledger, markets } = now
  if (status !== 'stopped' || isOpen(portfolio) || ledger.busy.size > 0) return null
  const left = [...ledger.held].flatMap(([symbol, { quantity }]) => {
    const { rules, price } = markets.get(symbol)!
    const lots = floorToLot(quantity, rules.lotSize)
    return marketType === 'spot' && lots > 0 && price !== null
      ? `${Number(lots.toFixed(8))} ${symbol}, worth ${(lots * price).toFixed(2)} USDT: too little for an order, which takes ${rules.minNotional}.`
      : []
  })
  if (closing && left.length > 0) return statusBy('emptied', `It could not sell ${left.join(' and ')}`)
  // What it kept is gone.
  return isOpen(before) && statusReason !== null ? statusBy('emptied') : null
}

/** Opens nothing more where the exchange takes no stop or take profit over what is held. */
const pausedBy = (refusedLeg: string | null, { status }: BotRow): BotChange['status'] =>
  refusedLeg === null || status !== 'active'
    ? null
    : statusBy(
        'halt',
        `A stop-loss or take profit of what it holds does not stand. ${refusedLeg} It is tried again, and Shapecast sells once the price has passed it; nothing new is opened until the bot is started again.`,
      )

/**
 * Orders that bring pairs to the targets that a person asked for: sales first, and purchases once these are settled. They
 * wait while anything else is wanted or under way. A pair of which an order is wanted, or none is needed, is not asked for any more.
 */
function rebalancing(
  input: MoveInput,
  { portfolio: before, revision }: Pick<BotChange, 'portfolio' | 'revision'>,
  real: RealState,
  others: readonly MoveOrder[],
): { portfolio: Portfolio; orders: MoveOrder[]; left: HandChange[] } {
  const { running, ledger, markets, nowMs } = input
  const { bot, state } = running
  const rules = before.pairs.map(({ symbol }) => markets.get(symbol)!.rules)
  const step = rules[0]!.timeframeMs
  const candleTs = Math.floor(nowMs / step) * step
  const { portfolio, dropped: left } = dropWishes({ ...running, state: { ...state, portfolio: before } }, candleTs)
  const orders: MoveOrder[] = []
  const isBusy =
    blockedBy(ledger) !== undefined || portfolio.pairs.some((pair) => pair.byHand && ledger.busy.has(pair.symbol))
  const waits = nowMs < real.retryAtMs || isBusy || others.length > 0 || portfolio.pairs.some(isToClose)
  if (waits || portfolio.pairs.every(({ byHand }) => byHand === undefined)) return { portfolio, orders, left }
  const prices = portfolio.pairs.map(({ symbol }) => markets.get(symbol)!.price)
  const { fills, skipped } = tryRebalance(rules, portfolio, prices, candleTs)
  const sales = fills.filter(({ kind }) => kind === 'exit')
  const pairs = portfolio.pairs.map((pair, k) => {
    const { symbol, byHand } = pair
    if (byHand === undefined || prices[k] === null) return pair
    const of = { symbol, candleTs, askedMs: byHand.askedMs }
    const done = { ...pair, byHand: undefined }
    const fill = fills.find((each) => each.symbol === symbol)
    const skip = skipped.find((each) => each.symbol === symbol)
    if (skip !== undefined) left.push(leftAlone(of, leftBecause(skip.reason)))
    if (fill === undefined) return done
    if (sales.length > 0 && fill.kind === 'entry') return pair
    const isDue = { ...input, orders, lateMs: 0, step }
    const isTooLittle = fill.kind === 'exit' && !isSellable(fill.quantity, fill.price, rules[k]!)
    const why = isTooLittle
      ? 'it holds too little to be sold.'
      : refusalOf(fill, portfolio, isDue, realBotLimitsOf(bot.parameters))
    if (why !== null) {
      left.push(leftAlone(of, `No order: ${why}`))
      return done
    }
    orders.push({
      ...orderOf(fill, 'rebalanced_by_hand', revision, bot),
      decided: false,
      byHand: { ...byHand, candleTs },
    })
    return { ...done, sentByHand: byHand }
  })
  return { portfolio: { ...portfolio, pairs }, orders, left }
}

/** Orders that close what is held and do not wait for a decision. */
function closings(
  bot: BotRow,
  { pairs, haltedAt }: Portfolio,
  at: Pick<MoveInput, 'ledger' | 'markets' | 'nowMs'> & {
    real: RealState
    closing: boolean
    orders: readonly MoveOrder[]
    revision: number
    isDeciding: boolean
  },
): MoveOrder[] {
  const { ledger, markets, real, closing, orders, nowMs, revision, isDeciding } = at
  if (nowMs < real.retryAtMs || bot.status === 'error') return []
  return pairs.flatMap((pair: PairAccount): MoveOrder[] => {
    const { symbol, account } = pair
    const { price, rules } = markets.get(symbol)!
    if (account.side === 0 || price === null || ledger.busy.has(symbol)) return []
    if (bot.marketType === 'spot' && !isSellable(account.size, price, rules)) return []
    if (orders.some((order) => order.symbol === symbol)) return []
    const isWatched = !ledger.targets.has(symbol)
    // What a decision of this moment wants of the pair is taken back first.
    const isByHand = isToClose(pair) && !isDeciding
    const exitReason = closingReason(bot, { haltedAt, closing, isByHand }, price, { ...account, isWatched })
    if (exitReason === null) return []
    const side = account.side > 0 ? 'sell' : 'buy'
    const order = { symbol, side, closes: true, leg: exitReason, at: revision, exitReason } as const
    const none = { stopPrice: null, stopPct: null, targetPct: null }
    return [{ ...order, ...none, quantity: Math.abs(account.size), price, decided: false }]
  })
}

function closingReason(
  { status }: BotRow,
  { haltedAt, closing, isByHand }: { haltedAt: number; closing: boolean; isByHand: boolean },
  price: number,
  { side, takeProfitPrice, isWatched }: PairAccount['account'] & { isWatched: boolean },
): TradeExit | null {
  if (status === 'stopped' && closing) return 'stopped'
  if (isByHand) return 'closed_by_hand'
  if (status === 'stopped') return null
  if (haltedAt >= 0) return 'max_drawdown'
  if (!isWatched) return null
  return (side > 0 ? price >= takeProfitPrice : price <= takeProfitPrice) ? 'take_profit' : null
}

/** Whether a candle has just closed, which the bot is about to decide. */
const isDeciding = (decidedTs: number, step: number, nowMs: number): boolean => {
  const lateMs = nowMs - decidedTs - 2 * step
  return lateMs >= 0 && lateMs <= LATE_MS
}

/** A decision whose order is not sent. */
export const notOrdered = <D extends Decision>(decision: D, why: string): D => ({
  ...decision,
  rule: 'order_skipped',
  action: 'no_order',
  reason: `No order: ${why}`,
})

/** A decision that reverses a position; only its closing is sent. */
export const onlyClosed = <D extends Decision>(decision: D, why: string): D => ({
  ...decision,
  action: 'closed',
  reason: `${decision.reason} Nothing was opened: ${why}`,
})
