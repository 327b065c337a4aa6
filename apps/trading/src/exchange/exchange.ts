import { AppError } from '@shapecast/contracts/errors'
import { bound } from '../ground/bound.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { keepKeys, listKeys, removeKeys } from './api-keys.ts'
import { lookAtCoins } from './bot-coins.ts'
import {
  enter,
  guardAgain,
  isolate,
  ledger as ledgerOf,
  marketOf,
  markPrice,
  type OrderingBot,
  prepare,
  requireReady,
  requireStops,
} from './bot-orders.ts'
import { lookAtPositions } from './bot-positions.ts'
import { createExchangeAccount } from './exchange-account.ts'
import { ofUser } from './exchange-broker.ts'
import { changeInstallationLimits, readInstallationLimits } from './installation-limits.ts'
import { cancelAll } from './kill-orders.ts'
import { change, holdings, inPosition, lock, purchasesSince, read, unsettled, withNews } from './real-trading-store.ts'
import { reconcileOrders } from './reconcile-orders.ts'
import { isAnyDue } from './sent-order-store.ts'
import { endRests } from './sent-orders.ts'
import { changeLimits, readLimits } from './trading-limits.ts'
import { bookUnread, requireNoExcess, unreadWords } from './unread-trades.ts'
import { createVenueAccounts, type ExchangeContext, type RealTrading } from './venue-accounts.ts'

/**
 * What a futures position of a bot is valued at, and whose price that is: the exchange's mark price, or the last one
 * without it. Throws `venue_unreachable` when neither is known.
 */
async function valuedAt(ctx: ExchangeContext, bot: OrderingBot, symbol: string) {
  const mark = await markPrice(ctx, bot, symbol)
  if (mark !== null) return { markPrice: mark, markedBy: 'mark' as const }
  const last = (await marketOf(ctx, bot, symbol))?.price ?? null
  if (last === null) throw new AppError('venue_unreachable', `There is no price of ${symbol} now.`)
  return { markPrice: last, markedBy: 'last' as const }
}

/** Trading with real money, as other rooms see it; `trading` is null where this process sends no orders. */
export function createExchange(ledger: Ledger, trading: RealTrading | null) {
  const venues = createVenueAccounts(ledger, trading)
  const { network } = venues
  const ctx: ExchangeContext = { ...ledger, venues, network }
  return {
    network,
    realAccount: createExchangeAccount(ctx),
    keys: bound(ctx, { put: keepKeys, list: listKeys, remove: removeKeys }),
    limits: bound(ctx, { read: readLimits, change: changeLimits }),
    installationLimits: bound(ctx, { read: readInstallationLimits, change: changeInstallationLimits }),
    botOrders: {
      network,
      /** These orders have been applied. */
      settled: ledger.orders.settled,
      ...bound(ctx, { enter, ledger: ledgerOf, requireReady, requireStops, marketOf, markPrice, isolate, guardAgain }),
      ...bound(ctx, { prepare, endRests, withNews, purchasesSince }),
    },
    /** Trading of bots with real money: whether it may be, and what there is of it. */
    realBots: bound(ctx, { read, lock, change, unsettled, holdings, inPosition, withNews, cancelAll }),
    unread: bound(ctx, { requireNoExcess, wordsOf: unreadWords, book: bookUnread }),
    ...bound(ctx, {
      broker: ofUser,
      valuedAt,
      positions: lookAtPositions,
      coins: lookAtCoins,
      isAnyDue,
      reconcileOrders,
    }),
    /** Lets go of the accounts at the exchange. */
    close: venues.close,
  }
}
export type Exchange = ReturnType<typeof createExchange>
export type BotOrders = Exchange['botOrders']
