import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import type { VenuePosition } from '@shapecast/venues/live-trading'
import type { AccountStore } from '../books/account-store.ts'
import { numberOf, shown, unitsOf } from '../books/money.ts'
import { type OrderStore, UNSETTLED } from '../books/order-store.ts'
import type { OrderRow } from '../books/tables.ts'
import { type AccountMarket, freshTicker, type PriceSource } from '../broker/market-prices.ts'
import { onGrid } from '../broker/order-rules.ts'
import { averagePrice, otherSide } from './bot-holding.ts'
import { FIRST_LOOK_MS } from './order-progress.ts'
import type { SentOrderStore } from './sent-order-store.ts'
import type { SentOrders } from './sent-orders.ts'
import { pricesFor, type VenueAccount } from './venue-accounts.ts'

/** Between looks at a stop that stands. */
const STANDING_MS = 5_000
/** For so long no new stop is placed where one was lifted for a sale. */
const LIFTED_MS = 60_000
/** Between looks at what is too little for a stop. */
const TOO_LITTLE_MS = 60_000
/** What an account is said to have may lag so long behind its trades. */
const SETTLED_MS = 60_000

const FAILED = (row: OrderRow, why: string) =>
  `THE STOP-LOSS AT ${shown(row.guardPrice ?? 0)} DOES NOT STAND: ${why} It is being tried again.`

/** What keeps us from seeing whether an open stop still stands. */
const uncertain = ({ statusReason }: OrderRow): string | null =>
  statusReason === null ? null : `It is not certain that the stop-loss stands. ${statusReason}`

/** The side that closes what an order has opened, and on futures what says so. */
const exitOf = ({ side }: OrderRow, { trading }: VenueAccount) => ({
  side: otherSide(side),
  reduceOnly: trading.marketType === 'futures',
})

/**
 * The stop-losses of purchases, and on futures of entries of either side: stop orders at the exchange, each with an
 * intent of its own. What has to stand is kept with the entry, so that any process, after any crash, can see whether it does, and place what is missing.
 */
