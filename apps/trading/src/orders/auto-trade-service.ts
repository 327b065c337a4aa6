import type { AutoTrade, autoTrade } from '@shapecast/contracts/accounts'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { and, eq } from 'drizzle-orm'
import type { Broker, Placing, Sellable, WantedOrder } from '../ledger/broker.ts'
import { type Quote, quoteOf } from '../ledger/market-prices.ts'
import { numberOf, shown } from '../ledger/money.ts'
import { lotsOf } from '../ledger/order-rules.ts'
import { type AutoTradeAction, autoTradeDecisions, type OrderRow } from '../ledger/tables.ts'
import { outcomeOf, saidBy, warningOf } from './auto-trade-words.ts'
import type { Asked, OrderServiceDeps } from './order-service.ts'

export interface AutoTradeDeps extends OrderServiceDeps {
  /** The forecast of the current production version at the last closed candle. */
  predict(asked: { symbol: string; timeframe: Timeframe; limit: number }): Promise<Prediction>
}

type AutoTradeDraft = BodyOf<typeof autoTrade>

/** What is to be done about a prediction. `why` ends a sentence; `note` follows what became of the order. */
interface Decided {
  readonly action: AutoTrade['action']
  readonly why: string
  readonly note: string
  readonly wanted: Omit<WantedOrder, 'clientOrderId'> | null
}

/** What is kept under an Idempotency-Key: the answer without the order, which is read again. */
interface KeptTrade {
  readonly reply: AutoTrade
  readonly orderId: string | null
  readonly note: string
}

/** Candles to look at; more are read where the model needs more. */
const LOOKED_AT = 300
/** What a purchase leaves of its coins at the most usual fees, with a margin. */
const MOST_LEFT = 0.99

const ORDER = { type: 'market', price: null, source: 'auto_trade' } as const
const none = (why: string): Decided => ({ action: 'none', why, note: '', wanted: null })

/** Buys the amount, with a stop-loss where one is asked for and can stand. Throws `unprocessable` below one lot. */
function decideBuy(draft: AutoTradeDraft, { stopLoss }: Prediction, quote: Quote): Decided {
  const { base, lotSize, minNotional } = quote.market
  const purchase = { ...ORDER, side: 'buy', quantity: draft.amount } as const
  const buys = `buys ${shown(draft.amount)} ${base}`
  if (!draft.enableStopLoss)
    return {
      action: 'bought',
      why: `${buys}, without a stop-loss.`,
      note: '',
      wanted: { ...purchase, stopPrice: null },
    }
  if (!(stopLoss > 0 && stopLoss < quote.price))
    return none(
      `no order, the price (${shown(quote.price)}) is already at or below the stop-loss (${shown(stopLoss)}) that it comes with.`,
    )
  const least = floorToLot(numberOf(lotsOf(quote, draft.amount)) * MOST_LEFT, lotSize)
  if (least * stopLoss < minNotional)
    return none(`no order, a stop-loss over so little would be below the smallest order of this market.`)
  const why = `${buys}, with a stop-loss at ${shown(stopLoss)}.`
  return { action: 'bought', why, note: '', wanted: { ...purchase, stopPrice: stopLoss } }
}

/** Sells all that was bought here and is free, whatever amount was asked for. */
function decideSell({ held, free, leastWorth }: Sellable, quote: Quote): Decided {
  const { base } = quote.market
  if (held === 0)
    return none(`no order, you hold no ${base} that was bought here and could be sold, and spot cannot go short.`)
  if (free === 0) return none(`no order, all of your ${base} are set aside by open orders to sell.`)
  if (free * quote.price < leastWorth)
    return none(`no order, what is held of ${base} and free (${shown(free)}) is too little to sell.`)
  return {
    action: 'sold',
    why: `sells ${shown(free)} ${base} that were bought here.`,
    note: free === held ? '' : ' (the rest is set aside by open orders to sell)',
    wanted: { ...ORDER, side: 'sell', quantity: free, stopPrice: null },
  }
}

/** One request to act on a prediction, with all that was learnt before anything is written. */
interface Trade {
  readonly draft: AutoTradeDraft
  readonly asked: Asked
  readonly broker: Broker
  readonly quote: Quote
  readonly prediction: Prediction
  /** Of the order that it may make. */
  readonly clientOrderId: string
}

