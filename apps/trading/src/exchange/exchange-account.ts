import { ACCOUNT_CURRENCY, type Balance, type Position } from '@shapecast/contracts/accounts'
import type { AssetBalance } from '@shapecast/venues/live-trading'
import { realOf } from '../ledger/account-store.ts'
import { freshTicker } from '../ledger/market-prices.ts'
import type { ExchangeContext } from './venue-accounts.ts'

/** Coins that are looked up by price; a sandbox lists hundreds. */
const MOST_PRICED = 50

/** What a person's own account at the exchange has, in the exchange's words. Throws what `VenueAccounts.of` throws. */
export const createExchangeAccount = (ctx: ExchangeContext) => {
  const { db, market, accounts, orders, venues, network } = ctx
  const origin = { isVirtual: false, venue: market.venue, market: market.kind, network }

  const balances = async (userId: string): Promise<AssetBalance[]> => (await venues.of(userId)).trading.balances()

  async function positionsOf(userId: string, assets: readonly AssetBalance[]): Promise<Position[]> {
    const accountId = await accounts.find(db.orm, realOf(userId, network))
    const stops = accountId === undefined ? new Map() : await orders.openStops(db.orm, accountId)
    const markets = new Map(
      (await market.markets())
        .filter(({ active, quote }) => active && quote === ACCOUNT_CURRENCY)
        .map(({ base, id }) => [base, id]),
    )
    const known = assets.flatMap(({ asset, total }) => {
      const symbol = asset === ACCOUNT_CURRENCY ? undefined : markets.get(asset)
      return symbol === undefined ? [] : [{ symbol, total }]
    })
    return Promise.all(
      known.map(async ({ symbol, total }, i) => {
        const ticker = i < MOST_PRICED ? await freshTicker(market, symbol) : null
        return {
          ...origin,
          symbol,
          side: 'long' as const,
          quantity: total,
          entryPrice: null,
          cost: null,
          lastPrice: ticker?.last ?? null,
          lastPriceAt: ticker?.timestamp ?? null,
          unrealisedPnl: null,
          stopLoss: stops.get(symbol) ?? null,
          openedAt: null,
        }
      }),
    )
  }

  return {
    /** Coins that have a market in the account's currency. */
    positions: async (userId: string): Promise<Position[]> => positionsOf(userId, await balances(userId)),

    async balance(userId: string): Promise<Balance> {
      const assets = await balances(userId)
      const money = assets.find(({ asset }) => asset === ACCOUNT_CURRENCY)
      return {
        ...origin,
        currency: ACCOUNT_CURRENCY,
        startingBalance: null,
        balance: money?.total ?? 0,
        reserved: money?.used ?? 0,
        available: money?.free ?? 0,
        realisedPnl: null,
        fees: null,
        equity: null,
        assets,
      }
    },
  }
}
