import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import type { Ledger } from '../ledger/ledger.ts'
import { numberOf } from '../ledger/money.ts'
import { createCoinCheck } from './bot-coins.ts'
import { createBotOrders } from './bot-orders.ts'
import { lookAtPositions } from './bot-positions.ts'
import { createExchangeAccount } from './exchange-account.ts'
import { createExchangeBroker } from './exchange-broker.ts'
import { createInstallationLimits } from './installation-limits.ts'
import { createKeySeal } from './key-seal.ts'
import { createKeyService } from './key-service.ts'
import { createKeyStore } from './key-store.ts'
import { createOrderKiller } from './kill-orders.ts'
import { createLimitService } from './limit-service.ts'
import { createLimitStore } from './limit-store.ts'
import { createOwnCoins } from './own-coins.ts'
import { createRealTradingStore } from './real-trading-store.ts'
import { createOrderReconciler } from './reconcile-orders.ts'
import { createSentOrderStore } from './sent-order-store.ts'
import { createSentOrders } from './sent-orders.ts'
import { createSharedAccount } from './shared-account.ts'
import { createStopGuard } from './stop-guard.ts'
import { createUnreadTrades } from './unread-trades.ts'
import { createVenueAccounts, type RealTrading } from './venue-accounts.ts'

/** A price that a position is valued at, and whose it is. */
export interface ValuedAt {
  readonly markPrice: number
  readonly markedBy: 'mark' | 'last'
}

/** Trading with real money; `real` is null where this process sends no orders. */
export function createExchange(ledger: Ledger, real: RealTrading | null) {
  const { venue } = ledger.market
  const keys = createKeyStore(venue)
  const seal = real === null ? null : createKeySeal(real.secretKey)
  const venues = createVenueAccounts({ ...ledger, keys, seal, real })
  const { network } = venues
  const shared = createSharedAccount({ venue, network })
  const own = createOwnCoins(ledger)
  const sent = createSentOrderStore(venue, network, ledger, own)
  const sending = createSentOrders({ ...ledger, sent, own })
  const guard = createStopGuard({ ...ledger, sent, own, sending })
  const limitStore = createLimitStore(venue)
  const limits = createLimitService({ ...ledger, own, limits: limitStore, network })
  const store = createRealTradingStore(venue, network)
  const installation = createInstallationLimits({ ...ledger, real: store, network })
  const all = { ...ledger, own, sent, sending, venues, shared, guard, limits, network, real: store }
  const broker = createExchangeBroker(all)
  const botOrders = createBotOrders({ ...all, exchange: broker, installation })
  return {
    network,
    broker: broker.ofUser,
    realAccount: createExchangeAccount(all),
    keys: createKeyService({ ...all, keys, seal, limits: limitStore }),
    limits,
    installationLimits: installation,
    botOrders,
    /**
     * What a futures position of a bot is valued at: the exchange's mark price, or the last one without it. Throws
     * `venue_unreachable` when neither is known.
     */
    async valuedAt(bot: Parameters<typeof botOrders.market>[0], symbol: string): Promise<ValuedAt> {
      const mark = await botOrders.markPrice(bot, symbol)
      if (mark !== null) return { markPrice: mark, markedBy: 'mark' }
      const last = (await botOrders.market(bot, symbol))?.price ?? null
      if (last === null) throw new AppError('venue_unreachable', `There is no price of ${symbol} now.`)
      return { markPrice: last, markedBy: 'last' }
    },
    /** Trading of bots with real money: whether it may be, and what there is of it. */
    realBots: {
      ...store,
      cancelAll: createOrderKiller(all),
      holdings: async (orm: Orm) =>
        (await store.holdings(orm)).map((held) => ({ ...held, quantity: numberOf(held.quantity) })),
    },
    positions: lookAtPositions.bind(null, all),
    coins: createCoinCheck(all),
    unread: createUnreadTrades(all),
    /** Asks the exchange about real orders that may have news. */
    reconcileOrders: createOrderReconciler(all),
    /** Lets go of the accounts at the exchange. */
    close: venues.close,
  }
}
export type Exchange = ReturnType<typeof createExchange>
