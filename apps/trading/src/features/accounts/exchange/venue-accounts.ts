import type { Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import type { MarketKind } from '@shapecast/contracts/market'
import type { Database } from '@shapecast/platform/database/database'
import type { LiveTrading } from '@shapecast/venues/live-trading'
import type { KeySeal } from './key-seal.ts'
import type { KeyStore } from './key-store.ts'

/** The exchange as a person's key opens it. */
export interface VenueAccount {
  readonly trading: LiveTrading
  /** Tells accounts apart: the same for every key of one. */
  readonly mark: string
}

/** What real orders need of this process besides the database. */
export interface RealTrading {
  readonly secretKey: string
  readonly testnet: boolean
  /** An account at the exchange of this installation. */
  open(keys: ExchangeKeys): Promise<LiveTrading>
}

/** Exchanges of which it is known for how long they take what was signed, and that they find orders by our id. */
const SUPPORTED: ReadonlySet<string> = new Set(['binance'])

const refused = (text: string) => new AppError('unprocessable', text, { field: 'isVirtual' })

/** Accounts at the exchange by person, opened once a process. */
export function createVenueAccounts(deps: {
  db: Database
  keys: KeyStore
  seal: KeySeal | null
  real: RealTrading | null
  market: { readonly venue: string; readonly kind: MarketKind }
}) {
  const { db, keys, seal, real, market } = deps
  const network: Network = real?.testnet === false ? 'mainnet' : 'testnet'
  const opened = new Map<string, { key: string; account: Promise<VenueAccount> }>()

  /** Throws `unprocessable` where this installation sends no orders anywhere. */
  function requireExchange(): { real: RealTrading; seal: KeySeal } {
    if (market.kind !== 'live')
      throw refused(
        `Real orders need a real exchange, and this market (${market.venue}) is none: nothing was sent to an exchange. Leave isVirtual out to trade with your virtual account.`,
      )
    if (real === null || seal === null)
      throw refused('Real orders are switched off in this process: nothing was sent to an exchange.')
    if (!SUPPORTED.has(market.venue))
      throw refused(
        `Real orders are possible on ${[...SUPPORTED].join(', ')} only, not yet on ${market.venue}: nothing was sent to an exchange.`,
      )
    return { real, seal }
  }

  async function open(real: RealTrading, found: ExchangeKeys, mark: string): Promise<VenueAccount> {
    return { trading: await real.open(found), mark }
  }

  function forget(userId: string): void {
    const before = opened.get(userId)
    opened.delete(userId)
    before?.account.then(({ trading }) => trading.close()).catch(() => {})
  }

  return {
    network,
    requireExchange,

    /** Throws `unprocessable` where there are no keys, or none that can be read, and what opening throws. */
    async of(userId: string): Promise<VenueAccount> {
      const { real, seal } = requireExchange()
      const row = await keys.find(db.orm, userId, network)
      if (row === undefined) {
        forget(userId)
        throw refused(
          `There is no API key of yours for ${market.venue} (${network}): nothing was sent. Give one with POST /api/accounts/keys.`,
        )
      }
      const key = `${row.mark} ${row.savedAtMs}`
      const before = opened.get(userId)
      if (before?.key === key) return before.account
      forget(userId)
      const found = seal.open(row.sealed, { userId, venue: market.venue, network })
      if (found === null)
        throw refused(
          `Your API key for ${market.venue} cannot be read with the SECRET_KEY of this installation: it was kept under another one. Nothing was sent; give the key again with POST /api/accounts/keys.`,
        )
      const account = open(real, found, row.mark)
      opened.set(userId, { key, account })
      account.catch(() => {
        if (opened.get(userId)?.account === account) opened.delete(userId)
      })
      return account
    },

    async close(): Promise<void> {
      await Promise.all(
        [...opened.values()].map(({ account }) => account.then((a) => a.trading.close()).catch(() => {})),
      )
      opened.clear()
    },
  }
}
export type VenueAccounts = ReturnType<typeof createVenueAccounts>
