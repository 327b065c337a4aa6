import { bigint, customType } from 'drizzle-orm/pg-core'
import { decimalOf, type Units, unitsOfDecimal } from './money.ts'

/** Money or coins, exact to 8 decimals. */
export const units = customType<{ data: Units; driverData: string }>({
  dataType: () => 'numeric(38, 8)',
  toDriver: decimalOf,
  fromDriver: unitsOfDecimal,
})

/** A time or a duration, ms. */
export const ms = (name: string) => bigint(name, { mode: 'number' })
