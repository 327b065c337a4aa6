import type { AutoTrade, Order } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { Prediction } from '@shapecast/contracts/predictions'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import type { AutoTradeDraft } from '../auto-trade-desk.ts'
import { saidBy, warningOf } from '../auto-trade-words.ts'
import type { DecisionStore } from '../decision-store.ts'
import type { AutoTradeAction } from '../decision-tables.ts'
import { keepReply, replyBefore } from '../keyed-replies.ts'
import { type Quote, quoteOf } from '../market-prices.ts'
import { numberOf, shown, unitsOf } from '../money.ts'
import type { Asked } from '../order-desk.ts'
import { FIRST_LOOK_MS } from './order-progress.ts'
import { type RealDesk, type RealDeskDeps, realQuantity, requireFewUnsettled } from './real-desk.ts'
import type { Intent } from './real-orders.ts'
import type { RealOrderRow } from './tables.ts'
import type { VenueAccount } from './venue-accounts.ts'

export interface RealAutoTradeDeps extends RealDeskDeps {
  decisions: DecisionStore
  log: Logger
  desk: RealDesk
  /** The model's prediction for now; throws where it is stale. */
  recentPrediction(draft: AutoTradeDraft): Promise<Prediction>
}

/** What a purchase leaves of its coins at the most usual fees, with a margin. */
const MOST_LEFT = 0.99

/** Rounded down to the market's price step. */
const onGrid = (price: number, tick: number): number =>
  tick > 0 ? Number((Math.floor(price / tick + 1e-9) * tick).toFixed(8)) : price

/** What is kept under an Idempotency-Key: the answer without the order, which is read anew. */
interface KeptTrade {
  readonly reply: AutoTrade
  readonly orderId: string | null
}

interface Decided {
  readonly action: AutoTrade['action']
  readonly why: string
  readonly intent: Omit<Intent, 'accountId' | 'keyMark' | 'clientOrderId' | 'symbol'> | null
}

/** What is to be said of the stop of a purchase, and what of it does not stand. */
function guardedBy({ statusReason }: Order, stop: Order | null): string {
  if (stop === null && statusReason === null) return ', without a stop-loss'
  if (stop?.status === 'filled') return `, which the stop-loss has sold at ${shown(stop.average ?? 0)}`
  const stands = stop?.status === 'open' ? `, with a stop-loss at ${shown(stop.stopPrice ?? 0)}` : null
  const reason = statusReason ?? (stands === null ? `The stop-loss is ${stop?.status}.` : null)
  return `${stands ?? ''}${reason === null ? '' : `. ${reason}`}`.replace(/\.$/, '')
}

/** What became of an order, to end a sentence with. */
function wordsOf(order: Order, stop: Order | null, base: string): string {
  const { status, filled, average, amount, side } = order
  const did = side === 'buy' ? 'bought' : 'sold'
  if (status === 'sending')
    return `an order to ${side} ${shown(amount)} ${base} was sent, and it is NOT KNOWN YET whether the exchange has it: it is being looked up, do not send it again.`
  if (status === 'rejected' || status === 'not_placed') return `nothing was traded. ${order.statusReason ?? ''}`.trim()
  if (filled === 0) return `an order to ${side} ${shown(amount)} ${base} is ${status}, nothing is filled.`
  const part = filled < amount ? ` of ${shown(amount)}` : ''
  return `${did} ${shown(filled)}${part} ${base} at ${shown(average ?? 0)}${side === 'buy' ? guardedBy(order, stop) : ''}.`
}

