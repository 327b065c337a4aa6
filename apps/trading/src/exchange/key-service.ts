import { AppError } from '@shapecast/contracts/errors'
import type { ExchangeKeys, KeptKey } from '@shapecast/contracts/exchange-keys'
import { exchangeName, exchangeOf } from '@shapecast/contracts/exchanges'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { KeyRights } from '@shapecast/venues/live-trading'
import { realOf } from '../ledger/account-store.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { KeySeal } from './key-seal.ts'
import type { KeyRow, KeyStore } from './key-store.ts'
import type { LimitStore } from './limit-store.ts'
import type { VenueAccounts } from './venue-accounts.ts'

/** API keys of people: given, told of, forgotten. What they are is never answered, logged or audited. */
export const createKeyService = (
  deps: Ledger & { keys: KeyStore; seal: KeySeal | null; limits: LimitStore; venues: VenueAccounts },
) => {
  const { db, keys, seal, accounts, orders, limits, venues, now } = deps
  const { venue } = deps.market
  const { network } = venues
  const name = exchangeName(venue)

  /** Throws `unprocessable` where a key may do more than it should, or not what it is for. */
  function requireHarmless(rights: KeyRights | null): void {
    if (rights === null) return
    const can = exchangeOf(venue)!
    if (rights.withdraw)
      throw new AppError(
        'unprocessable',
        `This key may withdraw money from ${name}. Take the right away there (${can.withdrawRight}), or make a key without it, and give it again. Nothing was kept.`,
        { field: 'apiKey' },
      )
    if (!rights.spot && !rights.futures)
      throw new AppError(
        'unprocessable',
        `This key may not trade. Give it these rights at ${name}: ${can.spot?.keyRights.join(', ')}. Nothing was kept.`,
        { field: 'apiKey' },
      )
  }

  const shown = async (orm: Orm, row: KeyRow): Promise<KeptKey> => ({
    venue: row.venue,
    network: row.network,
    lastFour: row.lastFour,
    savedAt: row.savedAtMs,
    readable: seal !== null && seal.open(row.sealed, row) !== null,
    limits: await limits.show(orm, row.userId, row.network, now()),
  })

  return {
    /**
     * Keeps a key once the exchange has answered it. Throws `unprocessable` if there is no exchange and for a key with
     * the right to withdraw, `venue_auth_failed` where it refuses the key, and what else keeps it from answering.
     */
    async put(given: ExchangeKeys, member: Member): Promise<KeptKey> {
      const { real, seal } = venues.requireExchange()
      const { userId } = member
      const trading = await real.open(given, 'spot')
      let accountId: string | null
      try {
        accountId = await trading.accountId()
        requireHarmless(await trading.keyRights())
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'venue_auth_failed') throw error
        // What the exchange says may repeat what it was asked.
        throw new AppError(
          'venue_auth_failed',
          `${name} (${network}) refuses this key. Look whether key and secret are of the ${network} (TESTNET decides which is used), may read and trade, and whether the key is bound to other addresses. Nothing was kept.`,
        )
      } finally {
        await trading.close()
      }
      const row = {
        userId,
        network,
        sealed: seal.seal(given, { userId, venue, network }),
        lastFour: given.apiKey.slice(-4),
        // Orders of an account are known under every key of it.
        mark: seal.mark(accountId ?? given.apiKey),
        savedAtMs: now(),
      }
      return db.orm.transaction(async (tx) => {
        await keys.put(tx, row)
        const kept = await shown(tx, { ...row, venue })
        const subject = { type: 'exchange_keys', id: `${venue} ${network}` }
        await recordAudit(tx, member, { action: 'exchange_keys.saved', subject, after: kept })
        return kept
      })
    },

    list: async (userId: string): Promise<KeptKey[]> =>
      Promise.all((await keys.list(db.orm, userId)).map((row) => shown(db.orm, row))),

    /** Throws `not_found` if there is none on the network in use. */
    async remove(member: Member): Promise<{ unsettledOrders: number }> {
      return db.orm.transaction(async (tx) => {
        if (!(await keys.remove(tx, member.userId, network)))
          throw new AppError('not_found', `There is no API key of yours for ${name} (${network}).`)
        const subject = { type: 'exchange_keys', id: `${venue} ${network}` }
        await recordAudit(tx, member, { action: 'exchange_keys.deleted', subject })
        const accountId = await accounts.find(tx, realOf(member.userId, network))
        return { unsettledOrders: accountId === undefined ? 0 : await orders.countUnsettled(tx, accountId) }
      })
    },
  }
}
