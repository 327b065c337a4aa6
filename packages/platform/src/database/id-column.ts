import { uuid } from 'drizzle-orm/pg-core'
import { newId } from './new-id.ts'

/** A primary key `id`. Rows written through Drizzle get an id in the order of their making; plain SQL a random one. */
export const idColumn = () => uuid('id').primaryKey().defaultRandom().$defaultFn(newId)
