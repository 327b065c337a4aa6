import type { Orm } from '@shapecast/platform/database/database'
import { and, asc, eq, gte, max, sql } from 'drizzle-orm'
import { accountEquity, type EquityRow } from './tables.ts'

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
  async keep(orm: Orm, rows: readonly Omit<EquityRow, 'venue'>[]): Promise<void> {
    if (rows.length === 0) return
    await orm.execute(sql`
      insert into ${accountEquity} (account_id, at_ms, venue, user_id, bot_id, equity, closed_pnl, open_pnl, deposits)
      select "accountId", "atMs", ${venue}, "userId", "botId", equity, "closedPnL", "openPnL", deposits
      from json_to_recordset(${JSON.stringify(rows)}::json) as r("accountId" uuid, "atMs" bigint, "userId" uuid,
        "botId" uuid, equity double precision, "closedPnL" double precision, "openPnL" double precision,
        deposits double precision)
      on conflict do nothing`)
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
})
export type EquityStore = ReturnType<typeof createEquityStore>
