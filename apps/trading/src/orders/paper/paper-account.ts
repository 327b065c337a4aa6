import { ACCOUNT_CURRENCY, type Balance, type Position, STARTING_BALANCE } from '@shapecast/contracts/accounts'
import { virtualOf } from '../../ledger/account-store.ts'
import { atCost } from '../../ledger/entries.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { freshTicker } from '../../ledger/market-prices.ts'
import { numberOf, unitsOf } from '../../ledger/money.ts'

/** What the virtual accounts of all people are worth, but those with a coin that has no price now. */
async function worthsOf({ db, market, accounts }: Ledger) {
  const [rows, held, deposits] = await db.orm.transaction(
    async (tx) => {
      const all = await accounts.ofUsers(tx)
      const ids = all.map(({ id }) => id)
      return [all, await accounts.holdingsOf(tx, ids), await accounts.deposits(tx, ids)] as const
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const symbols = new Set([...held.values()].flat().map(({ symbol }) => symbol))
  const prices = new Map<string, number | null>()
  for (const symbol of symbols) prices.set(symbol, (await freshTicker(market, symbol))?.last ?? null)
  return rows.flatMap(({ id: accountId, ownerId: userId, balance }) => {
    const own = held.get(accountId) ?? []
    const cost = own.reduce((sum, holding) => sum + holding.cost, 0n)
    let worth = 0
    for (const { symbol, quantity } of own) {
      const price = prices.get(symbol) ?? null
      if (price === null) return []
      worth += numberOf(quantity) * price
    }
    const deposit = deposits.get(accountId) ?? 0n
    const closedPnL = numberOf(atCost('spot', balance, own) - deposit)
    const openPnL = worth - numberOf(cost)
    const equity = numberOf(balance) + worth
    return [{ accountId, userId, equity, closedPnL, openPnL, deposits: numberOf(deposit) }]
  })
}

/** What an account has: money, and coins at their prices. An account that has never traded is shown as it would open. */
export const createPaperAccount = (ledger: Ledger) => {
  const { db, market, accounts, orders } = ledger
  const origin = { isVirtual: true, venue: market.venue, market: market.kind }

  /** Everything as it stood at one moment; an order that fills meanwhile is in all of it or in nothing. */
  const snapshot = (accountId: string) =>
    db.orm.transaction(
      async (tx) => ({
        ...(await accounts.money(tx, accountId)),
        deposit: (await accounts.deposits(tx, [accountId])).get(accountId) ?? 0n,
        held: await accounts.holdings(tx, accountId),
        stops: await orders.openStops(tx, accountId),
      }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
  type Snapshot = Awaited<ReturnType<typeof snapshot>>

  async function positionsOf({ held, stops }: Pick<Snapshot, 'held' | 'stops'>): Promise<Position[]> {
    return Promise.all(
      held.map(async ({ symbol, quantity, cost, openedAtMs }) => {
        const ticker = await freshTicker(market, symbol)
        const amount = numberOf(quantity)
        return {
          ...origin,
          symbol,
          side: 'long' as const,
          quantity: amount,
          entryPrice: numberOf(cost) / amount,
          cost: numberOf(cost),
          lastPrice: ticker?.last ?? null,
          lastPriceAt: ticker?.timestamp ?? null,
          unrealisedPnl: ticker === null ? null : amount * ticker.last - numberOf(cost),
          stopLoss: stops.get(symbol) ?? null,
          openedAt: openedAtMs,
        }
      }),
    )
  }
  return {
    worths: () => worthsOf(ledger),

    async positions(userId: string): Promise<Position[]> {
      const accountId = await accounts.find(db.orm, virtualOf(userId))
      return accountId === undefined ? [] : positionsOf(await snapshot(accountId))
    },

    async balance(userId: string): Promise<Balance> {
      const accountId = await accounts.find(db.orm, virtualOf(userId))
      const opening = unitsOf(STARTING_BALANCE)
      const found: Snapshot =
        accountId === undefined
          ? { balance: opening, deposit: opening, reserved: 0n, fees: 0n, held: [], stops: new Map() }
          : await snapshot(accountId)
      const { balance, deposit, reserved, fees, held } = found
      const values = (await positionsOf(found)).map(({ quantity, lastPrice }) =>
        lastPrice === null ? null : quantity * lastPrice,
      )
      return {
        ...origin,
        currency: ACCOUNT_CURRENCY,
        startingBalance: STARTING_BALANCE,
        balance: numberOf(balance),
        reserved: numberOf(reserved),
        available: numberOf(balance - reserved),
        realisedPnl: numberOf(atCost('spot', balance, held) - deposit + fees),
        fees: numberOf(fees),
        equity: values.includes(null) ? null : values.reduce<number>((sum, v) => sum + v!, numberOf(balance)),
      }
    },
  }
}
