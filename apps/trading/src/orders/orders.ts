import type { Exchange } from '../exchange/exchange.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type AutoTradeDeps, createAutoTradeService } from './auto-trade-service.ts'
import { createBrokers } from './brokers.ts'
import { createOrderService } from './order-service.ts'
import { createPaperAccount } from './paper/paper-account.ts'
import { createPaperBroker } from './paper/paper-broker.ts'
import { createPaperOrders } from './paper/paper-orders.ts'
import { createPositionGuards } from './paper/position-guards.ts'
import { createWaitingOrderStore } from './paper/waiting-order-store.ts'
import { createOrderWatch } from './paper/watch-orders.ts'

/** Orders of people, on paper and at the exchange. */
export function createOrders(
  ledger: Ledger,
  { broker, network }: Pick<Exchange, 'broker' | 'network'>,
  predict: AutoTradeDeps['predict'],
) {
  const waiting = createWaitingOrderStore(ledger.market.venue)
  const paper = createPaperOrders({ ...ledger, waiting })
  const brokers = createBrokers({ paper: createPaperBroker({ ...ledger, paper }), exchange: broker, network })
  return {
    account: createPaperAccount(ledger),
    orders: createOrderService({ ...ledger, brokers }),
    autoTrades: createAutoTradeService({ ...ledger, brokers, predict }),
    changeGuards: createPositionGuards({ ...ledger, waiting, paper }),
    /** Whether any order waits for its price. */
    anyWaiting: async (): Promise<boolean> => (await waiting.symbols(ledger.db.orm)).length > 0,
    /** Fills what waits and can be filled now. */
    watchOrders: createOrderWatch({ ...ledger, waiting, paper }),
  }
}
export type Orders = ReturnType<typeof createOrders>
