import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { TradingLimits } from '@shapecast/contracts/exchange-keys'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Member } from '@shapecast/platform/sessions'
import { realOf } from '../ledger/account-store.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { numberOf, shown, type Units, unitsOf } from '../ledger/money.ts'
import type { LimitStore } from './limit-store.ts'
import type { OwnCoins, SentFor } from './own-coins.ts'

/** An order as the limits see it. */
export interface Weighed extends SentFor {
  readonly base: string
  readonly market: RealMarket
  readonly side: 'buy' | 'sell'
  readonly quantity: Units
  /** Quote per base: of a market order the price of the moment. */
  readonly price: number
}

const HOW = 'Nothing was sent. Choose a smaller amount, or change the limit in Settings, Exchange keys.'

/** How much a person's real orders may be worth. */
export const createLimitService = (deps: Ledger & { own: OwnCoins; limits: LimitStore; network: Network }) => {
  const { db, accounts, own, limits, network, now } = deps
  const read = (userId: string, orm: Orm = db.orm) => limits.show(orm, userId, network, now())

  return {
    read,

    /** Sets limits from the next order on; `prove` is asked before one is raised. */
    async change(
      wanted: { maxOrderNotional?: number | undefined; maxDayNotional?: number | undefined },
      member: Member,
      prove: Prove,
    ): Promise<TradingLimits> {
      const { userId } = member
      return db.orm.transaction(async (tx) => {
        // Under the account's lock: an order that is placed meanwhile keeps to the one or to the other.
        await accounts.open(tx, realOf(userId, network), 0n, now())
        const before = await read(userId, tx)
        const { maxOrderNotional = before.maxOrderNotional, maxDayNotional = before.maxDayNotional } = wanted
        if (maxOrderNotional > before.maxOrderNotional || maxDayNotional > before.maxDayNotional) await prove()
        const set = { maxOrder: unitsOf(maxOrderNotional), maxDay: unitsOf(maxDayNotional) }
        await limits.save(tx, { userId, network }, set, now())
        const after = await read(userId, tx)
        const subject = { type: 'trading_limits', id: `${userId} ${network}` }
        await recordAudit(tx, member, { action: 'trading_limits.changed', subject, before, after })
        return after
      })
    },

    /**
     * What an order of a person, or of a bot of theirs, counts for, in quote: a purchase whole, a sale by the coins that
     * were not bought here, an entry on futures by all that it moves, leverage included. Under the account's lock.
     * Throws `over_limit` with the figures where it is too much.
     */
    async require(tx: Orm, userId: string, order: Weighed): Promise<Units> {
      // Their bots have accounts, and so locks, of their own.
      await lockUntilCommit(tx, `real orders of ${userId}`)
      const bought = order.side === 'buy' || order.market === 'futures' ? 0n : await own.held(tx, order)
      const quantity = order.quantity > bought ? order.quantity - bought : 0n
      const counted = unitsOf(numberOf(quantity) * order.price)
      if (counted === 0n) return counted
      const { maxOrder, maxDay } = await limits.read(tx, userId, network)
      const money = (units: Units) => `${shown(numberOf(units))} ${ACCOUNT_CURRENCY}`
      if (counted > maxOrder)
        throw new AppError(
          'over_limit',
          `This order is worth ${money(counted)}, and your real orders on the ${network} are limited to ${money(maxOrder)} each. ${HOW}`,
          { field: 'amount' },
        )
      const used = await limits.used(tx, userId, network, now())
      if (used + counted > maxDay)
        throw new AppError(
          'over_limit',
          `This order is worth ${money(counted)}, and of the ${money(maxDay)} that your real orders on the ${network} may be worth in 24 hours ${money(used)} are used. ${HOW}`,
          { field: 'amount' },
        )
      return counted
    },
  }
}
export type LimitService = ReturnType<typeof createLimitService>
