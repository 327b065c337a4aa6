import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { numberOf, unitsOfDecimal } from '../ledger/money.ts'
import { IS_UNSETTLED, LACKS_FILLS, ORDER, ownedOrders, sumOf, TRADED, UNBOOKED } from '../ledger/order-store.ts'
import { fills, type OrderRow, orders } from '../ledger/tables.ts'
import { type ForeignOrder, foreignOrdersAt } from './foreign-orders.ts'
import { isUnderWay } from './order-progress.ts'
import { look } from './sent-orders.ts'
import { heldByBots, sentWith } from './shared-account.ts'
import { UNREAD_AFTER_MS } from './unread-trades.ts'
import type { ExchangeContext } from './venue-accounts.ts'

/** Of one coin at the exchange, in base. */
export interface CoinCount {
  readonly asset: string
  /** What differs by less does not: the smallest amount that can be traded, and what fees may have taken of unread trades. */
  readonly lot: number
  readonly total: number
  /** What all bots under this key hold of it by their ledgers. */
  readonly ofBots: number
  /** What is there beyond all that was bought and sold here: it changes only if somebody else moves coins. */
  readonly foreign: number
}

export interface CoinLook {
  readonly mark: string
  readonly coins: readonly CoinCount[]
  readonly foreignOrders: readonly ForeignOrder[]
}

/** What an exchange takes at most of a trade as its fee. */
const MOST_FEE = 0.01

/** Orders of these symbols that were sent with the keys of one account. */
const sent = (ctx: ExchangeContext, mark: string, symbols: readonly string[]) =>
  and(sentWith(ctx, mark), inArray(orders.symbol, [...symbols]))

const unsettled = (ctx: ExchangeContext, orm: Orm, mark: string, symbols: readonly string[]): Promise<OrderRow[]> =>
  ownedOrders(orm, ORDER).where(and(sent(ctx, mark, symbols), IS_UNSETTLED))

/** Orders that have filled by more than the trades that are known of them, and by how much. */
async function unread(ctx: ExchangeContext, orm: Orm, mark: string, symbols: readonly string[]) {
  const { symbol, side, closedAtMs } = ORDER
  const lacking = and(sent(ctx, mark, symbols), LACKS_FILLS)
  const rows = await ownedOrders(orm, { symbol, side, closedAtMs, missing: UNBOOKED }).where(lacking)
  return rows.map((row) => ({ ...row, missing: numberOf(unitsOfDecimal(row.missing)) }))
}

/** Coins that orders under this key brought and took, fees in them included. */
async function flow(
  ctx: ExchangeContext,
  orm: Orm,
  mark: string,
  symbols: readonly string[],
  asset: string,
): Promise<number> {
  const [traded] = await ownedOrders(orm, { sum: sumOf(TRADED) })
    .innerJoin(fills, eq(fills.orderId, orders.id))
    .where(sent(ctx, mark, symbols))
  const [paid] = await ownedOrders(orm, { sum: sql<string>`coalesce(sum((taken ->> 'amount')::numeric), 0)` })
    .innerJoin(fills, eq(fills.orderId, orders.id))
    .innerJoin(sql`lateral jsonb_array_elements(${fills.fees}) as taken`, sql`taken ->> 'asset' = ${asset}`)
    .where(sentWith(ctx, mark))
  return numberOf(traded!.sum) - Number(paid!.sum)
}

/**
 * Holds the coins that an account at the exchange has of these symbols against the ledgers of all that trade on it, after
 * every order that is open has been looked up. Null while an order is under way, so that nothing can be said yet. Throws
 * what the exchange throws.
 */
export async function lookAtCoins(
  ctx: ExchangeContext,
  userId: string,
  symbols: readonly string[],
): Promise<CoinLook | null> {
  const { db, market, now } = ctx
  const account = await ctx.venues.of(userId)
  const { mark } = account
  const markets = await market.markets()
  const bases = new Set(markets.filter(({ id }) => symbols.includes(id)).map(({ base }) => base))
  const related = markets.filter(({ base }) => bases.has(base)).map(({ id }) => id)
  for (const order of await unsettled(ctx, db.orm, mark, related)) await look(ctx, order, account)
  const foreignOrders = await foreignOrdersAt(db.orm, account, symbols)
  const before = await unsettled(ctx, db.orm, mark, related)
  const balances = await account.trading.balances()
  return db.orm.transaction(
    async (tx) => {
      const after = await unsettled(ctx, tx, mark, related)
      const lacking = await unread(ctx, tx, mark, related)
      // Those that nobody can read count as their orders say: the bot that made them stops, and others go on.
      const stillRead = lacking.some(({ closedAtMs }) => closedAtMs === null || now() - closedAtMs < UNREAD_AFTER_MS)
      if (isUnderWay(before, after) || stillRead) return null
      const coins: CoinCount[] = []
      for (const asset of bases) {
        const of = markets.filter(({ base }) => base === asset)
        const ids = of.map(({ id }) => id)
        const total = balances.find((one) => one.asset === asset)?.total ?? 0
        const unreadOf = lacking.filter(({ symbol }) => ids.includes(symbol))
        const unreadFlow = unreadOf.reduce((sum, { side, missing }) => sum + (side === 'buy' ? missing : -missing), 0)
        const foreign = total - (await flow(ctx, tx, mark, ids, asset)) - unreadFlow
        const lot =
          Math.max(...of.filter(({ id }) => symbols.includes(id)).map(({ lotSize }) => lotSize)) +
          MOST_FEE * unreadOf.reduce((sum, { missing }) => sum + missing, 0)
        coins.push({ asset, lot, total, foreign, ofBots: numberOf(await heldByBots(ctx, tx, userId, ids)) })
      }
      return { mark, coins, foreignOrders }
    },
    { isolationLevel: 'repeatable read' },
  )
}

/** Throws `conflict` where bots hold more by their ledgers than there is. */
export function requireCovered({ coins }: CoinLook): void {
  for (const { asset, total, ofBots, lot } of coins) {
    if (total >= ofBots - lot) continue
    throw new AppError(
      'conflict',
      `The ledgers of your bots have ${ofBots} ${asset}, and the exchange has ${total}. Buy back what is missing there, or delete the bot that held it.`,
    )
  }
}
