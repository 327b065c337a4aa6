import { customType, pgSchema } from 'drizzle-orm/pg-core'

/** The PostgreSQL schema that all tables of this service live in. */
export const tradingSchema = pgSchema('trading')

/** Bytes as they are; large values move out of line (TOAST) by themselves. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
