import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { createAccountDesk } from './account-desk.ts'
import { createAccountStore } from './account-store.ts'
import { type AutoTradeDeps, createAutoTradeDesk, recentPrediction } from './auto-trade-desk.ts'
import { createDecisionStore } from './decision-store.ts'
import type { AccountMarket } from './market-prices.ts'
import { createOrderDesk } from './order-desk.ts'
import { createOrderStore } from './order-store.ts'
import { createKeyDesk } from './real/key-desk.ts'
import { createKeySeal } from './real/key-seal.ts'
import { createKeyStore } from './real/key-store.ts'
import { createLimitDesk } from './real/limit-desk.ts'
import { createLimitStore } from './real/limit-store.ts'
import { createRealAccountDesk } from './real/real-account-desk.ts'
import { createRealAutoTrade } from './real/real-auto-trade.ts'
import { createRealDesk } from './real/real-desk.ts'
import { createRealOrderStore } from './real/real-order-store.ts'
import { createRealOrders } from './real/real-orders.ts'
import { createOrderReconciler } from './real/reconcile-orders.ts'
import { createStopGuard } from './real/stop-guard.ts'
import { createVenueAccounts, type RealTrading } from './real/venue-accounts.ts'
import { createVirtualOrders } from './virtual-orders.ts'
import { createOrderWatch } from './watch-orders.ts'

/** The accounts of one venue, put together. */
export function createAccountsRoom(deps: {
  db: Database
  market: AccountMarket
  predict: AutoTradeDeps['predict']
  log: Logger
  now: () => number
  /** Null, or left out, where this process sends no real orders. */
  real?: RealTrading | null | undefined
}) {
  const { db, market, predict, log, now } = deps
  const accounts = createAccountStore(market.venue)
  const orders = createOrderStore(market)
  const virtual = createVirtualOrders({ accounts, orders, now })
  const shared = { db, market, accounts, orders, virtual, now }
  const decisions = createDecisionStore()

  const keys = createKeyStore(market.venue)
  const seal = deps.real ? createKeySeal(deps.real.secretKey) : null
  const venues = createVenueAccounts({ db, keys, seal, real: deps.real ?? null, market })
  const realOrders = createRealOrderStore(market, venues.network)
  const sending = createRealOrders({ db, orders: realOrders, log, now })
  const guard = createStopGuard({ db, market, accounts, orders: realOrders, real: sending, log, now })
  const limitStore = createLimitStore(market.venue)
  const limits = createLimitDesk({ db, accounts, orders: realOrders, limits: limitStore, network: venues.network, now })
  const atExchange = { db, market, accounts, orders: realOrders, real: sending, venues, guard, limits, now }
  const realDesk = createRealDesk(atExchange)
  const realTrades = createRealAutoTrade({
    ...atExchange,
    decisions,
    desk: realDesk,
    log,
    recentPrediction: (draft) => recentPrediction({ market, predict }, draft),
  })
  return {
    account: createAccountDesk(shared),
    realAccount: createRealAccountDesk({ db, market, orders: realOrders, venues }),
    keys: createKeyDesk({ db, venue: market.venue, keys, seal, orders: realOrders, limits: limitStore, venues, now }),
    limits,
    orderDesk: createOrderDesk({ ...shared, real: realDesk }),
    autoTrades: createAutoTradeDesk({ ...shared, decisions, predict, real: realTrades }),
    /** Fills what waits and can be filled now. */
    watchOrders: createOrderWatch({ ...shared, log }),
    /** Symbols whose candles are needed for orders that wait. */
    watchedSymbols: () => orders.openSymbols(db.orm),
    /** Asks the exchange about real orders of which there may be news. */
    reconcileOrders: createOrderReconciler({ db, orders: realOrders, real: sending, venues, guard, log, now }),
    /** Lets go of the accounts at the exchange. */
    close: () => venues.close(),
  }
}
export type AccountsRoom = ReturnType<typeof createAccountsRoom>
