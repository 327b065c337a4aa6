import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { createAccountStore } from './account-store.ts'
import { createBotLedger } from './bot-ledger.ts'
import { createEquityStore } from './equity-store.ts'
import { createKeyedReplies } from './keyed-replies.ts'
import type { AccountMarket } from './market-prices.ts'
import { createOrderStore } from './order-store.ts'

export interface LedgerDeps {
  db: Database
  market: AccountMarket
  log: Logger
  now(): number
}

/** The accounts of one venue with their orders, and what everybody who books on them needs. */
export function createLedger({ db, market, log, now }: LedgerDeps) {
  const { venue } = market
  const accounts = createAccountStore(venue)
  const orders = createOrderStore(market)
  const equity = createEquityStore(venue)
  return {
    db,
    market,
    accounts,
    orders,
    replies: createKeyedReplies(venue),
    equity,
    bots: createBotLedger({ accounts, orders, equity, now }),
    log,
    now,
  }
}
export type Ledger = ReturnType<typeof createLedger>
