import { AppError } from '@shapecast/contracts/errors'
import type { LiveTrading } from '../live-trading.ts'
import { openAccountConnection } from './account-connection.ts'
import { balancesOf } from './account-replies.ts'
import type { AccountCalls } from './calls/account-calls.ts'
import { dialectOf } from './dialects/dialects.ts'
import { futuresCalls } from './futures-calls.ts'
import { type ExchangeSettings, loadExchange } from './load-exchange.ts'
import { orderCalls } from './order-calls.ts'
import { readTicker } from './read-ticker.ts'

export interface OpenTradingOptions extends ExchangeSettings {
  readonly keys: NonNullable<ExchangeSettings['keys']>
  readonly now?: () => number
}

/** An account at a real exchange. Throws as `loadExchange` does. Close it when done. */
export async function openTrading(id: string, options: OpenTradingOptions): Promise<LiveTrading> {
  const exchange = (await loadExchange(id, options)) as AccountCalls
  return createCcxtTrading({ exchange, ...options })
}

/** The account that the keys of a loaded exchange open. */
export function createCcxtTrading(deps: { exchange: AccountCalls } & Omit<OpenTradingOptions, 'keys'>): LiveTrading {
  const { exchange, marketType = 'spot', testnet = false } = deps
  const connection = openAccountConnection(exchange, marketType, deps.now ?? Date.now)
  const { ask, prepare } = connection
  const dialect = dialectOf(exchange.id)
  const fetchBalances = async () => {
    await prepare()
    const said = await ask(() => exchange.fetchBalance())
    // ccxt takes whatever has no balances in it for an account that is empty.
    if (typeof said.info !== 'object' || Object.keys(said.info).length === 0)
      throw new AppError('venue_unreachable', `${exchange.id} answered something that is no account. Try again.`)
    return said
  }

  return {
    name: exchange.id,
    testnet,
    marketType,
    balances: async () => balancesOf(await fetchBalances()),
    markets: () => connection.markets.all(),
    ticker: (symbol) => readTicker(connection, symbol, connection.now),
    async accountId() {
      if (dialect.accountId !== undefined) return ask(() => dialect.accountId!(exchange))
      const uid = (await fetchBalances()).info?.uid
      return typeof uid === 'string' || typeof uid === 'number' ? String(uid) : null
    },
    keyRights: async () => (dialect.keyRights === undefined ? null : ask(() => dialect.keyRights!(exchange, testnet))),
    ...orderCalls(connection),
    ...futuresCalls(connection),
    close: async () => void (await exchange.close()),
  }
}
