import type { Network, Order } from '@shapecast/contracts/accounts'
import type { MarketKind } from '@shapecast/contracts/market'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenueFill } from '@shapecast/venues/live-trading'
import { and, asc, count, desc, eq, inArray, lte } from 'drizzle-orm'
import { numberOf, type Units, unitsOf } from '../money.ts'
import { accounts } from '../tables.ts'
import { heldCoins } from './held-coins.ts'
import { type RealOrderRow, realFills, realOrderEvents, realOrders } from './tables.ts'

export type NewRealOrder = Omit<typeof realOrders.$inferInsert, 'id' | 'network'>
type Fill = typeof realFills.$inferSelect

/** States in which the exchange may still do something with an order. */
export const UNSETTLED: readonly RealOrderRow['status'][] = ['sending', 'open']

const NUMERIC = { numeric: true }

/** Quote per base, weighted by quantity. */
function averageOf(fills: readonly Fill[]): number {
  const [first] = fills
  if (fills.every(({ price }) => price === first!.price)) return first!.price
  let [value, quantity] = [0, 0]
  for (const fill of fills) {
    value += fill.price * numberOf(fill.quantity)
    quantity += numberOf(fill.quantity)
  }
  return value / quantity
}

/** Real orders, their trades, and what was said about them, on one venue and network. */
export const createRealOrderStore = (
  source: { readonly venue: string; readonly kind: MarketKind },
  network: Network,
) => {
  const shown = (row: RealOrderRow, fills: readonly Fill[]): Order => {
    const fees = new Map<string, Units>()
    for (const { asset, amount } of fills.flatMap((fill) => fill.fees))
      fees.set(asset, (fees.get(asset) ?? 0n) + unitsOf(amount))
    const times = fills.flatMap(({ venueMs }) => venueMs ?? [])
    const told = fills.reduce((sum, { quantity }) => sum + quantity, 0n)
    return {
      id: row.id,
      clientOrderId: row.clientOrderId,
      symbol: row.symbol,
      side: row.side,
      type: row.type,
      status: row.status,
      statusReason: row.statusReason,
      amount: numberOf(row.quantity),
      filled: numberOf(row.filled),
      price: row.type === 'stop' ? null : row.price,
      stopPrice: row.type === 'stop' ? row.price : null,
      // What the exchange calls the average is rounded.
      average: told > 0n && told === row.filled ? averageOf(fills) : row.average,
      fee: numberOf(fees.get('USDT') ?? 0n),
      fees: [...fees].map(([asset, amount]) => ({ asset, amount: numberOf(amount) })),
      fills: fills
        .toSorted((a, b) => (a.venueMs ?? 0) - (b.venueMs ?? 0) || a.tradeId.localeCompare(b.tradeId, 'en', NUMERIC))
        .map(({ tradeId, price, quantity, fees, venueMs }) => ({
          tradeId,
          price,
          amount: numberOf(quantity),
          fees,
          at: venueMs,
        })),
      pnl: null,
      source: row.source,
      isVirtual: false,
      venue: source.venue,
      market: source.kind,
      network: row.network,
      createdAt: row.createdAtMs,
      closedAt: row.closedAtMs,
      filledAtMarketTime: times.length === 0 ? null : Math.max(...times),
    }
  }
  const fillsOf = (orm: Orm, ids: readonly string[]): Promise<Fill[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : orm
          .select()
          .from(realFills)
          .where(inArray(realFills.orderId, [...ids]))
  /** Orders of everybody whose time in `column` has come, with whose they are. */
  const dueBy = (
    orm: Orm,
    column: typeof realOrders.nextLookMs | typeof realOrders.nextGuardMs,
    nowMs: number,
    limit: number,
  ): Promise<{ order: RealOrderRow; userId: string }[]> =>
    orm
      .select({ order: realOrders, userId: accounts.userId })
      .from(realOrders)
      .innerJoin(accounts, eq(accounts.id, realOrders.accountId))
      .where(and(eq(accounts.venue, source.venue), eq(realOrders.network, network), lte(column, nowMs)))
      .orderBy(asc(column))
      .limit(limit)
  const ofUser = (userId: string) => and(eq(accounts.userId, userId), eq(accounts.venue, source.venue))

  return {
    /** The order with its intent, as what it will be sent as. */
    async insert(tx: Orm, order: NewRealOrder): Promise<RealOrderRow> {
      const [row] = await tx
        .insert(realOrders)
        .values({ ...order, network })
        .returning()
      return row!
    },

    async change(tx: Orm, id: string, set: Partial<NewRealOrder>): Promise<void> {
      if (Object.keys(set).length > 0) await tx.update(realOrders).set(set).where(eq(realOrders.id, id))
    },

    async event(
      tx: Orm,
      orderId: string,
      what: (typeof realOrderEvents.$inferInsert)['what'],
      said: unknown,
      atMs: number,
    ): Promise<void> {
      await tx.insert(realOrderEvents).values({ orderId, what, said, atMs })
    },

    async lock(tx: Orm, id: string): Promise<RealOrderRow> {
      const [row] = await tx.select().from(realOrders).where(eq(realOrders.id, id)).for('update')
      return row!
    },

    async row(orm: Orm, id: string): Promise<RealOrderRow> {
      const [row] = await orm.select().from(realOrders).where(eq(realOrders.id, id))
      return row!
    },

    /** The user's order; undefined where it is not one of his. */
    async ofUser(orm: Orm, userId: string, id: string): Promise<RealOrderRow | undefined> {
      const [found] = await orm
        .select({ order: realOrders })
        .from(realOrders)
        .innerJoin(accounts, eq(accounts.id, realOrders.accountId))
        .where(and(eq(realOrders.id, id), ofUser(userId)))
      return found?.order
    },

    /** As the API shows it. */
    async read(orm: Orm, id: string): Promise<Order> {
      const [row] = await orm.select().from(realOrders).where(eq(realOrders.id, id))
      return shown(row!, await fillsOf(orm, [id]))
    },

    /** Of both networks, the newest first. */
    async list(orm: Orm, userId: string, query: { symbol?: string | undefined; limit: number }): Promise<Order[]> {
      const rows = await orm
        .select({ order: realOrders })
        .from(realOrders)
        .innerJoin(accounts, eq(accounts.id, realOrders.accountId))
        .where(and(ofUser(userId), query.symbol === undefined ? undefined : eq(realOrders.symbol, query.symbol)))
        .orderBy(desc(realOrders.id))
        .limit(query.limit)
      const fills = Map.groupBy(
        await fillsOf(
          orm,
          rows.map(({ order }) => order.id),
        ),
        ({ orderId }) => orderId,
      )
      return rows.map(({ order }) => shown(order, fills.get(order.id) ?? []))
    },

    async countUnsettled(orm: Orm, userId: string): Promise<number> {
      const [row] = await orm
        .select({ n: count() })
        .from(realOrders)
        .innerJoin(accounts, eq(accounts.id, realOrders.accountId))
        .where(and(ofUser(userId), eq(realOrders.network, network), inArray(realOrders.status, [...UNSETTLED])))
      return row?.n ?? 0
    },

    /** Orders that are to be looked up by now, those that have waited longest first. */
    due: (orm: Orm, nowMs: number, limit: number) => dueBy(orm, realOrders.nextLookMs, nowMs, limit),

    /** Purchases whose stop-loss is to be looked after by now, likewise. */
    toGuard: (orm: Orm, nowMs: number, limit: number) => dueBy(orm, realOrders.nextGuardMs, nowMs, limit),

    /** The stops that were placed for a purchase, the newest first. */
    stopsOf: (orm: Orm, id: string): Promise<RealOrderRow[]> =>
      orm.select().from(realOrders).where(eq(realOrders.guardsId, id)).orderBy(desc(realOrders.id)),

    /** Stops of one coin that stand, or of which it is not known. */
    unsettledStops: (orm: Orm, of: { accountId: string; keyMark: string; symbol: string }): Promise<RealOrderRow[]> =>
      orm
        .select()
        .from(realOrders)
        .where(
          and(
            eq(realOrders.accountId, of.accountId),
            eq(realOrders.network, network),
            eq(realOrders.keyMark, of.keyMark),
            eq(realOrders.symbol, of.symbol),
            eq(realOrders.type, 'stop'),
            inArray(realOrders.status, [...UNSETTLED]),
          ),
        )
        .orderBy(realOrders.id),

    /** Whether a sale of one coin may yet fill. */
    async hasUnsettledSale(orm: Orm, of: { accountId: string; symbol: string }): Promise<boolean> {
      const [row] = await orm
        .select({ n: count() })
        .from(realOrders)
        .where(
          and(
            eq(realOrders.accountId, of.accountId),
            eq(realOrders.network, network),
            eq(realOrders.symbol, of.symbol),
            eq(realOrders.side, 'sell'),
            inArray(realOrders.status, [...UNSETTLED]),
          ),
        )
      return (row?.n ?? 0) > 0
    },

    /** The highest stop that stands, by symbol. */
    async openStops(orm: Orm, userId: string): Promise<Map<string, number>> {
      const rows = await orm
        .select({ symbol: realOrders.symbol, price: realOrders.price })
        .from(realOrders)
        .innerJoin(accounts, eq(accounts.id, realOrders.accountId))
        .where(
          and(
            ofUser(userId),
            eq(realOrders.network, network),
            eq(realOrders.type, 'stop'),
            eq(realOrders.status, 'open'),
          ),
        )
      const highest = new Map<string, number>()
      for (const { symbol, price } of rows) highest.set(symbol, Math.max(price ?? 0, highest.get(symbol) ?? 0))
      return highest
    },

    async addFills(tx: Orm, orderId: string, fills: readonly VenueFill[], atMs: number): Promise<void> {
      if (fills.length === 0) return
      const rows = fills.map(({ id, price, quantity, fees, timestampMs }) => ({
        orderId,
        tradeId: id,
        price,
        quantity: unitsOf(quantity),
        fees: [...fees],
        venueMs: timestampMs,
        atMs,
      }))
      await tx.insert(realFills).values(rows).onConflictDoNothing()
    },

    /** Base in the trades that we know of. */
    async knownFilled(orm: Orm, orderId: string): Promise<Units> {
      return (await fillsOf(orm, [orderId])).reduce((sum, { quantity }) => sum + quantity, 0n)
    },

    /**
     * Base that orders of this account under this key have bought and not sold, or what one purchase has left of it: see
     * `heldCoins`. Of a purchase count the trades that we know of.
     */
    async held(
      tx: Orm,
      of: { accountId: string; keyMark: string; symbol: string; base: string },
      buyId?: string,
    ): Promise<Units> {
      const rows = await tx
        .select()
        .from(realOrders)
        .where(
          and(
            eq(realOrders.accountId, of.accountId),
            eq(realOrders.network, network),
            eq(realOrders.keyMark, of.keyMark),
            eq(realOrders.symbol, of.symbol),
          ),
        )
        .orderBy(realOrders.id)
      const buys = rows.filter(({ side }) => side === 'buy').map(({ id }) => id)
      const fills = Map.groupBy(await fillsOf(tx, buys), ({ orderId }) => orderId)
      return heldCoins(rows, (id) => broughtBy(fills.get(id) ?? [], of.base), buyId)
    },
  }
}

/** Base that the trades of purchases brought, less what they cost in coins. */
function broughtBy(fills: readonly Fill[], base: string): Units {
  let brought = 0n
  for (const { quantity, fees } of fills) {
    brought += quantity
    for (const { asset, amount } of fees) if (asset === base) brought -= unitsOf(amount)
  }
  return brought
}

export type RealOrderStore = ReturnType<typeof createRealOrderStore>
