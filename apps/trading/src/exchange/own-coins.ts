import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, gt, gte, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Ledger } from '../ledger/ledger.ts'
import { least, type Units, unitsOf } from '../ledger/money.ts'
import { BOOKED, IS_UNSETTLED, LACKS_FILLS, sumOf, UNBOOKED, UNSETTLED } from '../ledger/order-store.ts'
import { type FillRow, type OrderRow, orders } from '../ledger/tables.ts'
import { otherSide } from './protective-legs.ts'

/** Orders of one coin of an account, sent with keys of one account at the exchange. */
export interface SentFor {
  readonly accountId: string
  readonly keyMark: string
  readonly symbol: string
}

/** What of a market is held by an account: coins, or on futures the positions that are entered on one side. */
export interface HeldFor extends SentFor {
  readonly base: string
  readonly entrySide?: 'buy' | 'sell'
}

export const sentFor = ({ accountId, keyMark, symbol }: SentFor) =>
  and(eq(orders.accountId, accountId), eq(orders.keyMark, keyMark), eq(orders.symbol, symbol))

// What lacks trades is looked up again, so that the rest, years of orders, need not be gone through.
const mayChange = or(IS_UNSETTLED, and(isNotNull(orders.nextLookMs), LACKS_FILLS))
/** Base that an order has traded or may yet trade, and that is not booked. */
export const MAY_COME = sql`${UNBOOKED} + case when ${IS_UNSETTLED} then ${orders.quantity} - ${orders.filled} else 0 end`
/** What of a sale can be of our coins: of one by a bot all. */
const OURS = sql`coalesce(${orders.ours}, ${orders.quantity})`
/** Of our coins what a sale has traded or may yet trade, and that is not booked. */
const PENDING = sql`greatest(
  least(${OURS}, case when ${IS_UNSETTLED} then ${orders.quantity} else ${orders.filled} end) - least(${OURS}, ${BOOKED}), 0)`

const units = (column: SQL) => sql<Units>`${column}`.mapWith(orders.filled)

/** Entries read at a time, the newest first: the newest few have brought what is held. */
const ENTRIES_AT_ONCE = 10

/** Base that trades of a purchase brought, less what they cost in coins. */
export function broughtBy(of: readonly Pick<FillRow, 'quantity' | 'fees'>[], base: string): Units {
  let brought = 0n
  for (const { quantity, fees } of of) {
    brought += quantity
    for (const { asset, amount } of fees ?? []) if (asset === base) brought -= unitsOf(amount)
  }
  return brought
}

const most = (a: Units, b: Units): Units => (a > b ? a : b)

/** The accounts and orders that coins are looked up in. */
export type Stores = Pick<Ledger, 'accounts' | 'orders'>
type Side = SentFor & Pick<HeldFor, 'entrySide'>

// What is held of what was bought here, and so may be sold here. An account at the exchange may hold coins of other origin
// too: they are never counted. A sale by hand takes of ours what the sales that waited when it was made did not keep, and
// where it is not known whose coins a sale took, ours count as sold. All under the account's lock.

/** Base that is held and in no order that is to close it. */
export const heldFree = async (ctx: Stores, tx: Orm, of: HeldFor): Promise<Units> => (await walk(ctx, tx, of)).held

/** Our coins that a sale finds, with those that it has taken: what was bought after it is none of them. */
export const foundBy = async (ctx: Stores, tx: Orm, of: SentFor, sale: OrderRow): Promise<Units> =>
  (await walk(ctx, tx, of, sale)).held

const closers = (of: Side) =>
  of.entrySide === undefined
    ? and(sentFor(of), eq(orders.side, 'sell'))
    : and(sentFor(of), eq(orders.side, otherSide(of.entrySide)), eq(orders.reduceOnly, true))

/** Base that is held on the side, whatever waits to close it. */
async function sizeOf({ accounts }: Stores, tx: Orm, { accountId, symbol, keyMark, entrySide }: Side) {
  const { quantity } = await accounts.holding(tx, accountId, symbol, keyMark)
  return most(entrySide === 'sell' ? -quantity : quantity, 0n)
}

/**
 * Goes through the orders since the oldest sale that is not settled and booked, in the order of their making: none takes
 * what was bought after it. Answers what is held in the end, or where `until` stands, and what each sale may yet take.
 */
