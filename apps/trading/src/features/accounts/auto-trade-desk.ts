import type { AutoTrade } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { noticeOf, saidBy, warningOf } from './auto-trade-words.ts'
import type { DecisionStore } from './decision-store.ts'
import type { AutoTradeAction } from './decision-tables.ts'
import { keepReply, replyBefore } from './keyed-replies.ts'
import { type Quote, quoteOf } from './market-prices.ts'
import { numberOf, shown } from './money.ts'
import { type Asked, isReal, type OrderDeskDeps } from './order-desk.ts'

export interface AutoTradeDeps extends OrderDeskDeps {
  decisions: DecisionStore
  /** The forecast of the current production version at the last closed candle. */
  predict(asked: { symbol: string; timeframe: Timeframe; limit: number }): Promise<Prediction>
  /** The same at the exchange itself. */
  real: { trade(draft: AutoTradeDraft, asked: Asked): Promise<AutoTrade> }
}

export interface AutoTradeDraft {
  readonly symbol: string
  /** Base. */
  readonly amount: number
  readonly enableStopLoss: boolean
  readonly timeframe: Timeframe
  readonly isVirtual: boolean
}

/** What came of a prediction: ids of orders, where there are any. */
interface Outcome {
  readonly action: AutoTrade['action']
  readonly decision: string
  readonly orderId: string | null
  readonly stopOrderId: string | null
}

/** Candles to look at; more are read where the model needs more. */
const LOOKED_AT = 300
const DIRECTION: Readonly<Record<'BUY' | 'SELL', AutoTradeAction>> = { BUY: 'bought', SELL: 'sold' }

/** The current model's prediction for now: acting on a candle long past is acting on nothing. Throws `venue_unreachable`. */
export async function recentPrediction(
  { market, predict }: Pick<AutoTradeDeps, 'market' | 'predict'>,
  { symbol, timeframe }: Pick<AutoTradeDraft, 'symbol' | 'timeframe'>,
): Promise<Prediction> {
  const prediction = await predict({ symbol, timeframe, limit: LOOKED_AT })
  const lateMs = ((await market.now()) ?? prediction.aligned_ts) - prediction.aligned_ts
  if (lateMs < 2 * TIMEFRAME_MS[timeframe]) return prediction
  throw new AppError(
    'venue_unreachable',
    `The newest ${timeframe} candle closed ${Math.round(lateMs / 60_000)} min ago, so the prediction is stale. Nothing was done; try again once candles arrive.`,
  )
}

