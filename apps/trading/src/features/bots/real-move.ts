import { type RealBotLimits, realBotLimitsOf } from '@shapecast/contracts/real-bots'
import type { TradeExit } from '@shapecast/engine/journal'
import { NEVER_ABOVE, NEVER_BELOW } from '@shapecast/engine/models/liquidation'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { planOf } from '@shapecast/engine/plan'
import { copyPortfolio, type PairAccount, type Portfolio } from '@shapecast/engine/portfolio'
import type { Rules } from '@shapecast/engine/rules'
import { throughCandles } from './advance-bot.ts'
import { type Decision, decideOrders, type PairFill, type PairTrade } from './decide-bot.ts'
import type { DecisionRound } from './decision-round.ts'
import type { BotChange, RunningBot } from './runtime-store.ts'
import type { BotRow, FuturesState, RealState } from './tables.ts'

/** What the books say of a bot with real money. Amounts in quote, quantities in base. */
export interface RealBooks {
  readonly balance: number
  /** The quantity of a short is negative. */
  readonly held: ReadonlyMap<string, { readonly quantity: number; readonly cost: number }>
  /** By symbol, all that was ever booked beside trades: funding (positive was received) and what liquidations cost. */
  readonly charges: ReadonlyMap<string, { readonly funding: number; readonly fees: number }>
  /** Symbols with an order of which something may still become, stop-losses aside. */
  readonly busy: ReadonlySet<string>
  readonly ended: readonly EndedOrder[]
}

/** An order that has ended and that the bot has not taken in. */
export interface EndedOrder {
  readonly id: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  /** Whether it made what is held smaller. */
  readonly closes: boolean
  readonly type: 'market' | 'limit' | 'stop'
  readonly filled: number
  readonly average: number
  readonly fee: number
  readonly pnl: number
  readonly exitReason: TradeExit | null
  readonly reason: string | null
  readonly atMs: number
}

/** An order that a bot wants; the same symbol, leg and `at` are the same order. */
export interface BotOrder {
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  /** Whether it makes what is held smaller. */
  readonly closes: boolean
  readonly quantity: number
  readonly leg: string
  /** Of a decision its candle, else how often the bot was written down. */
  readonly at: number
  readonly exitReason: TradeExit | null
  /** Of an entry, by the price of the decision; and how far from its average price it is to stand, percent. */
  readonly stopPrice: number | null
  readonly stopPct: number | null
  /** At which it was wanted, quote per base. */
  readonly price: number
  /** Whether a decision of this move wants it. */
  readonly decided: boolean
}

/** The market of a pair as a move finds it. */
export interface PairMarket {
  readonly rules: Rules
  /** Now, quote per base; null where it is not known. */
  readonly price: number | null
}

export interface RealMove {
  readonly change: BotChange
  readonly real: RealState
  readonly orders: readonly BotOrder[]
  /** Orders that have been taken in. */
  readonly settled: readonly string[]
  /** Of these, the ones of which nothing was filled. */
  readonly refused: readonly { readonly orderId: string; readonly reason: string }[]
  /** Whether there is anything to write down. */
  readonly isNews: boolean
}

export interface MoveInput {
  readonly running: RunningBot
  readonly books: RealBooks
  /** By symbol. */
  readonly markets: ReadonlyMap<string, PairMarket>
  /** Null where no candle has closed, or none is to be decided. */
  readonly round: DecisionRound | null
  /** Entries since 00:00 UTC. */
  readonly dayOrders: number
  /** The market's clock, ms. */
  readonly nowMs: number
}

const DAY_MS = 86_400_000
/** An entry comes so long after its close at most, or a tenth of a candle. */
const LATE_MS = 60_000
/** After a refused closing order the next one is tried so much later. */
export const RETRY_MS = 15_000

/**
 * One move of a bot with real money: takes in what its orders have become, decides what has closed, and looks at prices
 * for what cannot wait for a close. Nothing is filled here: what it wants is `orders`, and its portfolio is what its books
 * say. The same input gives the same move.
 */
