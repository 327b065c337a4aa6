import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray } from 'drizzle-orm'
import { type AutoTradeAction, autoTradeDecisions } from './tables.ts'

export type Decision = Omit<typeof autoTradeDecisions.$inferInsert, 'id'>

/** What was decided by models' predictions, and why. */
export const createDecisionStore = () => ({
  async add(orm: Orm, decision: Decision): Promise<void> {
    await orm.insert(autoTradeDecisions).values(decision)
  },

  /** Whether this account has acted on a candle like that already. */
  async acted(
    orm: Orm,
    of: Pick<Decision, 'accountId' | 'symbol' | 'timeframe' | 'candleTs'>,
    actions: readonly AutoTradeAction[],
  ): Promise<boolean> {
    const rows = await orm
      .select({ id: autoTradeDecisions.id })
      .from(autoTradeDecisions)
      .where(
        and(
          eq(autoTradeDecisions.accountId, of.accountId),
          eq(autoTradeDecisions.symbol, of.symbol),
          eq(autoTradeDecisions.timeframe, of.timeframe),
          eq(autoTradeDecisions.candleTs, of.candleTs),
          inArray(autoTradeDecisions.action, [...actions]),
        ),
      )
      .limit(1)
    return rows.length > 0
  },
})
export type DecisionStore = ReturnType<typeof createDecisionStore>
