import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import { createExchange } from '../exchange/exchange.ts'
import type { RealTrading } from '../exchange/venue-accounts.ts'
import { createLedger, type LedgerDeps } from '../ledger/ledger.ts'
import { pricesOf } from '../ledger/market-prices.ts'
import type { AutoTradeDeps } from '../orders/auto-trade-service.ts'
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

/** The ledger of one market with who trades on it; without `real` nobody does at an exchange. */
export function accountsOn(deps: LedgerDeps, real: RealTrading | null, predict: AutoTradeDeps['predict']) {
  const ledger = createLedger(deps)
  const exchange = createExchange(ledger, real)
  return { ledger, exchange, orders: createOrders(ledger, exchange, predict) }
}
export type Accounts = ReturnType<typeof accountsOn>

export const accountsOf = ({ db, venue, log, now }: Ground, { predictions }: Forecasts, deps: TradingDeps): Accounts =>
  accountsOn({ db, market: pricesOf(venue), log, now }, realOf(deps), predictions.predict)

/** What bots trade on. */
export type TradingAccounts = Pick<Accounts, 'ledger' | 'exchange'>