export function moveReal(input: MoveInput): RealMove {
  const { running, books, markets, round, nowMs } = input
  const { bot, state } = running
  const plan = planOf(bot)
  const step = [...markets.values()][0]!.rules.timeframeMs
  const portfolioNow = copyPortfolio(state.portfolio)
  const { trades, refused, charged } = takenIn(portfolioNow, books, step, state.real!.futures?.charged ?? {})
  const known = withoutOld(state.real!, books)
  mirror(portfolioNow, books, markets, plan.settings, known.futures)
  const before = { ...running, state: { ...state, portfolio: portfolioNow } }
  let real = withOwed(withRetry(known, books, nowMs), charged, portfolioNow, trades, nowMs)

  const limits = realBotLimitsOf(bot.parameters)
  const orders: BotOrder[] = []
  const through =
    round === null
      ? null
      : throughCandles(before, round, nowMs, (settings, portfolio, closed) => {
          const moved = decideOrders(settings, portfolio, closed)
          const allowed = moved.decisions.map((decision) => {
            const wanted = moved.wanted.filter(({ symbol }) => symbol === decision.symbol)
            for (const [k, fill] of wanted.entries()) {
              const at = { ...input, orders, lateMs: nowMs - closed.ts - step, step }
              const refusal = refusalOf(fill, moved.portfolio, at, limits)
              if (refusal !== null) return k === 0 ? notOrdered(decision, refusal) : onlyClosed(decision, refusal)
              orders.push(orderOf(fill, `decision ${k}`, closed.ts, bot))
            }
            return decision
          })
          return { ...moved, decisions: allowed }
        })
  const portfolio = through?.portfolio ?? before.state.portfolio
  const equity = equityAt(portfolio, markets)
  real = withDay(real, equity, nowMs)
  const watched = watch(bot, portfolio, {
    equity,
    limits,
    real,
    haltRatio: [...markets.values()][0]!.rules.haltRatio,
    nowMs,
  })
  const status = watched ?? through?.status ?? null
  const revision = state.revision + 1
  orders.push(
    ...closings({ ...bot, status: status?.status ?? bot.status }, portfolio, {
      books,
      markets,
      real,
      orders,
      nowMs,
      revision,
    }),
  )

  const change: BotChange = {
    bot,
    decidedTs: through?.decidedTs ?? state.decidedTs,
    revision,
    portfolio,
    worstDrawdownPct: through?.worstDrawdownPct ?? state.worstDrawdownPct,
    decisions: through?.decisions ?? [],
    refused: [],
    trades,
    equity: through?.equity ?? [],
    watches: [],
    status,
    prediction: through?.prediction ?? null,
  }
  const isFlat = portfolio.pairs.every(({ account }) => account.side === 0)
  const done = { ...real, closing: real.closing && !(isFlat && books.busy.size === 0) }
  return {
    change,
    real: done,
    orders,
    settled: books.ended.map(({ id }) => id),
    refused,
    isNews:
      through !== null ||
      status !== null ||
      orders.length > 0 ||
      books.ended.length > 0 ||
      JSON.stringify(done) !== JSON.stringify(state.real) ||
      JSON.stringify(portfolio) !== JSON.stringify(state.portfolio),
  }
}

