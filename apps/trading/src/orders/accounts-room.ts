import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { createCoinCheck } from '../exchange/bot-coins.ts'
import { createBotOrders } from '../exchange/bot-orders.ts'
import { createPositionCheck } from '../exchange/bot-positions.ts'
import { createExchangeAccount } from '../exchange/exchange-account.ts'
import { createExchangeBroker } from '../exchange/exchange-broker.ts'
import { createInstallationLimits } from '../exchange/installation-limits.ts'
import { createKeySeal } from '../exchange/key-seal.ts'
import { createKeyService } from '../exchange/key-service.ts'
import { createKeyStore } from '../exchange/key-store.ts'
import { createOrderKiller } from '../exchange/kill-orders.ts'
import { createLimitService } from '../exchange/limit-service.ts'
import { createLimitStore } from '../exchange/limit-store.ts'
import { createRealTradingStore } from '../exchange/real-trading-store.ts'
import { createOrderReconciler } from '../exchange/reconcile-orders.ts'
import { createSentOrderStore } from '../exchange/sent-order-store.ts'
import { createSentOrders } from '../exchange/sent-orders.ts'
import { createSharedAccount } from '../exchange/shared-account.ts'
import { createStopGuard } from '../exchange/stop-guard.ts'
import { createUnreadTrades } from '../exchange/unread-trades.ts'
import { createVenueAccounts, type RealTrading } from '../exchange/venue-accounts.ts'
import { createAccountStore } from '../ledger/account-store.ts'
import { createBotBooks } from '../ledger/bot-books.ts'
import { createDecisionStore } from '../ledger/decision-store.ts'
import { createKeyedReplies } from '../ledger/keyed-replies.ts'
import type { AccountMarket } from '../ledger/market-prices.ts'
import { numberOf } from '../ledger/money.ts'
import { createOrderStore } from '../ledger/order-store.ts'
import { type AutoTradeDeps, createAutoTradeService } from './auto-trade-service.ts'
import { createBrokers } from './brokers.ts'
import { createOrderService } from './order-service.ts'
import { createPaperAccount } from './paper/paper-account.ts'
import { createPaperBroker } from './paper/paper-broker.ts'
import { createPaperOrders } from './paper/paper-orders.ts'
import { createWaitingOrderStore } from './paper/waiting-order-store.ts'
import { createOrderWatch } from './paper/watch-orders.ts'

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
  const { venue } = market
  const accounts = createAccountStore(venue)
  const orders = createOrderStore(market)
  const books = { db, market, accounts, orders, replies: createKeyedReplies(venue), log, now }

  const waiting = createWaitingOrderStore(venue)
  const paper = createPaperOrders({ accounts, orders, waiting, now })

  const keys = createKeyStore(venue)
  const seal = deps.real ? createKeySeal(deps.real.secretKey) : null
  const venues = createVenueAccounts({ db, keys, seal, real: deps.real ?? null, market })
  const { network } = venues
  const shared = createSharedAccount({ venue, network })
  const sent = createSentOrderStore(venue, network, { accounts, orders })
  const sending = createSentOrders({ ...books, sent })
  const guard = createStopGuard({ ...books, sent, sending })
  const limitStore = createLimitStore(venue)
  const limits = createLimitService({ db, accounts, sent, limits: limitStore, network, now })
  const real = createRealTradingStore(venue, network)
  const installation = createInstallationLimits({ db, real, network, now })
  const exchange = createExchangeBroker({ ...books, sent, sending, venues, shared, guard, limits })

  const brokers = createBrokers({
    paper: createPaperBroker({ ...books, paper }),
    exchange: exchange.ofUser,
    network,
  })
  return {
    account: createPaperAccount(books),
    realAccount: createExchangeAccount({ ...books, venues }),
    keys: createKeyService({ ...books, venue, keys, seal, limits: limitStore, venues }),
    limits,
    installationLimits: installation,
    botOrders: createBotOrders({ ...books, sent, sending, venues, exchange, limits, installation, real, network }),
    /** Trading of bots with real money: whether it may be, and what there is of it. */
    realBots: {
      ...real,
      unsettledOf: (botId: string) => real.unsettledOf(db.orm, botId),
      cancelAll: createOrderKiller({ db, real, sending, venues, log }),
      holdings: async (orm: Orm) =>
        (await real.holdings(orm)).map((held) => ({ ...held, quantity: numberOf(held.quantity) })),
    },
    positions: createPositionCheck({ ...books, sent, sending, venues, network }),
    coins: createCoinCheck({ db, market, sending, venues, shared, network, now }),
    unread: createUnreadTrades({ ...books, venue, sent, network }),
    bots: createBotBooks(books),
    ordersOfBot: (botId: string, limit: number) => orders.ofBot(db.orm, botId, limit),
    orders: createOrderService({ ...books, brokers }),
    autoTrades: createAutoTradeService({ ...books, brokers, decisions: createDecisionStore(), predict }),
    /** Fills what waits and can be filled now. */
    watchOrders: createOrderWatch({ ...books, waiting, paper }),
    /** Symbols whose candles are needed for orders that wait. */
    watchedSymbols: () => waiting.symbols(db.orm),
    /** Asks the exchange about real orders of which there may be news. */
    reconcileOrders: createOrderReconciler({ db, sent, sending, venues, guard, log, now }),
    /** Lets go of the accounts at the exchange. */
    close: () => venues.close(),
  }
}
export type AccountsRoom = ReturnType<typeof createAccountsRoom>
