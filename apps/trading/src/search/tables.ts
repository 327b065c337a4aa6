import { jsonb, uuid } from 'drizzle-orm/pg-core'
import { jobs, jobsOfUser } from '../ground/jobs/tables.ts'
import type { KeptOfUsers } from '../ground/kept-of-users.ts'
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

const searches = jobsOfUser('search')

export const SEARCHES_OF_USERS: KeptOfUsers = { searches: { ...searches, deleted: searches.where } }