/** Makes the bot's portfolio what its books have. What is too little to be sold counts as nothing held. */
function mirror(
  portfolio: Portfolio,
  books: RealBooks,
  markets: MoveInput['markets'],
  { takeProfitPct, stopLossPct }: { takeProfitPct: number; stopLossPct: number },
  futures: FuturesState | undefined,
): void {
  portfolio.balance = books.balance
  for (const pair of portfolio.pairs) {
    const { account } = pair
    const { quantity = 0, cost = 0 } = books.held.get(pair.symbol) ?? {}
    const { rules, price } = markets.get(pair.symbol)!
    account.balance = books.balance
    const isFutures = futures !== undefined
    // A position can be closed whatever it is worth.
    if (isFutures ? quantity === 0 : isDust(quantity, price ?? pair.lastPrice, rules)) {
      Object.assign(account, { side: 0, size: 0, margin: 0, entryFee: 0, positionFunding: 0 })
      continue
    }
    const side = quantity > 0 ? 1 : -1
    account.side = side
    account.size = quantity
    account.entryPrice = cost / Math.abs(quantity)
    account.entryRawPrice = account.entryPrice
    account.margin = cost / rules.leverage
    const { funding = 0 } = books.charges.get(pair.symbol) ?? {}
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

/** The price `pct` percent above (direction 1) or below (−1) another; where that is 0, a price that is never reached. */
function movedBy(price: number, direction: number, pct: number): number {
  if (pct > 0) return price * (1 + (direction * pct) / 100)
  return direction > 0 ? NEVER_ABOVE : NEVER_BELOW
}

const isDust = (quantity: number, price: number, { lotSize, minNotional }: Rules): boolean =>
  floorToLot(quantity, lotSize) <= 0 || (price > 0 && quantity * price < minNotional)

/** What ended orders have come to: trades, and orders that came to nothing. Entries are noted in the portfolio. */
function takenIn(
  portfolio: Portfolio,
  { ended, held, charges }: RealBooks,
  step: number,
  before: FuturesState['charged'],
): { trades: PairTrade[]; refused: { orderId: string; reason: string }[]; charged: FuturesState['charged'] } {
  const trades: PairTrade[] = []
  const refused: { orderId: string; reason: string }[] = []
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

const withRetry = (real: RealState, { ended }: RealBooks, nowMs: number): RealState =>
  ended.some(({ closes, type, filled }) => closes && type === 'market' && filled === 0)
    ? { ...real, retryAtMs: nowMs + RETRY_MS }
    : real

/** Liquidation prices of positions that have changed since the exchange told them are known no more. */
function withoutOld(real: RealState, { ended }: RealBooks): RealState {
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

function withDay(real: RealState, equity: number | null, nowMs: number): RealState {
  const fromMs = nowMs - (nowMs % DAY_MS)
  return equity === null || real.day.fromMs >= fromMs ? real : { ...real, day: { fromMs, equity } }
}

/** Halts where a limit on losses is reached at the prices of now; null where none is. */
function watch(
  bot: BotRow,
  portfolio: Portfolio,
  at: { equity: number | null; limits: RealBotLimits; real: RealState; haltRatio: number; nowMs: number },
): BotChange['status'] {
  const { equity, limits, real, haltRatio, nowMs } = at
  const isFlat = portfolio.pairs.every(({ account }) => account.side === 0)
  const trades = bot.status === 'active' || (bot.status === 'paused' && !isFlat)
  if (!trades || equity === null || portfolio.haltedAt >= 0) return null
  const lost = real.day.equity - equity
  const drawn = equity <= portfolio.peak * haltRatio
  if (!drawn && lost < limits.maxDayLoss) return null
  portfolio.haltedAt = nowMs
  const why = drawn
    ? `Its drawdown limit of ${bot.maxDrawdown}% was reached`
    : `It lost ${lost.toFixed(2)} USDT since 00:00 UTC, and may lose ${limits.maxDayLoss} a day`
  return {
    status: 'paused',
    reason: `${why}: it closes what it holds and opens nothing until it is started again.`,
  }
}

/** Orders that close what is held and do not wait for a decision. */
function closings(
  bot: BotRow,
  { pairs, haltedAt }: Portfolio,
  at: {
    books: RealBooks
    markets: MoveInput['markets']
    real: RealState
    orders: readonly BotOrder[]
    nowMs: number
    revision: number
  },
): BotOrder[] {
  const { books, markets, real, orders, nowMs, revision } = at
  if (nowMs < real.retryAtMs || bot.status === 'error') return []
  return pairs.flatMap(({ symbol, account }: PairAccount): BotOrder[] => {
    const { price } = markets.get(symbol)!
    if (account.side === 0 || price === null || books.busy.has(symbol)) return []
    if (orders.some((order) => order.symbol === symbol)) return []
    const exitReason = closingReason(bot, haltedAt, real, price, account)
    if (exitReason === null) return []
    const side = account.side > 0 ? 'sell' : 'buy'
    const order = { symbol, side, closes: true, leg: exitReason, at: revision, exitReason } as const
    return [{ ...order, quantity: Math.abs(account.size), stopPrice: null, stopPct: null, price, decided: false }]
  })
}

function closingReason(
  { status }: BotRow,
  haltedAt: number,
  { closing }: RealState,
  price: number,
  { side, takeProfitPrice }: PairAccount['account'],
): TradeExit | null {
  if (status === 'stopped') return closing ? 'stopped' : null
  if (haltedAt >= 0) return 'max_drawdown'
  return (side > 0 ? price >= takeProfitPrice : price <= takeProfitPrice) ? 'take_profit' : null
}

/** Why an order of a decision is not sent; null where it may be. */
function refusalOf(
  { symbol, kind, quantity, price }: PairFill,
  portfolio: Portfolio,
  { books, dayOrders, orders, lateMs, step }: MoveInput & { orders: readonly BotOrder[]; lateMs: number; step: number },
  limits: RealBotLimits,
): string | null {
  // What an entry under way costs is not known yet, so that nothing else is bought meanwhile.
  const busy = kind === 'exit' ? books.busy.has(symbol) && symbol : [...books.busy][0]
  if (busy) return `its last order of ${busy} is not settled yet.`
  if (kind === 'exit') return null
  if (lateMs > Math.max(LATE_MS, step / 10))
    return `the candle closed ${Math.round(lateMs / 60_000)} minutes ago, too long to enter on it.`
  const worth = quantity * price
  const entered = orders.filter(({ closes }) => !closes)
  // What this decision closes makes room.
  const closed = orders.filter((order) => order.closes && order.symbol === symbol)
  const held =
    portfolio.pairs.reduce((sum, { account, lastPrice }) => sum + Math.abs(account.size) * lastPrice, 0) -
    closed.reduce((sum, order) => sum + order.quantity * order.price, 0) +
    entered.reduce((sum, order) => sum + order.quantity * order.price, 0)
  const times = dayOrders + entered.length
  const money = (amount: number) => amount.toFixed(2)
  if (worth > limits.maxOrderNotional)
    return `it would be worth ${money(worth)} USDT, and an order of this bot may be worth ${limits.maxOrderNotional}.`
  if (held + worth > limits.maxPositionNotional)
    return `with what it holds that would be ${money(held + worth)} USDT, and this bot may hold ${limits.maxPositionNotional}.`
  if (times >= limits.maxDayOrders)
    return `it has entered ${times} times since 00:00 UTC, and may enter ${limits.maxDayOrders} times a day.`
  return null
}

/** A decision whose order is not sent. */
export const notOrdered = (decision: Decision, why: string): Decision => ({
  ...decision,
  rule: 'order_skipped',
  action: 'no_order',
  reason: `No order: ${why}`,
})

/** A decision that turns a position round, of which only the closing is sent. */
export const onlyClosed = (decision: Decision, why: string): Decision => ({
  ...decision,
  action: 'closed',
  reason: `${decision.reason} Nothing was opened: ${why}`,
})

function orderOf(fill: PairFill, leg: string, at: number, { stopLossPct }: BotRow): BotOrder {
  const { symbol, kind, quantity, rawPrice: price } = fill
  const enters = kind === 'entry'
  const isLong = fill.side === 'long'
  const hasStop = enters && stopLossPct > 0
  return {
    symbol,
    side: enters === isLong ? 'buy' : 'sell',
    closes: !enters,
    quantity,
    leg,
    at,
    exitReason: fill.exitReason,
    stopPrice: hasStop ? movedBy(price, isLong ? -1 : 1, stopLossPct) : null,
    stopPct: hasStop ? stopLossPct : null,
    price,
    decided: true,
  }
}