/** The current model's prediction for now: acting on a candle long past is acting on nothing. Throws `venue_unreachable`. */
async function recentPrediction(
  { market, predict }: AutoTradeDeps,
  { symbol, timeframe }: AutoTradeDraft,
): Promise<Prediction> {
  const prediction = await predict({ symbol, timeframe, limit: LOOKED_AT })
  const lateMs = ((await market.now()) ?? prediction.aligned_ts) - prediction.aligned_ts
  if (lateMs < 2 * TIMEFRAME_MS[timeframe]) return prediction
  throw new AppError(
    'venue_unreachable',
    `The newest ${timeframe} candle closed ${Math.round(lateMs / 60_000)} min ago, so the prediction is stale. Nothing was done; try again once candles arrive.`,
  )
}

/** Throws `conflict` where this direction of this candle was acted on already, and no key tells the requests apart. */
async function requireNew(orm: Orm, accountId: string, { draft, asked, prediction }: Trade): Promise<void> {
  const { symbol, timeframe } = draft
  const { signal, timestamp } = prediction
  if (signal === 'HOLD' || asked.request !== null) return
  const acted = and(
    eq(autoTradeDecisions.accountId, accountId),
    eq(autoTradeDecisions.symbol, symbol),
    eq(autoTradeDecisions.timeframe, timeframe),
    eq(autoTradeDecisions.candleTs, timestamp),
    eq(autoTradeDecisions.action, signal === 'BUY' ? 'bought' : 'sold'),
  )
  const rows = await orm.select({ id: autoTradeDecisions.id }).from(autoTradeDecisions).where(acted).limit(1)
  if (rows.length === 0) return
  throw new AppError(
    'conflict',
    `This ${signal} of the ${timeframe} candle has been acted on already: no second order was made. Its result is under your orders; wait for the next candle, or send an Idempotency-Key to mean another order.`,
  )
}

/** Writes a decision down, executed or not. */
async function record(
  tx: Orm,
  { draft, asked, prediction }: Trade,
  made: { accountId: string; action: AutoTradeAction; reason: string; orderId: string | null },
  atMs: number,
): Promise<void> {
  const { symbol, timeframe, amount, enableStopLoss, isVirtual } = draft
  const decision = { ...made, symbol, timeframe, candleTs: prediction.timestamp, amount, enableStopLoss }
  await tx.insert(autoTradeDecisions).values({ ...decision, prediction, atMs })
  const { version, hash, signal, confidence } = prediction
  await recordAudit(tx, asked.member, {
    action: 'auto_trade.decided',
    subject: { type: 'account', id: made.accountId },
    after: { ...decision, isVirtual, version, hash, signal, confidence },
  })
}

async function decide(
  tx: Orm,
  accountId: string,
  { draft, prediction, quote }: Trade,
  placing: Placing | null,
): Promise<Decided> {
  switch (prediction.signal) {
    case 'HOLD':
      return none('no order, the model sees no direction that is sure enough.')
    case 'BUY':
      return decideBuy(draft, prediction, quote)
    case 'SELL':
      return decideSell(await placing!.sellable(tx, accountId), quote)
    default:
      return prediction.signal satisfies never
  }
}

/** As it is answered: with the order and its stop-loss as they are by now. */
async function answerOf(
  { orders }: AutoTradeDeps,
  orm: Orm,
  { reply, orderId, note }: KeptTrade,
  base: string,
): Promise<AutoTrade> {
  if (orderId === null) return reply
  const order = await orders.read(orm, orderId)
  const [newest] = await orders.stopsOf(orm, orderId)
  const stopOrder = newest === undefined ? null : await orders.read(orm, newest.id)
  const warning = order.side === 'buy' ? warningOf(reply.prediction) : ''
  const decision = `${saidBy(reply.prediction)}: ${outcomeOf(order, stopOrder, base, note)}${warning}`
  return { ...reply, decision, order, stopOrder }
}

