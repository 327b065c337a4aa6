import type { Order, orders as userOrders } from '@shapecast/contracts/accounts'
import type { RebalanceOrder } from '@shapecast/contracts/bot-rebalances'
import type { QueryOf } from '@shapecast/contracts/endpoint'
import type { MarketKind } from '@shapecast/contracts/market'
import { type Doer, recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, getTableColumns, gt, inArray, lt, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/pg-core'
import { numberOf, type Units, unitsOf } from './money.ts'
import { type AccountRow, accounts, type FillRow, fills, type OrderRow, orders } from './tables.ts'

export type NewOrder = typeof orders.$inferInsert
export type NewFill = typeof fills.$inferInsert
/** An order with the account that it is of. */
export interface OwnedOrder {
  readonly order: OrderRow
  readonly account: Pick<AccountRow, 'id' | 'ownerId' | 'kind' | 'network'>
}

/** Which orders of a user; what is left out does not choose. */
export type OrderQuery = QueryOf<typeof userOrders> & {
  /** The id of an order: those that were made before it. */
  readonly before?: string | undefined
}

/** States in which something may still happen to an order. */
export const UNSETTLED: readonly OrderRow['status'][] = ['sending', 'open']
export const IS_UNSETTLED = inArray(orders.status, [...UNSETTLED])

/** Base in the trades that are known of an order. */
export const BOOKED = sql`(select coalesce(sum(${fills.quantity}), 0) from ${fills} where ${fills.orderId} = ${orders.id})`
/** Base that an order has filled beyond the trades that are known of it. */
export const UNBOOKED = sql<string>`${orders.filled} - ${BOOKED}`
/** Of orders that have filled by more than the trades that are known of them. */
export const LACKS_FILLS = gt(orders.filled, BOOKED)

/** Orders with the accounts that they are of. */
export const ownedOrders = <Columns extends SelectedFields>(orm: Orm, columns: Columns) =>
  orm.select(columns).from(orders).innerJoin(accounts, eq(accounts.id, orders.accountId))

/** Base of a fill, below 0 sold. */
export const TRADED = sql`case when ${orders.side} = 'buy' then ${fills.quantity} else -${fills.quantity} end`

/** An order as it is, of a query with others. */
export const ORDER = getTableColumns(orders)

/** Base or quote in all rows of a query. */
export const sumOf = (column: SQLWrapper) => sql<Units>`coalesce(sum(${column}), 0)`.mapWith(orders.filled)

const NUMERIC = { numeric: true }
const ACCOUNT = { id: accounts.id, ownerId: accounts.ownerId, kind: accounts.kind, network: accounts.network }

/** Quote per base, weighted by quantity; 0 if there is no trade. */
export function averagePrice(of: readonly Pick<FillRow, 'price' | 'quantity'>[]): number {
  const [first] = of
  if (first !== undefined && of.every(({ price }) => price === first.price)) return first.price
  const quantity = of.reduce((sum, fill) => sum + numberOf(fill.quantity), 0)
  return quantity === 0 ? 0 : of.reduce((sum, fill) => sum + fill.price * numberOf(fill.quantity), 0) / quantity
}

const total = (amounts: Iterable<Units>): Units => [...amounts].reduce((sum, amount) => sum + amount, 0n)

/** What only an exchange can tell of an order. */
function atExchange(network: AccountRow['network'], of: readonly FillRow[]) {
  const fees = new Map<string, Units>()
  for (const { asset, amount } of of.flatMap((fill) => fill.fees ?? []))
    fees.set(asset, (fees.get(asset) ?? 0n) + unitsOf(amount))
  return {
    network: network!,
    fees: [...fees].map(([asset, amount]) => ({ asset, amount: numberOf(amount) })),
    fills: of
      .toSorted((a, b) => (a.marketMs ?? 0) - (b.marketMs ?? 0) || a.tradeId.localeCompare(b.tradeId, 'en', NUMERIC))
      .map(({ tradeId, price, quantity, fees, marketMs }) => ({
        tradeId,
        price,
        amount: numberOf(quantity),
        fees: fees ?? [],
        at: marketMs,
      })),
  }
}

/** Orders and what filled them, read and as they are shown. */
const readingOf = (source: { readonly venue: string; readonly kind: MarketKind }) => {
  const shown = ({ order, account }: OwnedOrder, of: readonly FillRow[]): Order => {
    const times = of.flatMap(({ marketMs }) => marketMs ?? [])
    const profits = of.flatMap(({ pnl }) => pnl ?? [])
    const known = total(of.map(({ quantity }) => quantity))
    const { id, clientOrderId, symbol, side, type, status, statusReason, reduceOnly } = order
    return {
      id,
      clientOrderId,
      symbol,
      side,
      type,
      status,
      statusReason,
      reduceOnly,
      source: order.source,
      amount: numberOf(order.quantity),
      filled: numberOf(order.filled),
      price: order.type === 'limit' ? order.price : null,
      stopPrice: order.type === 'limit' ? null : order.price,
      // What the exchange calls the average is rounded.
      average: known > 0n && known === order.filled ? averagePrice(of) : order.average,
      fee: numberOf(total(of.map(({ fee }) => fee))),
      pnl: profits.length === 0 ? null : numberOf(total(profits)),
      isVirtual: account.kind === 'virtual',
      venue: source.venue,
      market: source.kind,
      ...(account.kind === 'real' ? atExchange(account.network, of) : {}),
      createdAt: order.createdAtMs,
      closedAt: order.closedAtMs,
      filledAtMarketTime: times.length === 0 ? null : Math.max(...times),
    }
  }

  const owned = (orm: Orm, where: SQL | undefined) => ownedOrders(orm, { order: orders, account: ACCOUNT }).where(where)
  const ofOwner = (kind: AccountRow['ownerKind'], id: string) =>
    and(eq(accounts.ownerKind, kind), eq(accounts.ownerId, id), eq(accounts.venue, source.venue))

  const fillsOf = async (orm: Orm, ids: readonly string[]): Promise<Map<string, FillRow[]>> => {
    if (ids.length === 0) return new Map()
    const rows = await orm
      .select()
      .from(fills)
      .where(inArray(fills.orderId, [...ids]))
    return Map.groupBy(rows, ({ orderId }) => orderId)
  }

  async function newest(orm: Orm, where: SQL | undefined, limit: number): Promise<Order[]> {
    const found = await owned(orm, where).orderBy(desc(orders.seq)).limit(limit)
    const filled = await fillsOf(
      orm,
      found.map(({ order }) => order.id),
    )
    return found.map((each) => shown(each, filled.get(each.order.id) ?? []))
  }
  return {
    fillsOf,

    /** As the API shows it. */
    async read(orm: Orm, id: string): Promise<Order> {
      const [found] = await owned(orm, eq(orders.id, id))
      return shown(found!, (await fillsOf(orm, [id])).get(id) ?? [])
    },

    /** The user's order; undefined where it is not one of his. */
    ofUser: async (orm: Orm, userId: string, id: string): Promise<OwnedOrder | undefined> =>
      (await owned(orm, and(eq(orders.id, id), ofOwner('user', userId))))[0],

    /** Of all accounts of a user, the newest first. */
    list(orm: Orm, userId: string, { symbol, isVirtual, state, before, limit }: OrderQuery): Promise<Order[]> {
      const wanted = and(
        symbol === undefined ? undefined : eq(orders.symbol, symbol),
        isVirtual === undefined ? undefined : eq(accounts.kind, isVirtual ? 'virtual' : 'real'),
        state && (state === 'open' ? IS_UNSETTLED : not(IS_UNSETTLED)),
        before === undefined
          ? undefined
          : lt(orders.seq, orm.select({ seq: orders.seq }).from(orders).where(eq(orders.id, before))),
      )
      return newest(orm, and(ofOwner('user', userId), wanted), limit)
    },

    /** Of all accounts of a bot, the newest first. */
    ofBot: (orm: Orm, botId: string, limit: number): Promise<Order[]> => newest(orm, ofOwner('bot', botId), limit),
  }
}

/** Orders whose end is not known yet. */
const SETTLING = {
  /** Orders of a bot that it has not applied, in the order of their making. */
  toSettle: (orm: Orm, accountId: string): Promise<OrderRow[]> =>
    orm
      .select()
      .from(orders)
      .where(and(eq(orders.accountId, accountId), eq(orders.toSettle, true)))
      .orderBy(orders.seq),

  async settled(tx: Orm, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await tx
      .update(orders)
      .set({ toSettle: false })
      .where(inArray(orders.id, [...ids]))
  },

  countUnsettled: (orm: Orm, accountId: string): Promise<number> =>
    orm.$count(orders, and(eq(orders.accountId, accountId), IS_UNSETTLED)),

  /** In the order of their making. */
  unsettled: (orm: Orm, accountId: string): Promise<OrderRow[]> =>
    orm
      .select()
      .from(orders)
      .where(and(eq(orders.accountId, accountId), IS_UNSETTLED))
      .orderBy(orders.seq),

  /** The stops and targets that were placed for an entry, the newest first. */
  stopsOf: (orm: Orm, id: string): Promise<OrderRow[]> =>
    orm.select().from(orders).where(eq(orders.guardsId, id)).orderBy(desc(orders.seq)),

  /** The highest stop that stands, by symbol. */
  async openStops(orm: Orm, accountId: string): Promise<Map<string, number>> {
    const rows = await orm
      .select({ symbol: orders.symbol, price: orders.price })
      .from(orders)
      .where(and(eq(orders.accountId, accountId), eq(orders.status, 'open'), eq(orders.type, 'stop')))
    const highest = new Map<string, number>()
    for (const { symbol, price } of rows) highest.set(symbol, Math.max(price ?? 0, highest.get(symbol) ?? 0))
    return highest
  },
}

/** Writes orders and their fills. */
const WRITING = {
  async insert(tx: Orm, order: NewOrder): Promise<OrderRow> {
    const [row] = await tx.insert(orders).values(order).returning()
    return row!
  },

  async insertAll(tx: Orm, made: NewOrder[]): Promise<void> {
    if (made.length > 0) await tx.insert(orders).values(made)
  },

  async change(tx: Orm, id: string, set: Partial<NewOrder>): Promise<void> {
    if (Object.keys(set).length > 0) await tx.update(orders).set(set).where(eq(orders.id, id))
  },

  /** Adds the trades that are new, and answers those. */
  addFills: async (tx: Orm, rows: NewFill[]): Promise<FillRow[]> =>
    rows.length === 0 ? [] : tx.insert(fills).values(rows).onConflictDoNothing().returning(),

  async lock(tx: Orm, id: string): Promise<OrderRow> {
    const [row] = await tx.select().from(orders).where(eq(orders.id, id)).for('update')
    return row!
  },
}

/** Orders and what filled them, on one venue, paper and real. */
export const createOrderStore = (source: { readonly venue: string; readonly kind: MarketKind }) => {
  const reading = readingOf(source)
  return {
    ...SETTLING,

    ...WRITING,

    ...reading,

    /**
     * What these orders, with what took what they had left, were filled at, each against the price before slippage, or of
     * real ones that at which it was wanted.
     */
    async executed(orm: Orm, wanted: readonly WantedPrice[]): Promise<ExecutedOrder[]> {
      if (wanted.length === 0) return []
      const { rows } = await orm.execute<{ [K in keyof ExecutedOrder]: ExecutedOrder[K] }>(sql`
        select w."orderId", o.symbol, o.side, sum(f.quantity)::float8 as quantity, sum(f.notional)::float8 as value,
          case when min(f.price) = max(f.price) then min(f.price)
            else sum(f.price * f.quantity::float8) / sum(f.quantity)::float8 end as price,
          sum(f.fee)::float8 as fee, bool_or(o.rests_until_ms is not null or o.rest_of_id is not null) as waited,
          sum(case when o.side = 'buy' then 1 else -1 end * (f.price - coalesce(f.raw_price, w.price, f.price)) * f.quantity::float8) as slippage
        from json_to_recordset(${JSON.stringify(wanted)}::json) as w("orderId" uuid, price double precision)
        join ${orders} o on o.id = w."orderId" or o.rest_of_id = w."orderId"
        join ${fills} f on f.order_id = o.id
        group by w."orderId", o.symbol, o.side`)
      return rows
    },

    async row(orm: Orm, id: string): Promise<OrderRow> {
      const [row] = await orm.select().from(orders).where(eq(orders.id, id))
      return row!
    },

    /** Puts on record what was done with an order, and how it is since. */
    async audit(tx: Orm, doer: Doer, what: string, id: string, before?: object): Promise<void> {
      const after = await reading.read(tx, id)
      await recordAudit(tx, doer, { action: `order.${what}`, subject: { type: 'order', id }, before, after })
    },
  }
}

/** An order with the price at which it was wanted, quote per base; null where that is not known. */
export interface WantedPrice {
  readonly orderId: string
  readonly price: number | null
}
export interface ExecutedOrder extends RebalanceOrder {
  readonly orderId: string
  /** Whether it waited at a limit first. */
  readonly waited: boolean
}
/** What orders were filled at. */
export type ReadExecuted = (wanted: readonly WantedPrice[]) => Promise<ExecutedOrder[]>

export type OrderStore = ReturnType<typeof createOrderStore>