export const createStopGuard = (deps: {
  db: Database
  market: AccountMarket
  accounts: AccountStore
  orders: OrderStore
  sent: SentOrderStore
  sending: SentOrders
  log: Logger
  now: () => number
}) => {
  const { db, market, accounts, orders, sent, sending, log, now } = deps

  type Change = Partial<Pick<OrderRow, 'nextGuardMs' | 'statusReason'>>

  /** Lots of an entry that are neither closed nor in an order that is to close them. */
  async function unguarded(tx: Orm, buy: OrderRow, rules: Market, account: VenueAccount): Promise<number> {
    const { accountId, keyMark, symbol, id, side } = buy
    const entered = account.trading.marketType === 'spot' ? {} : { entrySide: side }
    const left = await sent.held(tx, { accountId, keyMark: keyMark!, symbol, base: rules.base, ...entered }, id)
    return floorToLot(numberOf(left), rules.lotSize)
  }

  /** Where the stop stands: away from what was paid on average, where it is so much from it, else as it was asked for. */
  async function stopPriceOf(tx: Orm, { id, side, guardPrice, guardPct }: OrderRow, rules: Market): Promise<number> {
    if (guardPct === null) return guardPrice!
    const average = averagePrice((await orders.fillsOf(tx, [id])).get(id) ?? [])
    return onGrid(rules, average * (1 + ((side === 'buy' ? -1 : 1) * guardPct) / 100))
  }

  /** A stop of a position that is none any more, which its exchange does not end by itself. */
  async function leftOver(tx: Orm, buy: OrderRow, { trading }: VenueAccount): Promise<string | null> {
    if (trading.marketType === 'spot') return null
    const { quantity } = await accounts.holding(tx, buy.accountId, buy.symbol)
    if (buy.side === 'buy' ? quantity > 0n : quantity < 0n) return null
    return (await orders.stopsOf(tx, buy.id)).find(({ status }) => status === 'open')?.id ?? null
  }

  /** What there is at the exchange to be closed, base. */
  async function thereOf({ symbol, side }: OrderRow, rules: Market, { trading }: VenueAccount) {
    const none = { free: 0, total: 0 }
    if (trading.marketType === 'spot')
      return (await trading.balances()).find(({ asset }) => asset === rules.base) ?? none
    const isOurs = (position: VenuePosition) => (position.side === 'long') === (side === 'buy')
    const held = (await trading.positions([symbol])).find(isOurs)?.quantity ?? 0
    return { free: held, total: held }
  }

  /** What is to be said of a purchase whose stop is there already. */
  async function wordsOf(
    tx: Orm,
    buy: OrderRow,
    stop: OrderRow,
    rules: Market,
    account: VenueAccount,
  ): Promise<string | null> {
    if (stop.status !== 'open') return FAILED(buy, 'it is not known yet whether the exchange has it.')
    const rest = await unguarded(tx, buy, rules, account)
    const covers = `${shown(numberOf(stop.quantity))} ${rules.base}`
    return (
      uncertain(stop) ??
      (rest > 0 ? `THE STOP-LOSS COVERS ${covers} ONLY: ${shown(rest)} were not free when it was placed.` : null)
    )
  }

  /** What is to be done next about a purchase that has no stop yet: a change of its row, or a stop to be sent. */
  async function plan(
    tx: Orm,
    entry: OrderRow,
    rules: Market,
    { has, price, account }: { has: { free: number; total: number }; price: number | null; account: VenueAccount },
  ): Promise<Change | { readonly stop: OrderRow }> {
    const { accountId, keyMark, symbol } = entry
    const exit = exitOf(entry, account)
    const isSpot = !exit.reduceOnly
    const ours = await unguarded(tx, entry, rules, account)
    if (ours <= 0) {
      if (await sent.hasUnsettled(tx, { accountId, symbol, side: exit.side }))
        return { nextGuardMs: now() + STANDING_MS }
      return { nextGuardMs: null, statusReason: null }
    }
    const guardPrice = await stopPriceOf(tx, entry, rules)
    const buy = { ...entry, guardPrice }
    const nextGuardMs = now() + STANDING_MS
    if (floorToLot(has.total, rules.lotSize) <= 0) {
      const gone = `Its ${isSpot ? 'coins are' : 'position is'} not at the exchange any more`
      return now() - (buy.closedAtMs ?? now()) < SETTLED_MS
        ? { nextGuardMs, statusReason: FAILED(buy, `${gone}.`) }
        : { nextGuardMs: null, statusReason: `${gone}: there is no stop-loss.` }
    }
    const amount = floorToLot(Math.min(ours, has.free), rules.lotSize)
    if (amount <= 0) return { nextGuardMs, statusReason: FAILED(buy, 'another order at the exchange has its coins.') }
    // The exchange refuses a stop whose price has been passed: then it closes at once, as it would have by then.
    const isPassed = price !== null && (exit.side === 'sell' ? price <= guardPrice : price >= guardPrice)
    if (isSpot && amount * (isPassed ? price : guardPrice) < rules.minNotional)
      return {
        // It may stay so for ever, and each look costs as much as twenty others.
        nextGuardMs: now() + TOO_LITTLE_MS,
        statusReason: FAILED(buy, `${shown(amount)} ${rules.base} are too little for it.`),
      }
    const stop = await sending.intend(tx, {
      accountId,
      keyMark,
      clientOrderId: clientOrderId(buy.clientOrderId, 'stop', buy.guardTries),
      symbol,
      ...exit,
      type: isPassed ? 'market' : 'stop',
      quantity: unitsOf(amount),
      price: isPassed ? null : guardPrice,
      source: buy.source === 'bot' ? 'bot' : 'auto_trade',
      exitReason: buy.source === 'bot' ? 'stop_loss' : null,
      guardsId: buy.id,
    })
    await orders.change(tx, buy.id, {
      guardPrice,
      guardTries: buy.guardTries + 1,
      nextGuardMs: now() + FIRST_LOOK_MS,
    })
    const after = await orders.read(tx, stop.id)
    const subject = { type: 'order', id: stop.id }
    await recordAudit(tx, { actorId: null, address: null, action: 'order.placed', subject, after })
    return { stop }
  }

  /** Under the account's lock: whether there is a stop already, or it is too early for one; else undefined. */
  async function standing(tx: Orm, buy: OrderRow, account: VenueAccount, rules: Market): Promise<Change | undefined> {
    if (buy.nextGuardMs === null) return {}
    const stops = await orders.stopsOf(tx, buy.id)
    const stop = stops.find(({ status }) => UNSETTLED.includes(status))
    if (stop !== undefined)
      return { nextGuardMs: now() + STANDING_MS, statusReason: await wordsOf(tx, buy, stop, rules, account) }
    if (buy.keyMark !== account.mark)
      return {
        nextGuardMs: now() + LIFTED_MS,
        statusReason: FAILED(buy, 'its API key has been replaced by one of another account.'),
      }
    switch (buy.status) {
      case 'filled':
      case 'cancelled':
      case 'expired':
        if (buy.filled === 0n) return { nextGuardMs: null }
        if ((await sent.knownFilled(tx, buy.id)) >= buy.filled) return undefined
        return { nextGuardMs: now() + 2_000, statusReason: FAILED(buy, 'what it has to guard is not known yet.') }
      default:
        // It is guarded once it has ended; one that was not placed may turn up for as long as it is looked up.
        return { nextGuardMs: buy.nextLookMs === null ? null : Math.max(buy.nextLookMs, now()) + 1_000 }
    }
  }

  /** Null where there is no price now, or only a stale one. */
  async function priceOf(prices: PriceSource, symbol: string): Promise<number | null> {
    const last = (await freshTicker(prices, symbol))?.last ?? 0
    return last > 0 ? last : null
  }

  const locked = <T>(id: string, work: (tx: Orm, buy: OrderRow) => Promise<T>): Promise<T> =>
    db.orm.transaction(async (tx) => {
      await accounts.lock(tx, (await orders.row(tx, id)).accountId)
      return work(tx, await orders.lock(tx, id))
    })

  /** Sets when a purchase is looked at next, unless it is not guarded any more. */
  const guardNext = (id: string, nextGuardMs: number): Promise<void> =>
    locked(id, async (tx, buy) => {
      if (buy.nextGuardMs !== null) await orders.change(tx, id, { nextGuardMs })
    })

  /** Cancels a stop; one that has ended meanwhile is as good. Throws what the exchange throws. */
  async function cancelStop(id: string, account: VenueAccount): Promise<void> {
    try {
      await sending.cancel(id, account)
    } catch (error) {
      if (UNSETTLED.includes((await orders.row(db.orm, id)).status)) throw error
    }
  }

  return {
    /** Sees to it that the stop of a purchase stands, or sells where the price has passed it already. Throws what the exchange throws but refusals of the stop. */
    async guard(buyId: string, account: VenueAccount): Promise<void> {
      const entry = await orders.row(db.orm, buyId)
      const { symbol } = entry
      const prices = pricesFor(market, account)
      const rules = (await prices.markets()).find(({ id }) => id === symbol)
      if (rules === undefined) throw new AppError('unknown_symbol', `${market.venue} has no market ${symbol} now.`)
      const old = await locked(buyId, (tx, buy) => leftOver(tx, buy, account))
      if (old !== null) await cancelStop(old, account)
      const settled = await locked(buyId, async (tx, buy) => {
        const set = await standing(tx, buy, account, rules)
        if (set !== undefined) await orders.change(tx, buyId, set)
        return set !== undefined
      })
      if (settled) return
      const has = await thereOf(entry, rules, account)
      const price = await priceOf(prices, symbol)
      const stop = await locked(buyId, async (tx, buy) => {
        const planned =
          (await standing(tx, buy, account, rules)) ?? (await plan(tx, buy, rules, { has, price, account }))
        if ('stop' in planned) return planned.stop
        await orders.change(tx, buyId, planned)
        return null
      })
      if (stop === null) return
      let why = 'it is not known yet whether the exchange has it.'
      let open = false
      try {
        await sending.send(stop, account)
        open = !['sending', 'rejected', 'not_placed'].includes((await orders.row(db.orm, stop.id)).status)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        why = error.message
      }
      await locked(buyId, async (tx, buy) => {
        if (buy.nextGuardMs === null) return
        const nextGuardMs = now() + (open ? STANDING_MS : STANDING_MS * 2 ** Math.min(buy.guardTries, 6))
        const row = await orders.row(tx, stop.id)
        const statusReason = !open
          ? FAILED(buy, why)
          : row.status === 'open'
            ? await wordsOf(tx, buy, row, rules, account)
            : null
        await orders.change(tx, buyId, { nextGuardMs, statusReason })
        if (!open) log.error({ order: buyId, stop: stop.id, why }, 'a stop-loss does not stand')
      })
    },

    /** For when nothing can be done now. */
    async putOff(buyId: string, why: string): Promise<void> {
      await locked(buyId, async (tx, buy) => {
        if (buy.nextGuardMs === null) return
        const stands = (await orders.stopsOf(tx, buyId)).some(({ status }) => status === 'open')
        await orders.change(tx, buyId, {
          nextGuardMs: now() + 2 * STANDING_MS,
          ...(stands || buy.filled === 0n ? {} : { statusReason: FAILED(buy, why) }),
        })
      })
    },

    /** Has the owner cancel a stop by `cancel`: once that is done the purchase is not guarded any more. */
    async release(buyId: string, cancel: () => Promise<void>): Promise<void> {
      await guardNext(buyId, now() + LIFTED_MS)
      try {
        await cancel()
      } catch (error) {
        await guardNext(buyId, now())
        throw error
      }
      const statusReason = 'Its stop-loss was cancelled by you.'
      await locked(buyId, (tx) => orders.change(tx, buyId, { nextGuardMs: null, statusReason }))
    },

    /**
     * Cancels the stops of one coin so that what they guard can be sold. Answers the purchases that they guarded: give
     * them to `restore` whatever comes of the sale. Throws `conflict` where a stop may still be there.
     */
    async lift(of: { accountId: string; symbol: string }, account: VenueAccount): Promise<string[]> {
      const stops = await sent.unsettledStops(db.orm, { ...of, keyMark: account.mark })
      const buys = [...new Set(stops.flatMap(({ guardsId }) => guardsId ?? []))]
      for (const id of buys) await guardNext(id, now() + LIFTED_MS)
      try {
        for (const { id } of stops) await cancelStop(id, account)
      } catch (error) {
        await this.restore(buys, account)
        throw error
      }
      return buys
    },

    /** Places anew what was lifted and has not been sold; a worker does it where this fails. */
    async restore(buys: readonly string[], account: VenueAccount): Promise<void> {
      for (const id of buys)
        try {
          await guardNext(id, now())
          await this.guard(id, account)
        } catch (error) {
          log.error({ err: error, order: id }, 'a stop-loss could not be placed anew; it will be tried again')
        }
    },
  }
}
export type StopGuard = ReturnType<typeof createStopGuard>
