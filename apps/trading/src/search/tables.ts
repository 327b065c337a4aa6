import { jsonb, uuid } from 'drizzle-orm/pg-core'
import { jobs } from '../ground/jobs/tables.ts'
import { bytea, tradingSchema } from '../ground/trading-schema.ts'

/** The settings of the best, by name. */
export interface Winner {
  readonly values: Readonly<Record<string, number>>
}

/** What completed searches found; who searched what, and the verdict, stand in the job. */
export const searchResults = tradingSchema.table('search_results', {
  searchId: uuid('search_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  /** The settings of the best, for a bot. */
  winner: jsonb('winner').$type<Winner>().notNull(),
  /** Brotli of the JSON of a SearchResult. */
  bytes: bytea('bytes').notNull(),
})
