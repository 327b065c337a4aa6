import { AppError } from '@shapecast/contracts/errors'
import type { ExchangeKeys, KeptKey } from '@shapecast/contracts/exchange-keys'
import { exchangeName, exchangeOf } from '@shapecast/contracts/exchanges'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { KeyRights } from '@shapecast/venues/live-trading'
import { and, eq } from 'drizzle-orm'
import { realOf } from '../ledger/account-store.ts'
import { exchangeKeys } from './tables.ts'
import { readLimits } from './trading-limits.ts'
import type { ExchangeContext } from './venue-accounts.ts'

// API keys of people: given, told of, forgotten. What they are is never answered, logged or audited.

type KeyRow = typeof exchangeKeys.$inferSelect

/** Throws `unprocessable` where a key may do more than it should, or not what it is for. */
function requireHarmless(venue: string, rights: KeyRights | null): void {
  if (rights === null) return
  const can = exchangeOf(venue)!
  if (rights.withdraw)
    throw new AppError(
      'unprocessable',
      `This key may withdraw money from ${can.name}. Take the right away there (${can.withdrawRight}), or make a key without it, and give it again. Nothing was kept.`,
      { field: 'apiKey' },
    )
  if (!rights.spot && !rights.futures)
    throw new AppError(
      'unprocessable',
      `This key may not trade. Give it these rights at ${can.name}: ${can.spot?.keyRights.join(', ')}. Nothing was kept.`,
      { field: 'apiKey' },
    )
}

const shown = async (ctx: ExchangeContext, orm: Orm, row: KeyRow): Promise<KeptKey> => ({
  venue: row.venue,
  network: row.network,
  lastFour: row.lastFour,
  savedAt: row.savedAtMs,
  readable: ctx.venues.isReadable(row),
  limits: await readLimits(ctx, row.userId, orm, row.network),
})

/**
 * Keeps a key once the exchange has answered it. Throws `unprocessable` if there is no exchange and for a key with
 * the right to withdraw, `venue_auth_failed` where it refuses the key, and what else keeps it from answering.
 */
export async function keepKeys(ctx: ExchangeContext, given: ExchangeKeys, member: Member): Promise<KeptKey> {
  const { db, market, network, now } = ctx
  const { venue } = market
  const { real, seal } = ctx.venues.requireExchange()
  const { userId } = member
  const trading = await real.open(given, 'spot')
  let accountId: string | null
  try {
    accountId = await trading.accountId()
    requireHarmless(venue, await trading.keyRights())
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'venue_auth_failed') throw error
    // What the exchange says may repeat what it was asked.
    throw new AppError(
      'venue_auth_failed',
      `${exchangeName(venue)} (${network}) refuses this key. Look whether key and secret are of the ${network} (TESTNET decides which is used), may read and trade, and whether the key is bound to other addresses. Nothing was kept.`,
    )
  } finally {
    await trading.close()
  }
  const owner = { userId, venue, network }
  const values = {
    sealed: seal.seal(given, owner),
    lastFour: given.apiKey.slice(-4),
    // Orders of an account are known under every key of it.
    mark: seal.mark(accountId ?? given.apiKey),
    savedAtMs: now(),
  }
  return db.orm.transaction(async (tx) => {
    const row = { ...owner, ...values }
    const target = [exchangeKeys.userId, exchangeKeys.venue, exchangeKeys.network]
    await tx.insert(exchangeKeys).values(row).onConflictDoUpdate({ target, set: values })
    const kept = await shown(ctx, tx, row)
    const subject = { type: 'exchange_keys', id: `${venue} ${network}` }
    await recordAudit(tx, member, { action: 'exchange_keys.saved', subject, after: kept })
    return kept
  })
}

/** Of both networks. */
export async function listKeys(ctx: ExchangeContext, userId: string): Promise<KeptKey[]> {
  const { orm } = ctx.db
  const rows = await orm
    .select()
    .from(exchangeKeys)
    .where(and(eq(exchangeKeys.userId, userId), eq(exchangeKeys.venue, ctx.market.venue)))
    .orderBy(exchangeKeys.network)
  return Promise.all(rows.map((row) => shown(ctx, orm, row)))
}

/** Throws `not_found` if there is none on the network in use. */
export const removeKeys = (ctx: ExchangeContext, member: Member): Promise<{ unsettledOrders: number }> =>
  ctx.db.orm.transaction(async (tx) => {
    const { accounts, orders, market, network } = ctx
    const { userId, venue, network: on } = exchangeKeys
    const own = and(eq(userId, member.userId), eq(venue, market.venue), eq(on, network))
    const gone = await tx.delete(exchangeKeys).where(own).returning({ network: on })
    if (gone.length === 0)
      throw new AppError('not_found', `There is no API key of yours for ${exchangeName(market.venue)} (${network}).`)
    const subject = { type: 'exchange_keys', id: `${market.venue} ${network}` }
    await recordAudit(tx, member, { action: 'exchange_keys.deleted', subject })
    const accountId = await accounts.find(tx, realOf(member.userId, network))
    return { unsettledOrders: accountId === undefined ? 0 : await orders.countUnsettled(tx, accountId) }
  })