/** Trades of a virtual account on what the current model says, each at most once. */
export const createAutoTradeDesk = (deps: AutoTradeDeps) => {
  const { db, market, accounts, orders, virtual, decisions, real, now } = deps

  async function act(
    tx: Orm,
    accountId: string,
    draft: AutoTradeDraft,
    prediction: Prediction,
    quote: Quote,
    keyed: string | null,
  ): Promise<Outcome> {
    const { signal, stopLoss } = prediction
    const said = saidBy(prediction)
    const none = (why: string): Outcome => ({
      action: 'none',
      decision: `${said}: ${why}`,
      orderId: null,
      stopOrderId: null,
    })
    if (signal === 'HOLD') return none('no order, the model sees no direction that is sure enough.')
    const { symbol, timeframe } = draft
    const candle = { accountId, symbol, timeframe, candleTs: prediction.timestamp, isVirtual: true }
    if (keyed === null && (await decisions.acted(tx, candle, [DIRECTION[signal]])))
      throw new AppError(
        'conflict',
        `This ${signal} of the ${timeframe} candle has been acted on already: no second order was made. Wait for the next candle, or send an Idempotency-Key to mean another order.`,
      )
    const idOf = (purpose: string) =>
      clientOrderId(accountId, 'auto-trade', symbol, timeframe, prediction.timestamp, signal, purpose, keyed ?? '')

    if (signal === 'SELL') {
      const { held, free } = await virtual.sellable(tx, accountId, symbol)
      if (held === 0n)
        return none(`no order, you hold no ${quote.market.base} that could be sold, and spot cannot go short.`)
      if (free === 0n) return none(`no order, all of your ${quote.market.base} are set aside by open orders to sell.`)
      const quantity = numberOf(free)
      const wanted = { clientOrderId: idOf('close'), side: 'sell', type: 'market', quantity, price: null } as const
      const { id } = await virtual.place(tx, accountId, quote, { ...wanted, source: 'auto_trade' })
      const order = await orders.read(tx, id)
      const kept = held === free ? '' : ' (the rest is set aside by open orders to sell)'
      const decision = `${said}: sold ${shown(order.filled)} ${quote.market.base} at ${shown(order.average!)}${kept}.`
      return { action: 'sold', decision, orderId: id, stopOrderId: null }
    }

    if (draft.enableStopLoss && !(stopLoss > 0 && stopLoss < quote.price))
      return none(
        `no order, the price (${shown(quote.price)}) is already at or below the stop-loss (${shown(stopLoss)}) that it comes with.`,
      )
    const wanted = {
      clientOrderId: idOf('open'),
      side: 'buy',
      type: 'market',
      quantity: draft.amount,
      price: null,
    } as const
    const bought = await virtual.place(tx, accountId, quote, { ...wanted, source: 'auto_trade' })
    const order = await orders.read(tx, bought.id)
    const what = `bought ${shown(order.filled)} ${quote.market.base} at ${shown(order.average!)}`
    if (!draft.enableStopLoss)
      return {
        action: 'bought',
        decision: `${said}: ${what}, without a stop-loss.${warningOf(prediction)}`,
        orderId: bought.id,
        stopOrderId: null,
      }
    const guard = {
      clientOrderId: idOf('stop'),
      side: 'sell',
      type: 'stop',
      quantity: order.filled,
      price: stopLoss,
    } as const
    const stop = await virtual.place(tx, accountId, quote, { ...guard, source: 'auto_trade' })
    const decision = `${said}: ${what}, with a stop-loss at ${shown(stopLoss)}.${warningOf(prediction)}`
    return { action: 'bought', decision, orderId: bought.id, stopOrderId: stop.id }
  }

  return {
    /**
     * Asks the current model and acts on it. Throws what `predict`, `quoteOf` and `VirtualOrders.place` throw, and
     * `conflict` where this direction of this candle was acted on already and no key tells the requests apart. Every
     * decision is written down, the refused ones too.
     */
    async trade(draft: AutoTradeDraft, asked: Asked): Promise<AutoTrade> {
      const { member, address, request } = asked
      if (isReal(draft.isVirtual, member)) return real.trade(draft, asked)
      if (request !== null) {
        const opened = await accounts.find(db.orm, member.userId)
        const before = opened === undefined ? undefined : await replyBefore(db.orm, opened, request)
        if (before !== undefined) return before as AutoTrade
      }
      const { symbol, timeframe } = draft
      const quote = await quoteOf(market, symbol, now)
      const prediction = await recentPrediction(deps, draft)

      const note = async (tx: Orm, accountId: string, action: AutoTradeAction, reason: string, made?: Outcome) => {
        const ids = { orderId: made?.orderId ?? null, stopOrderId: made?.stopOrderId ?? null }
        const { amount, enableStopLoss } = draft
        const decision = { accountId, symbol, timeframe, candleTs: prediction.timestamp, action, reason, ...ids }
        await decisions.add(tx, { ...decision, prediction, amount, enableStopLoss, atMs: now() })
        const { version, hash, signal, confidence } = prediction
        const after = { ...decision, amount, enableStopLoss, version, hash, signal, confidence }
        const subject = { type: 'account', id: accountId }
        await recordAudit(tx, { actorId: member.userId, address, action: 'auto_trade.decided', subject, after })
      }
      try {
        return await db.orm.transaction(async (tx) => {
          const accountId = await accounts.open(tx, member.userId, now())
          const before = request === null ? undefined : await replyBefore(tx, accountId, request)
          if (before !== undefined) return before as AutoTrade
          const made = await act(tx, accountId, draft, prediction, quote, request?.key ?? null)
          await note(tx, accountId, made.action, made.decision, made)
          const reply: AutoTrade = {
            isVirtual: true,
            venue: market.venue,
            market: market.kind,
            symbol,
            timeframe,
            action: made.action,
            decision: made.decision,
            notice: noticeOf(market.kind, market.venue),
            prediction,
            order: made.orderId === null ? null : await orders.read(tx, made.orderId),
            stopOrder: made.stopOrderId === null ? null : await orders.read(tx, made.stopOrderId),
            decidedAt: now(),
          }
          if (request !== null) await keepReply(tx, accountId, request, reply, now())
          return reply
        })
      } catch (error) {
        if (error instanceof AppError)
          await db.orm.transaction(async (tx) =>
            note(
              tx,
              await accounts.open(tx, member.userId, now()),
              'refused',
              `${saidBy(prediction)}: ${error.message}`,
            ),
          )
        throw error
      }
    },
  }
}
export type AutoTradeDesk = ReturnType<typeof createAutoTradeDesk>
