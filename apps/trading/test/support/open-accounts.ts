import { createExchange } from '../../src/exchange/exchange.ts'
import type { RealTrading } from '../../src/exchange/venue-accounts.ts'
import { createLedger, type LedgerDeps } from '../../src/ledger/ledger.ts'
import type { AutoTradeDeps } from '../../src/orders/auto-trade-service.ts'
import { createOrders } from '../../src/orders/orders.ts'

/** The accounts of one process on a market of a test, without the models above them. */
export function openAccounts({
  predict,
  real = null,
  ...deps
}: LedgerDeps & { predict: AutoTradeDeps['predict']; real?: RealTrading | null }) {
  const ledger = createLedger(deps)
  const exchange = createExchange(ledger, real)
  const orders = createOrders(ledger, exchange, predict)
  return { ...exchange, ...orders, exchange, bots: ledger.bots, ledger }
}
export type OpenAccounts = ReturnType<typeof openAccounts>
