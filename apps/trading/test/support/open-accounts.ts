import type { RealTrading } from '../../src/exchange/venue-accounts.ts'
import type { LedgerDeps } from '../../src/ledger/ledger.ts'
import type { AutoTradeDeps } from '../../src/orders/auto-trade-service.ts'
import { accountsOn } from '../../src/parts/accounts.ts'

/** The accounts of one process on a market of a test, without the models above them. */
export function openAccounts({
  predict,
  real = null,
  ...deps
}: LedgerDeps & { predict: AutoTradeDeps['predict']; real?: RealTrading | null }) {
  const { ledger, exchange, orders } = accountsOn(deps, real, predict)
  return { ...exchange, ...orders, exchange, bots: ledger.bots, ledger }
}
export type OpenAccounts = ReturnType<typeof openAccounts>
