import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import { exchangeName } from '@shapecast/contracts/exchanges'
import { SYSTEM } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import type { AccountPayment, ForcedClose } from '@shapecast/venues/live-trading'
import { and, eq, sql } from 'drizzle-orm'
import { realOfBot } from '../ledger/account-store.ts'
import { numberOf, unitsOf, unitsOfDecimal } from '../ledger/money.ts'
import { LACKS_FILLS, TRADED } from '../ledger/order-store.ts'
import { fills, orders } from '../ledger/tables.ts'
import { type ForeignOrder, foreignOrdersAt, foreignWords } from './foreign-orders.ts'
import { isUnderWay, tradedIn } from './order-progress.ts'
import { addEvent, bookTradesOfBot } from './sent-order-store.ts'
import { look, worthOfFees } from './sent-orders.ts'
import type { ExchangeContext, VenueAccount } from './venue-accounts.ts'

/** The position of one pair in base, negative of a short: by our ledger, and at the exchange. */
export interface PositionCount {
  readonly symbol: string
  readonly ours: number
  readonly theirs: number
  /** Whether the exchange's has margin of its own; true if there is none. */
  readonly isolated: boolean
  /** Of the exchange's; null without one, or if it does not tell. */
  readonly leverage: number | null
  /** Where the exchange would close it; null without a position, or if it does not tell. */
  readonly liquidationPrice: number | null
}

export interface PositionLook {
  readonly mark: string
  readonly positions: readonly PositionCount[]
  readonly foreignOrders: readonly ForeignOrder[]
}

/** What the exchange tells late is not missed: so much of what was asked for is asked for again. */
const OVERLAP_MS = 2 * 3_600_000
/** A payment is of the bot that held the position within this time before it. */
const PAID_WITHIN_MS = 60_000

/** Whether an order has filled by more than the trades that are known of it. */
async function lacksFills(orm: Orm, accountId: string | undefined): Promise<boolean> {
  if (accountId === undefined) return false
  const ofAccount = and(eq(orders.accountId, accountId), LACKS_FILLS)
  return (await orm.$count(orders, ofAccount)) > 0
}

/** Whether the account held a position at a time, or shortly before it. */
async function held(tx: Orm, accountId: string, { symbol, timestampMs }: AccountPayment): Promise<boolean> {
  const from = timestampMs - PAID_WITHIN_MS
  const [row] = await tx
    .select({
      before: sql<string>`coalesce(sum(${TRADED}) filter (where ${fills.marketMs} <= ${from}), 0)`,
      within: sql<number>`count(*) filter (where ${fills.marketMs} > ${from} and ${fills.marketMs} <= ${timestampMs})::int`,
    })
    .from(fills)
    .innerJoin(orders, eq(orders.id, fills.orderId))
    .where(and(eq(fills.accountId, accountId), eq(orders.symbol, symbol)))
  return unitsOfDecimal(row!.before) !== 0n || row!.within > 0
}

async function bookPayments(
  { db, accounts, now }: ExchangeContext,
  accountId: string,
  payments: readonly AccountPayment[],
): Promise<void> {
  if (payments.length === 0) return
  await db.orm.transaction(async (tx) => {
    await accounts.lock(tx, accountId)
    for (const payment of payments) {
      const { id, kind, symbol, asset, amount } = payment
      if (asset !== ACCOUNT_CURRENCY || !(await held(tx, accountId, payment))) continue
      await accounts.bookPayments(tx, [{ accountId, kind, amount: unitsOf(amount), symbol, venueId: id, atMs: now() }])
    }
  })
}

/** Books what the exchange closed by itself as an order of its own; what it cannot tell wholly yet it tells later. */
async function bookForced(
  ctx: ExchangeContext,
  accountId: string,
  forced: ForcedClose,
  { trading, mark }: VenueAccount,
): Promise<void> {
  const { db, market, accounts, network, now } = ctx
  const { symbol, side, venueOrderId, average } = forced
  const id = clientOrderId('forced', mark, market.venue, network, symbol, venueOrderId)
  const trades = await trading.orderFills(symbol, venueOrderId)
  const worth = await worthOfFees(ctx, symbol, trades)
  const quantity = unitsOf(forced.quantity)
  if (tradedIn(trades) !== quantity) return
  await db.orm.transaction(async (tx) => {
    await accounts.lock(tx, accountId)
    const known = await tx.select({ id: orders.id }).from(orders).where(eq(orders.clientOrderId, id))
    const { quantity: has } = await accounts.holding(tx, accountId, symbol)
    // What is not of this position was opened by somebody else.
    if (known.length > 0 || (side === 'sell' ? has : -has) < quantity) return
    const row = await ctx.orders.insert(tx, {
      accountId,
      keyMark: mark,
      clientOrderId: id,
      venueOrderId,
      symbol,
      side,
      type: 'market',
      status: 'filled',
      statusReason: `${exchangeName(market.venue)} closed this position by itself: its margin was used up.`,
      quantity,
      filled: quantity,
      average,
      reduceOnly: true,
      source: 'bot',
      exitReason: 'liquidation',
      toSettle: true,
      createdAtMs: now(),
      closedAtMs: now(),
    })
    await addEvent(tx, row.id, 'look', forced, now())
    await bookTradesOfBot(ctx, tx, 'futures', row, trades, worth, now())
    await ctx.orders.audit(tx, SYSTEM, 'forced', row.id)
  })
}

