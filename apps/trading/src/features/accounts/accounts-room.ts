import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { createAccountDesk } from './account-desk.ts'
import { createAccountStore } from './account-store.ts'
import { type AutoTradeDeps, createAutoTradeDesk } from './auto-trade-desk.ts'
import { createDecisionStore } from './decision-store.ts'
import type { AccountMarket } from './market-prices.ts'
import { createOrderDesk } from './order-desk.ts'
import { createOrderStore } from './order-store.ts'
import { createVirtualOrders } from './virtual-orders.ts'
import { createOrderWatch } from './watch-orders.ts'

/** The accounts of one venue, put together. */
export function createAccountsRoom(deps: {
  db: Database
  market: AccountMarket
  predict: AutoTradeDeps['predict']
  log: Logger
  now: () => number
}) {
  const { db, market, predict, log, now } = deps
  const accounts = createAccountStore(market.venue)
  const orders = createOrderStore(market)
  const virtual = createVirtualOrders({ accounts, orders, now })
  const shared = { db, market, accounts, orders, virtual, now }
  return {
    account: createAccountDesk(shared),
    orderDesk: createOrderDesk(shared),
    autoTrades: createAutoTradeDesk({ ...shared, decisions: createDecisionStore(), predict }),
    /** Fills what waits and can be filled now. */
    watchOrders: createOrderWatch({ ...shared, log }),
    /** Symbols whose candles are needed for orders that wait. */
    watchedSymbols: () => orders.openSymbols(db.orm),
  }
}
export type AccountsRoom = ReturnType<typeof createAccountsRoom>
