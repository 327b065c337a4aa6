import type { WorthStep } from '@shapecast/engine/time-weighted'
import type { Orm } from '@shapecast/platform/database/database'
import { insertRows } from '@shapecast/platform/database/insert-rows'
import { newId } from '@shapecast/platform/database/new-id'
import { and, asc, eq, gte, max, sql } from 'drizzle-orm'
import { accountEquity, type EquityRow } from './tables.ts'

export type NewEquity = Omit<EquityRow, 'venue'>

/** Bots of a user together at a moment: what they are worth, and what they were before with what was put in since. Quote. */
export interface BotsStep extends WorthStep {
  readonly isVirtual: boolean
  readonly atMs: number
}

/** The equity of one bot at full hours, thinned, the oldest first. Quote. */
export interface BotCourse {
  readonly botId: string
  readonly sinceMs: number
  readonly values: number[]
}

/** Values of a course. */
const COURSE_POINTS = 60

/** What the accounts of one venue were worth at full hours. */
export const createEquityStore = (venue: string) => ({
  /** The last hour that was kept, ms. */
  async newest(orm: Orm): Promise<number | null> {
    const [row] = await orm
      .select({ atMs: max(accountEquity.atMs) })
      .from(accountEquity)
      .where(eq(accountEquity.venue, venue))
    return row?.atMs ?? null
  },

  /** One statement, however many there are. An hour that is kept already stays as it is. */
  keep(orm: Orm, rows: readonly NewEquity[]): Promise<void> {
    const ofVenue = rows.map((row) => ({ ...row, venue }))
    return insertRows(orm, accountEquity, ofVenue, sql`on conflict do nothing`)
  },

  /** Of all accounts of a user, those of deleted bots included, or of one bot of theirs; the oldest first. */
  of: (orm: Orm, userId: string, { botId, since = 0 }: { botId?: string; since?: number } = {}): Promise<EquityRow[]> =>
    orm
      .select()
      .from(accountEquity)
      .where(
        and(
          eq(accountEquity.userId, userId),
          eq(accountEquity.venue, venue),
          gte(accountEquity.atMs, since),
          botId === undefined ? undefined : eq(accountEquity.botId, botId),
        ),
      )
      .orderBy(asc(accountEquity.atMs), asc(accountEquity.accountId)),

  /** An account that begins again is another one from here on: what it was given is not what it earned. */
  async closeCurve(tx: Orm, accountId: string): Promise<void> {
    await tx.update(accountEquity).set({ accountId: newId() }).where(eq(accountEquity.accountId, accountId))
  },

  /**
   * The bots of a user from the last hour that was kept at or before `sinceMs` on, deleted ones included, and at last
   * `now`. An account's first hour counts from what was put in; at the first moment of all from what it was worth.
   */
  async botSteps(
    orm: Orm,
    userId: string,
    { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
    now: readonly Pick<EquityRow, 'accountId' | 'isVirtual' | 'equity' | 'deposits'>[],
  ): Promise<BotsStep[]> {
    const { rows } = await orm.execute<{ is_virtual: boolean; at_ms: string; worth: number; base: number }>(sql`
      with first as (
        select max(at_ms) as at_ms from ${accountEquity}
        where user_id = ${userId} and venue = ${venue} and at_ms <= ${sinceMs}
      ), kept as (
        select account_id, at_ms, is_virtual, equity, deposits from ${accountEquity}
        where user_id = ${userId} and venue = ${venue} and bot_id is not null
          and at_ms >= coalesce((select at_ms from first), 0) and at_ms < ${nowMs}
        union all
        select "accountId", ${nowMs}::bigint, "isVirtual", equity, deposits
        from json_to_recordset(${JSON.stringify(now)}::json) as r("accountId" uuid, "isVirtual" boolean,
          equity double precision, deposits double precision)
      ), step as (
        select is_virtual, at_ms, equity, deposits,
          lag(equity) over account as equity_before, lag(deposits) over account as deposits_before
        from kept window account as (partition by account_id order by at_ms)
      )
      select is_virtual, at_ms, sum(equity) as worth, sum(case
        when equity_before is not null then equity_before + deposits - deposits_before
        when at_ms = (select at_ms from first) then equity
        else deposits end) as base
      from step group by is_virtual, at_ms order by is_virtual, at_ms`)
    return rows.map(({ is_virtual, at_ms, worth, base }) => ({
      isVirtual: is_virtual,
      atMs: Number(at_ms),
      worth,
      base,
    }))
  },

  /** Of each bot of a user since `sinceMs`. */
  async botCourses(orm: Orm, userId: string, sinceMs: number): Promise<BotCourse[]> {
    const { rows } = await orm.execute<{ bot_id: string; since_ms: string; values: number[] }>(sql`
      with kept as (
        select bot_id, at_ms, equity, row_number() over (partition by bot_id order by at_ms desc) as back,
          count(*) over (partition by bot_id) as hours
        from ${accountEquity}
        where user_id = ${userId} and venue = ${venue} and bot_id is not null and at_ms >= ${sinceMs}
      )
      select bot_id, min(at_ms) as since_ms, array_agg(equity order by at_ms) as values
      from kept where (back - 1) % (1 + (hours - 1) / ${COURSE_POINTS}) = 0 group by bot_id`)
    return rows.map(({ bot_id: botId, since_ms, values }) => ({ botId, sinceMs: Number(since_ms), values }))
  },
})
export type EquityStore = ReturnType<typeof createEquityStore>
