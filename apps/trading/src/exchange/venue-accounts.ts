import type { Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import { exchangeName, exchangeOf, exchangesInWords, type RealMarket } from '@shapecast/contracts/exchanges'
import type { LiveTrading } from '@shapecast/venues/live-trading'
import { and, eq } from 'drizzle-orm'
import type { Ledger } from '../ledger/ledger.ts'
import type { PriceSource } from '../ledger/market-prices.ts'
import { createKeySeal, type KeyOwner, type KeySeal } from './key-seal.ts'
import { exchangeKeys } from './tables.ts'

/** The exchange as a person's key opens it. */
export interface VenueAccount {
  readonly trading: LiveTrading
  /** Tells accounts apart: the same for every key of one. */
  readonly mark: string
}

/** The prices and rules that orders of an account go by: those of the installation's market, on futures those of their own. */
export const pricesFor = (market: PriceSource, { trading }: VenueAccount): PriceSource =>
  trading.marketType === 'spot' ? market : { ...market, markets: trading.markets, ticker: trading.ticker }

/** What real orders need of this process in addition to the database. */
export interface RealTrading {
  readonly secretKey: string
  readonly testnet: boolean
  /** An account at the exchange of this installation: its spot or its futures side. */
  open(keys: ExchangeKeys, market: RealMarket): Promise<LiveTrading>
}

const refused = (text: string) => new AppError('unprocessable', text, { field: 'isVirtual' })

/** Accounts at the exchange by person and market, opened once a process. */
export function createVenueAccounts({ db, market }: Pick<Ledger, 'db' | 'market'>, real: RealTrading | null) {
  const seal = real === null ? null : createKeySeal(real.secretKey)
  const network: Network = real?.testnet === false ? 'mainnet' : 'testnet'
  const opened = new Map<string, { key: string; account: Promise<VenueAccount> }>()

  /** Throws `unprocessable` where this installation sends no orders anywhere, or none of this kind. */
  function requireExchange(side: RealMarket = 'spot'): { real: RealTrading; seal: KeySeal } {
    if (market.kind !== 'live')
      throw refused(
        `Real orders need a real exchange, and this market (${market.venue}) is none: nothing was sent to an exchange. Leave isVirtual out to trade with your virtual account.`,
      )
    if (real === null || seal === null)
      throw refused('Real orders are switched off in this process: nothing was sent to an exchange.')
    const can = exchangeOf(market.venue)
    if (can === undefined)
      throw refused(
        `Real orders go to ${exchangesInWords()}, not to ${exchangeName(market.venue)}: nothing was sent to an exchange. Set MARKET to one of them.`,
      )
    const sideOf = can[side]
    if (sideOf === null)
      throw refused(
        `Real orders on ${side} go to ${exchangesInWords(side) || 'no exchange yet'}, not to ${can.name}: nothing was sent to an exchange.`,
      )
    if (network === 'testnet' && !sideOf.sandbox)
      throw refused(
        `${can.name} has no sandbox for ${side}, and TESTNET is on: nothing was sent to an exchange. Use a virtual account.`,
      )
    return { real, seal }
  }

  function forget(name: string): void {
    const before = opened.get(name)
    opened.delete(name)
    before?.account.then(({ trading }) => trading.close()).catch(() => {})
  }

  return {
    network,
    requireExchange,

    /** Whether keys can be read with the SECRET_KEY of this installation. */
    isReadable: ({ sealed, ...owner }: KeyOwner & { readonly sealed: string }): boolean =>
      seal !== null && seal.open(sealed, owner) !== null,

    /** Throws `unprocessable` if there are no keys, or none that can be read, and what opening throws. */
    async of(userId: string, side: RealMarket = 'spot'): Promise<VenueAccount> {
      const { real, seal } = requireExchange(side)
      const name = `${userId} ${side}`
      const { userId: ofUser, venue, network: on } = exchangeKeys
      const own = and(eq(ofUser, userId), eq(venue, market.venue), eq(on, network))
      const [row] = await db.orm.select().from(exchangeKeys).where(own)
      if (row === undefined) {
        forget(name)
        throw refused(
          `There is no API key of yours for ${exchangeName(market.venue)} (${network}): nothing was sent. Give one in Settings, Exchange keys.`,
        )
      }
      const key = `${row.mark} ${row.savedAtMs}`
      const before = opened.get(name)
      if (before?.key === key) return before.account
      forget(name)
      const found = seal.open(row.sealed, { userId, venue: market.venue, network })
      if (found === null)
        throw refused(
          `Your API key for ${exchangeName(market.venue)} cannot be read with the SECRET_KEY of this installation: it was kept under another one. Nothing was sent; give the key again in Settings, Exchange keys.`,
        )
      const account = real.open(found, side).then((trading) => ({ trading, mark: row.mark }))
      opened.set(name, { key, account })
      account.catch(() => {
        if (opened.get(name)?.account === account) opened.delete(name)
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

/** What everything about real money stands on: the ledger, and the accounts at the exchange on the network in use. */
export interface ExchangeContext extends Ledger {
  readonly venues: VenueAccounts
  readonly network: Network
}