async function holdingsOf(
  { accounts }: ExchangeContext,
  orm: Orm,
  accountId: string | undefined,
): Promise<Map<string, number>> {
  const rows = accountId === undefined ? [] : await accounts.holdings(orm, accountId)
  return new Map(rows.map(({ symbol, quantity }) => [symbol, numberOf(quantity)]))
}

/** Positions at the exchange by symbol, signed. */
async function positionsAt({ trading }: VenueAccount, symbols: readonly string[]) {
  const open = await trading.positions(symbols)
  return new Map(
    open.map((position) => [
      position.symbol,
      { ...position, signed: position.side === 'long' ? position.quantity : -position.quantity },
    ]),
  )
}

/**
 * Holds the positions of a bot on futures against its ledger, after every order that is open has been looked up. A
 * position at the exchange is one for each symbol of an account, so that a bot there has its symbols to itself. What has
 * changed its money since `sinceMs` (the exchange's time) without an order of its own is booked first, each once:
 * positions that the exchange closed, and funding with `payments`, which is asked for seldom, since it counts as much as
 * thirty other calls. Null while an order is under way, so that nothing can be said yet. Throws what the exchange throws.
 */
export async function lookAtPositions(
  ctx: ExchangeContext,
  { id: botId, userId }: { id: string; userId: string },
  symbols: readonly string[],
  { sinceMs, payments }: { sinceMs: number; payments: boolean },
): Promise<PositionLook | null> {
  const { db, accounts, venues, network } = ctx
  const account = await venues.of(userId, 'futures')
  // A bot that has never traded there has no account yet, and no position.
  const accountId = await accounts.find(db.orm, realOfBot(botId, network))
  const unsettled = async (orm: Orm) => (accountId === undefined ? [] : ctx.orders.unsettled(orm, accountId))
  for (const order of await unsettled(db.orm)) await look(ctx, order, account)
  const foreignOrders = await foreignOrdersAt(db.orm, account, symbols)
  const before = await unsettled(db.orm)
  const theirs = await positionsAt(account, symbols)
  const seen = await holdingsOf(ctx, db.orm, accountId)
  if (accountId !== undefined) {
    const from = Math.max(0, sinceMs - OVERLAP_MS)
    for (const symbol of symbols) {
      const isSame = (seen.get(symbol) ?? 0) === (theirs.get(symbol)?.signed ?? 0)
      if (!isSame)
        for (const forced of await account.trading.forcedCloses(symbol, from))
          await bookForced(ctx, accountId, forced, account)
      if (payments || !isSame) await bookPayments(ctx, accountId, await account.trading.payments(symbol, from))
    }
  }
  return db.orm.transaction(
    async (tx) => {
      if (isUnderWay(before, await unsettled(tx)) || (await lacksFills(tx, accountId))) return null
      const ours = await holdingsOf(ctx, tx, accountId)
      const positions = symbols.map((symbol): PositionCount => {
        const there = theirs.get(symbol)
        return {
          symbol,
          ours: ours.get(symbol) ?? 0,
          theirs: there?.signed ?? 0,
          isolated: there === undefined || there.marginMode === 'isolated',
          leverage: there?.leverage ?? null,
          liquidationPrice: there?.liquidationPrice ?? null,
        }
      })
      return { mark: account.mark, positions, foreignOrders }
    },
    { isolationLevel: 'repeatable read' },
  )
}

/**
 * What the exchange has otherwise than the ledger, in words; null where both agree. With `wantedLeverage`, also a position
 * whose leverage is another one: somebody has changed it, and with it the price at which the exchange closes it.
 */
export function positionDifference(
  { positions, foreignOrders }: Pick<PositionLook, 'positions' | 'foreignOrders'>,
  wantedLeverage: number | null = null,
): string | null {
  const foreign = foreignWords(foreignOrders)
  if (foreign !== null) return foreign
  const shown = (quantity: number) =>
    quantity === 0
      ? 'no position'
      : `a ${quantity > 0 ? 'long' : 'short'} position of ${Number(Math.abs(quantity).toFixed(8))}`
  for (const { symbol, ours, theirs, isolated, leverage } of positions) {
    if (Math.abs(ours - theirs) > 1e-9)
      return `The exchange has ${shown(theirs)} in ${symbol}, and this bot knows of ${shown(ours)}.`
    if (!isolated) return `The position in ${symbol} has not isolated margin at the exchange.`
    if (wantedLeverage !== null && leverage !== null && leverage !== wantedLeverage)
      return `The leverage of the position in ${symbol} was changed to ${leverage} at the exchange, and this bot trades with ${wantedLeverage}. A start sets it back.`
  }
  return null
}

/** Throws `conflict` where both differ. */
export function requireSamePositions(look: PositionLook): void {
  const difference = positionDifference(look)
  if (difference !== null)
    throw new AppError(
      'conflict',
      `${difference} A bot on futures has its symbols to itself: close what is not its own at the exchange first.`,
    )
}
