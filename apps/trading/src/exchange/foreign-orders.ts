import type { Orm } from '@shapecast/platform/database/database'
import { inArray } from 'drizzle-orm'
import { orders } from '../ledger/tables.ts'
import type { VenueAccount } from './venue-accounts.ts'

/** An order with an id like ours that is open at the exchange and that nobody here has written down. */
export interface ForeignOrder {
  readonly symbol: string
  readonly clientOrderId: string
}

/** That there is one, in words; null without one. */
export const foreignWords = ([first]: readonly ForeignOrder[]): string | null =>
  first === undefined
    ? null
    : `The exchange has an open order of ${first.symbol} that this bot does not know of (${first.clientOrderId}).`

const isOurs = (clientOrderId: string): boolean => /^sc[0-9a-f]{30}$/.test(clientOrderId)

/** Those among the open orders of these symbols. Throws what the exchange throws. */
export async function foreignOrdersAt(
  orm: Orm,
  { trading }: VenueAccount,
  symbols: readonly string[],
): Promise<readonly ForeignOrder[]> {
  const open = (await Promise.all(symbols.map((symbol) => trading.openOrders(symbol)))).flat()
  const ours = open.filter(({ clientOrderId }) => isOurs(clientOrderId))
  if (ours.length === 0) return []
  const ids = ours.map(({ clientOrderId }) => clientOrderId)
  const rows = await orm.select({ id: orders.clientOrderId }).from(orders).where(inArray(orders.clientOrderId, ids))
  const known = new Set(rows.map(({ id }) => id))
  return ours.filter(({ clientOrderId }) => !known.has(clientOrderId))
}
