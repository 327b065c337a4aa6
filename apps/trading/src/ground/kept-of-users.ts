import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/** A user; their bots and accounts as queries of ids. */
export interface Whose {
  readonly userId: string
  readonly bots: SQL
  readonly accounts: SQL
}

/** Rows of a table that are a user's. */
export interface KeptRows {
  readonly table: PgTable
  /** What is exported: a column that is added stays here until somebody adds it. */
  readonly columns: string
  /** Those with the user's id, unless it says otherwise. */
  readonly where?: (whose: Whose) => SQL
  /** Those that are deleted with the user: none unless it says so. */
  readonly deleted?: (whose: Whose) => SQL
}

/** What a room keeps of users, by the name that the file with a user's data has for it. */
export type KeptOfUsers = Readonly<Record<string, KeptRows>>

export const ofUser = ({ userId }: Whose): SQL => sql`user_id = ${userId}`