/** Real trades on what the current model says, each at most once. */
export const createRealAutoTrade = (deps: RealAutoTradeDeps) => {
  const { db, market, accounts, orders, real, venues, guard, limits, decisions, desk, recentPrediction, log, now } =
    deps

  /** Under the account's lock. `free`: base that the exchange would let us sell. */
  async function decide(
    tx: Orm,
    of: { accountId: string; keyMark: string },
    quote: Quote,
    draft: AutoTradeDraft,
    { signal, stopLoss }: Prediction,
    free: number,
  ): Promise<Decided> {
    const { base, lotSize, minNotional, id } = quote.market
    const none = (why: string): Decided => ({ action: 'none', why, intent: null })
    const common = { type: 'market', price: null, source: 'auto_trade' } as const
    if (signal === 'HOLD') return none('no order, the model sees no direction that is sure enough.')
    if (signal === 'BUY') {
      const quantity = realQuantity(quote, draft.amount, quote.price)
      const purchase = { ...common, side: 'buy', quantity } as const
      if (!draft.enableStopLoss)
        return { action: 'bought', why: `buys ${shown(draft.amount)} ${base}, without a stop-loss.`, intent: purchase }
      const guardPrice = onGrid(stopLoss, quote.market.tickSize)
      if (!(guardPrice > 0 && guardPrice < quote.price))
        return none(
          `no order, the price (${shown(quote.price)}) is already at or below the stop-loss (${shown(stopLoss)}) that it comes with.`,
        )
      // What the fee leaves has to be enough for a stop.
      const least = floorToLot(numberOf(quantity) * MOST_LEFT, lotSize)
      if (least * guardPrice < minNotional)
        return none(`no order, a stop-loss over so little would be below the exchange's smallest order.`)
      return {
        action: 'bought',
        why: `buys ${shown(draft.amount)} ${base}, with a stop-loss at ${shown(guardPrice)}.`,
        intent: { ...purchase, guardPrice, nextGuardMs: now() + FIRST_LOOK_MS },
      }
    }
    const held = numberOf(await orders.held(tx, { ...of, symbol: id, base }))
    if (held === 0)
      return none(
        `no order, of what was bought here no ${base} is left that could be sold; other coins are not touched.`,
      )
    const amount = floorToLot(Math.min(held, free), lotSize)
    if (amount <= 0 || amount * quote.price < minNotional)
      return none(`no order, what is held of ${base} and free (${shown(Math.min(held, free))}) is too little to sell.`)
    return {
      action: 'sold',
      why: `sells ${shown(amount)} ${base} that were bought here.`,
      intent: { ...common, side: 'sell', quantity: unitsOf(amount) },
    }
  }

  /** Lets go of the stops of what is to be sold; the purchases that are to be guarded again where it is not. */
  async function lifted(userId: string, symbol: string, account: VenueAccount): Promise<string[]> {
    const accountId = await accounts.find(db.orm, userId)
    return accountId === undefined ? [] : guard.lift({ accountId, symbol }, account)
  }

  /** A worker does it where this fails. */
  async function guardNow(buyId: string, account: VenueAccount): Promise<void> {
    try {
      await guard.guard(buyId, account)
    } catch (error) {
      log.error({ err: error, order: buyId }, 'a stop-loss could not be placed yet')
      await guard.putOff(buyId, error instanceof AppError ? error.message : 'an error of ours.')
    }
  }

  async function freeOf(account: VenueAccount, base: string): Promise<number> {
    return (await account.trading.balances()).find(({ asset }) => asset === base)?.free ?? 0
  }

  /** As it is answered: with the order as it is by now. */
  async function answerOf(kept: KeptTrade, base: string): Promise<AutoTrade> {
    if (kept.orderId === null) return kept.reply
    const order = await orders.read(db.orm, kept.orderId)
    const [newest] = await orders.stopsOf(db.orm, kept.orderId)
    const stopOrder = newest === undefined ? null : await orders.read(db.orm, newest.id)
    const { prediction } = kept.reply
    const warning = order.side === 'buy' ? warningOf(prediction) : ''
    return {
      ...kept.reply,
      decision: `${saidBy(prediction)}: ${wordsOf(order, stopOrder, base)}${warning}`,
      order,
      stopOrder,
    }
  }

  return {
    /**
     * Acts on the current model's prediction at the exchange. Throws what `RealDesk.place` throws, `unprocessable` where
     * the exchange takes no stops, and `conflict` where this direction of this candle was acted on already and no key tells the
     * requests apart.
     */
    async trade(draft: AutoTradeDraft, { member, address, request }: Asked): Promise<AutoTrade> {
      const { userId } = member
      const { symbol, timeframe } = draft
      const base = async () => (await market.markets()).find(({ id }) => id === symbol)?.base ?? symbol
      if (request !== null) {
        const opened = await accounts.find(db.orm, userId)
        const before = opened === undefined ? undefined : await replyBefore(db.orm, opened, request)
        if (before !== undefined) return answerOf(before as KeptTrade, await base())
      }
      venues.requireExchange()
      const account = await venues.of(userId)
      if (draft.enableStopLoss && !(await account.trading.takesStops(symbol)))
        throw new AppError(
          'unprocessable',
          `${market.venue} takes no stop orders for ${symbol}: nothing was sent. Set enableStopLoss to false to trade for real without a stop-loss.`,
          { field: 'enableStopLoss' },
        )
      const quote = await quoteOf(market, symbol, now)
      const prediction = await recentPrediction(draft)
      const { signal } = prediction

      const note = async (
        tx: Orm,
        accountId: string,
        action: AutoTradeAction,
        reason: string,
        realOrderId: string | null,
      ) => {
        const { amount, enableStopLoss } = draft
        const decision = { accountId, symbol, timeframe, candleTs: prediction.timestamp, action, reason }
        const real = { isVirtual: false, realOrderId, amount, enableStopLoss }
        await decisions.add(tx, { ...decision, ...real, prediction, atMs: now() })
        const { version, hash, confidence } = prediction
        const after = { ...decision, ...real, version, hash, signal, confidence }
        const subject = { type: 'account', id: accountId }
        await recordAudit(tx, { actorId: userId, address, action: 'auto_trade.decided', subject, after })
      }

      const acted = async (tx: Orm, accountId: string): Promise<void> => {
        const candle = { accountId, symbol, timeframe, candleTs: prediction.timestamp, isVirtual: false }
        if (signal === 'HOLD' || request !== null) return
        if (!(await decisions.acted(tx, candle, [signal === 'BUY' ? 'bought' : 'sold']))) return
        throw new AppError(
          'conflict',
          `This ${signal} of the ${timeframe} candle has been acted on already: no second order was made. Look at your orders for what became of it; wait for the next candle, or send an Idempotency-Key to mean another order.`,
        )
      }

      let restore: string[] = []
      let made: { kept: KeptTrade; row: RealOrderRow | null }
      let found: Awaited<ReturnType<VenueAccount['trading']['findOrder']>> = null
      try {
        const parts = ['real-auto-trade', symbol, timeframe, prediction.timestamp, signal, request?.key ?? '']
        const orderId = clientOrderId(userId, market.venue, venues.network, ...parts)
        found = signal === 'HOLD' ? null : await account.trading.findOrder(symbol, orderId)
        if (signal === 'SELL') {
          const opened = await accounts.find(db.orm, userId)
          if (opened !== undefined) await acted(db.orm, opened)
          restore = await lifted(userId, symbol, account)
        }
        const free = signal === 'SELL' ? await freeOf(account, quote.market.base) : 0
        made = await db.orm.transaction(async (tx) => {
          const accountId = await accounts.open(tx, userId, now())
          const before = request === null ? undefined : await replyBefore(tx, accountId, request)
          if (before !== undefined) return { kept: before as KeptTrade, row: null }
          quote.requireFresh()
          await acted(tx, accountId)
          const decided = await decide(tx, { accountId, keyMark: account.mark }, quote, draft, prediction, free)
          let row: RealOrderRow | null = null
          const { maxOrderNotional, maxDayNotional, currency } = await limits.read(userId, tx)
          const where =
            venues.network === 'testnet'
              ? `Real orders at the sandbox of ${market.venue} (testnet): no money of value.`
              : `REAL MONEY: orders go to your own account at ${market.venue}.`
          if (decided.intent !== null) {
            await requireFewUnsettled(tx, orders, userId)
            const { mark: keyMark } = account
            const of = { ...decided.intent, accountId, keyMark, symbol }
            const counted = await limits.require(tx, userId, { ...of, base: quote.market.base, price: quote.price })
            row = await real.intend(tx, { ...of, clientOrderId: orderId, counted })
          }
          const decision = `${saidBy(prediction)}: ${decided.why}`
          await note(tx, accountId, decided.action, decision, row?.id ?? null)
          const reply: AutoTrade = {
            isVirtual: false,
            venue: market.venue,
            market: market.kind,
            network: venues.network,
            symbol,
            timeframe,
            action: decided.action,
            decision,
            notice: `${where} Limits: at most ${shown(maxOrderNotional)} ${currency} an order and ${shown(maxDayNotional)} ${currency} in 24 hours.`,
            prediction,
            order: null,
            stopOrder: null,
            decidedAt: now(),
          }
          const kept: KeptTrade = { reply, orderId: row?.id ?? null }
          if (request !== null) await keepReply(tx, accountId, request, kept, now())
          return { kept, row }
        })
      } catch (error) {
        await guard.restore(restore, account)
        if (error instanceof AppError) {
          const reason = `${saidBy(prediction)}: ${error.message}`
          await db.orm.transaction(async (tx) =>
            note(tx, await accounts.open(tx, userId, now()), 'refused', reason, null),
          )
        }
        throw error
      }
      try {
        if (made.row !== null) await desk.carryOut(made.row, found, account)
        if (made.row?.guardPrice) await guardNow(made.row.id, account)
      } finally {
        await guard.restore(restore, account)
      }
      return answerOf(made.kept, quote.market.base)
    },
  }
}