async function walk(ctx: Stores, tx: Orm, of: Side, until?: OrderRow) {
  const size = await sizeOf(ctx, tx, of)
  const isClosing = closers(of)
  const open = and(isClosing, mayChange)
  const [oldest] = await tx.select({ seq: orders.seq }).from(orders).where(open).orderBy(orders.seq).limit(1)
  const from = Math.min(oldest?.seq ?? Number.POSITIVE_INFINITY, until?.seq ?? Number.POSITIVE_INFINITY)
  const pending = new Map<string, Units>()
  if (from === Number.POSITIVE_INFINITY) return { size, held: size, pending }
  const rows = await tx
    .select({ order: orders, pending: units(PENDING), closes: sql<boolean>`coalesce(${isClosing}, false)` })
    .from(orders)
    .where(and(sentFor(of), gte(orders.seq, from)))
    .orderBy(orders.seq)
  let held = rows.reduce((sum, { order, closes }) => (closes ? sum + order.moved : sum - order.moved), size)
  for (const { order, closes, ...row } of rows) {
    if (order.id === until?.id) break
    if (!closes) {
      held += order.moved
      continue
    }
    held -= least(order.moved, most(held, 0n))
    // What sold by a model, or a stop, is ours, whatever seemed to keep it.
    const keeps = until === undefined || until.source === 'user'
    const takes = keeps ? least(row.pending, most(held, 0n)) : 0n
    pending.set(order.id, takes)
    held -= takes
  }
  return { size, held: most(held, 0n), pending }
}

/**
 * Base that an entry has left of what it brought and that is in no order of its own to close it. What is held is of the
 * newest entries. Of `asFilled` orders counts what they have filled, though they are open.
 */
export async function leftOf(
  ctx: Stores,
  tx: Orm,
  of: HeldFor,
  entryId: string,
  asFilled: (order: OrderRow) => boolean,
): Promise<Units> {
  const { size, pending } = await walk(ctx, tx, of)
  const legs = and(inArray(orders.id, [...pending.keys()]), isNotNull(orders.guardsId))
  for (const { id } of await tx.select({ id: orders.id }).from(orders).where(legs)) pending.delete(id)
  let rest = [...pending.values()].reduce((left, takes) => left - takes, size)
  const isEntry = and(
    sentFor(of),
    eq(orders.side, of.entrySide ?? 'buy'),
    eq(orders.reduceOnly, false),
    gt(orders.filled, 0n),
  )
  let before: number | undefined
  while (rest > 0n) {
    const entries = await tx
      .select()
      .from(orders)
      .where(and(isEntry, before === undefined ? undefined : lt(orders.seq, before)))
      .orderBy(desc(orders.seq))
      .limit(ENTRIES_AT_ONCE)
    const ids = entries.map(({ id }) => id)
    if (ids.length === 0) return 0n
    const fills = await ctx.orders.fillsOf(tx, ids)
    const guards = await tx.select().from(orders).where(inArray(orders.guardsId, ids))
    const legs = Map.groupBy(guards, ({ guardsId }) => guardsId!)
    for (const { id, seq } of entries) {
      before = seq
      const own = legs.get(id) ?? []
      const closed = own.reduce((total, { filled }) => total + filled, 0n)
      const share = most(least(broughtBy(fills.get(id) ?? [], of.base) - closed, rest), 0n)
      if (id === entryId) {
        const waits = own.filter((leg) => UNSETTLED.includes(leg.status) && !asFilled(leg))
        return most(share - waits.reduce((total, { quantity, filled }) => total + quantity - filled, 0n), 0n)
      }
      rest -= share
    }
  }
  return 0n
}

/** What of a sale by a person can be of our coins, as it is made. */
export async function claimOf(
  ctx: Stores,
  tx: Orm,
  sale: SentFor & Pick<OrderRow, 'quantity' | 'source'>,
): Promise<Units> {
  const purchases = and(sentFor(sale), eq(orders.side, 'buy'), mayChange)
  const [coming] = await tx
    .select({ sum: sumOf(MAY_COME) })
    .from(orders)
    .where(purchases)
  const held = sale.source === 'user' ? (await walk(ctx, tx, sale)).held : await sizeOf(ctx, tx, sale)
  return least(sale.quantity, held + coming!.sum)
}

/** Takes from what a purchase brought what later sales have sold of it before it was booked; answers how much. */
export async function soldBefore(tx: Orm, purchase: SentFor & Pick<OrderRow, 'seq'>, brought: Units): Promise<Units> {
  const due = sql`least(${OURS}, ${BOOKED}) - ${orders.moved}`
  const sales = await tx
    .select({ id: orders.id, moved: orders.moved, due: units(due) })
    .from(orders)
    .where(and(closers(purchase), gt(orders.seq, purchase.seq), sql`${due} > 0`))
    .orderBy(orders.seq)
  let left = brought
  for (const sale of sales) {
    const took = least(sale.due, left)
    if (took <= 0n) break
    left -= took
    const moved = sale.moved + took
    await tx.update(orders).set({ moved }).where(eq(orders.id, sale.id))
  }
  return brought - left
}
