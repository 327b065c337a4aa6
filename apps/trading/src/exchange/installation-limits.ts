import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { InstallationLimits } from '@shapecast/contracts/real-bots'
import type { Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Member } from '@shapecast/platform/sessions'
import { numberOf, type Units, unitsOf } from '../ledger/money.ts'
import * as real from './real-trading-store.ts'
import { moneyOf, recordLimits } from './trading-limits.ts'
import type { ExchangeContext } from './venue-accounts.ts'

// What all bots with real money may hold and order together.

const MINUTE_MS = 60_000

export async function readInstallationLimits(ctx: ExchangeContext, orm: Orm = ctx.db.orm): Promise<InstallationLimits> {
  const { maxBots, maxOrdersAMinute } = await real.read(ctx, orm)
  return {
    currency: ACCOUNT_CURRENCY,
    maxBotsNotional: numberOf(maxBots),
    usedBotsNotional: numberOf(await real.notional(ctx, orm)),
    maxOrdersAMinute,
  }
}

/** Sets limits from the next order on; `prove` is asked before one is raised. */
export const changeInstallationLimits = (
  ctx: ExchangeContext,
  wanted: { maxBotsNotional?: number | undefined; maxOrdersAMinute?: number | undefined },
  member: Member,
  prove: Prove,
): Promise<InstallationLimits> =>
  ctx.db.orm.transaction(async (tx) => {
    await real.lock(ctx, tx)
    return recordLimits(tx, { id: `bots ${ctx.network}`, member, prove }, wanted, {
      read: () => readInstallationLimits(ctx, tx),
      save: ({ maxBotsNotional, maxOrdersAMinute }) =>
        real.change(ctx, tx, { maxBots: unitsOf(maxBotsNotional), maxOrdersAMinute }),
    })
  })

/**
 * Lets a purchase of a bot that is worth `counted` quote pass, or throws `over_limit` with the figures, and
 * `conflict` while real trading is off. Until the transaction ends nobody else's is looked at.
 */
export async function requireWithinInstallation(ctx: ExchangeContext, tx: Orm, counted: Units): Promise<void> {
  const { killedAtMs, maxBots, maxOrdersAMinute } = await real.lock(ctx, tx)
  if (killedAtMs !== null) throw new AppError('conflict', 'The kill switch is on: bots buy nothing with real money.')
  const used = await real.notional(ctx, tx)
  if (used + counted > maxBots)
    throw new AppError(
      'over_limit',
      `The order is worth ${moneyOf(counted)}, and of the ${moneyOf(maxBots)} that all bots with real money may hold ${moneyOf(used)} are used.`,
    )
  if ((await real.purchasesSince(ctx, tx, ctx.now() - MINUTE_MS)) >= maxOrdersAMinute)
    throw new AppError('over_limit', `All bots together may buy ${maxOrdersAMinute} times a minute, and have.`)
}
