import type { AlertRule } from '@shapecast/contracts/alerts'
import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, boolean, doublePrecision, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../ground/kept-of-users.ts'
import { tradingSchema } from '../ground/trading-schema.ts'

export const alerts = tradingSchema.table(
  'alerts',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    rule: jsonb('rule').$type<AlertRule>().notNull(),
    note: text('note').notNull(),
    restMinutes: integer('rest_minutes').notNull(),
    isOn: boolean('is_on').notNull(),
    /** What was measured last; null before the first time. */
    lastValue: doublePrecision('last_value'),
    /** Open time of the last candle that was looked at, of what is looked at at closes. */
    lookedTs: bigint('looked_ts', { mode: 'number' }),
    rangAt: bigint('rang_at_ms', { mode: 'number' }),
    timesRung: integer('times_rung').notNull().default(0),
    createdAt: bigint('created_at_ms', { mode: 'number' }).notNull(),
    /** It can be restored for a day. */
    deletedAtMs: bigint('deleted_at_ms', { mode: 'number' }),
  },
  (t) => [index('alerts_by_user').on(t.userId, t.id)],
)
export type AlertRow = typeof alerts.$inferSelect

export const ALERTS_OF_USERS: KeptOfUsers = {
  alerts: {
    table: alerts,
    columns: 'venue, rule, note, rest_minutes, is_on, rang_at_ms, times_rung, created_at_ms',
    deleted: ofUser,
  },
}
