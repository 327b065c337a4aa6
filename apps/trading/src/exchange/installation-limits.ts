import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { InstallationLimits } from '@shapecast/contracts/real-bots'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Member } from '@shapecast/platform/sessions'
import type { Ledger } from '../ledger/ledger.ts'
import { numberOf, shown, type Units, unitsOf } from '../ledger/money.ts'
import type { RealTradingStore } from './real-trading-store.ts'

const MINUTE_MS = 60_000

/** What all bots with real money may hold and order together. */
export const createInstallationLimits = (deps: Ledger & { real: RealTradingStore; network: Network }) => {
  const { db, real, network, now } = deps
  const read = async (orm: Orm = db.orm): Promise<InstallationLimits> => {
    const { maxBots, maxOrdersAMinute } = await real.read(orm)
    return {
      currency: ACCOUNT_CURRENCY,
      maxBotsNotional: numberOf(maxBots),
      usedBotsNotional: numberOf(await real.notional(orm)),
      maxOrdersAMinute,
    }
  }

  return {
    read,

    /** Sets limits from the next order on; `prove` is asked before one is raised. */
    change: (
      wanted: { maxBotsNotional?: number | undefined; maxOrdersAMinute?: number | undefined },
      member: Member,
      prove: Prove,
    ): Promise<InstallationLimits> =>
      db.orm.transaction(async (tx) => {
        await real.lock(tx)
        const before = await read(tx)
        const { maxBotsNotional = before.maxBotsNotional, maxOrdersAMinute = before.maxOrdersAMinute } = wanted
        if (maxBotsNotional > before.maxBotsNotional || maxOrdersAMinute > before.maxOrdersAMinute) await prove()
        await real.change(tx, { maxBots: unitsOf(maxBotsNotional), maxOrdersAMinute })
        const after = await read(tx)
        const subject = { type: 'trading_limits', id: `bots ${network}` }
        await recordAudit(tx, member, { action: 'trading_limits.changed', subject, before, after })
        return after
      }),

    /**
     * Lets a purchase of a bot that is worth `counted` quote pass, or throws `over_limit` with the figures, and
     * `conflict` while real trading is off. Until the transaction ends nobody else's is looked at.
     */
    async require(tx: Orm, counted: Units): Promise<void> {
      const { killedAtMs, maxBots, maxOrdersAMinute } = await real.lock(tx)
      if (killedAtMs !== null)
        throw new AppError('conflict', 'The kill switch is on: bots buy nothing with real money.')
      const money = (units: Units) => `${shown(numberOf(units))} ${ACCOUNT_CURRENCY}`
      const used = await real.notional(tx)
      if (used + counted > maxBots)
        throw new AppError(
          'over_limit',
          `The order is worth ${money(counted)}, and of the ${money(maxBots)} that all bots with real money may hold ${money(used)} are used.`,
        )
      if ((await real.purchasesSince(tx, now() - MINUTE_MS)) >= maxOrdersAMinute)
        throw new AppError('over_limit', `All bots together may buy ${maxOrdersAMinute} times a minute, and have.`)
    },
  }
}
export type InstallationLimitService = ReturnType<typeof createInstallationLimits>
