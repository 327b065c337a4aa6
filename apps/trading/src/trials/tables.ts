import type { TrialKind } from '@shapecast/contracts/trials'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../ground/kept-of-users.ts'
import { tradingSchema } from '../ground/trading-schema.ts'

/** What users tried on a series, whatever became of it: rows are deleted with their user, and by nothing else. */
export const trials = tradingSchema.table(
  'trials',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    kind: text('kind').$type<TrialKind>().notNull(),
    /** SHA-256 (hex) of what was tried: the same again is no other trial. */
    hash: text('hash').notNull(),
    /** How many trials it was: more than one of a search. */
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ name: 'trials_key', columns: [t.userId, t.venue, t.symbol, t.timeframe, t.kind, t.hash] })],
)

export const TRIALS_OF_USERS: KeptOfUsers = {
  trials: { table: trials, columns: 'venue, symbol, timeframe, kind, count', deleted: ofUser },
}
