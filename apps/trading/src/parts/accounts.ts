import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import { createExchange } from '../exchange/exchange.ts'
import type { RealTrading } from '../exchange/venue-accounts.ts'
import { createLedger } from '../ledger/ledger.ts'
import { pricesOf } from '../ledger/market-prices.ts'
import { createOrders } from '../orders/orders.ts'
import type { Forecasts } from './forecasts.ts'
import type { Ground, TradingDeps } from './ground.ts'

const realOf = ({ secretKey, testnet = true, sandboxUrls, venue }: TradingDeps): RealTrading | null => {
  if (secretKey === undefined) return null
  const sandbox = testnet && sandboxUrls ? { urls: sandboxUrls } : {}
  const open = (keys: ExchangeKeys, marketType: RealMarket) =>
    openTrading(venue.name, { keys, testnet, marketType, ...sandbox })
  return { secretKey, testnet, open }
}

export const accountsOf = ({ db, venue, log, now }: Ground, { predictions }: Forecasts, deps: TradingDeps) => {
  const ledger = createLedger({ db, market: pricesOf(venue), log, now })
  const exchange = createExchange(ledger, realOf(deps))
  return { ledger, exchange, orders: createOrders(ledger, exchange, predictions.predict) }
}
export type Accounts = ReturnType<typeof accountsOf>
/** What bots trade on. */
export type TradingAccounts = Pick<Accounts, 'ledger' | 'exchange'>