/** Decides under the account's lock and writes down decision, order and answer; the order is to be carried out. */
const commit = (
  deps: AutoTradeDeps,
  trade: Trade,
  placing: Placing | null,
): Promise<{ kept: KeptTrade; order: OrderRow | null }> =>
  deps.db.orm.transaction(async (tx) => {
    const { accounts, replies, now } = deps
    const { draft, asked, broker, quote, prediction, clientOrderId } = trade
    const accountId = await accounts.open(tx, broker.key, broker.deposit, now())
    const before = await replies.before(tx, asked.member.userId, asked.request)
    if (before !== undefined) return { kept: before as KeptTrade, order: null }
    await requireNew(tx, accountId, trade)
    const { action, why, wanted, note } = await decide(tx, accountId, trade, placing)
    const order = wanted === null ? null : await placing!.place(tx, accountId, { ...wanted, clientOrderId })
    const reply: AutoTrade = {
      ...broker.origin,
      symbol: draft.symbol,
      timeframe: draft.timeframe,
      action,
      decision: `${saidBy(prediction)}: ${why}`,
      notice: await broker.notice(tx),
      prediction,
      order: null,
      stopOrder: null,
      decidedAt: now(),
    }
    const kept: KeptTrade = { reply, orderId: order?.id ?? null, note }
    // What an exchange makes of an order is told once it has said so.
    const told = order?.status === 'sending' ? reply : await answerOf(deps, tx, kept, quote.market.base)
    await record(tx, trade, { accountId, action, reason: told.decision, orderId: kept.orderId }, now())
    await replies.keep(tx, asked.member.userId, asked.request, kept, now())
    return { kept, order }
  })

/** Trades on what the current model says, each at most once, with virtual and real accounts by the same rules. */
export const createAutoTradeService = (deps: AutoTradeDeps) => ({
  /**
   * Asks the current model and acts on it. Throws what `predict`, `quoteOf`, `Brokers.of` and `Placing` throw,
   * `unprocessable` where the exchange takes no stops, and `conflict` as `requireNew`. Every decision is written down,
   * the refused ones too.
   */
  async trade(draft: AutoTradeDraft, asked: Asked): Promise<AutoTrade> {
    const { db, market, accounts, brokers, replies, now } = deps
    const { member, request } = asked
    const { symbol, timeframe } = draft
    const key = brokers.keyOf(draft.isVirtual, member)
    const before = await replies.before(db.orm, member.userId, request)
    if (before !== undefined) {
      const base = (await market.markets()).find(({ id }) => id === symbol)?.base ?? symbol
      return answerOf(deps, db.orm, before as KeptTrade, base)
    }
    const broker = await brokers.of(key)
    if (draft.enableStopLoss) await broker.requireStops(symbol)
    const quote = await quoteOf(market, symbol, now)
    const prediction = await recentPrediction(deps, draft)
    const { venue, network = 'virtual' } = broker.origin
    const parts = ['auto-trade', symbol, timeframe, prediction.timestamp, prediction.signal, request?.key ?? '']
    const id = clientOrderId(member.userId, venue, network, ...parts)
    const trade: Trade = { draft, asked, broker, quote, prediction, clientOrderId: id }

    let placing: Placing | null = null
    let isCommitted = false
    try {
      if (prediction.signal !== 'HOLD')
        placing = await broker.prepare(quote, id, prediction.signal === 'BUY' ? 'buy' : 'sell')
      if (prediction.signal === 'SELL') {
        const opened = await accounts.find(db.orm, key)
        if (opened !== undefined) await requireNew(db.orm, opened, trade)
        await placing!.freeCoins()
      }
      const { kept, order } = await commit(deps, trade, placing)
      isCommitted = true
      if (order !== null) await placing!.carryOut(order)
      return await answerOf(deps, db.orm, kept, quote.market.base)
    } catch (error) {
      if (!isCommitted && error instanceof AppError)
        await db.orm.transaction(async (tx) => {
          const accountId = await accounts.open(tx, key, broker.deposit, now())
          const reason = `${saidBy(prediction)}: ${error.message}`
          await record(tx, trade, { accountId, action: 'refused', reason, orderId: null }, now())
        })
      throw error
    } finally {
      await placing?.end()
    }
  },
})
