import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

type Values<Table extends PgTable> = {
  readonly [Name in keyof Table['$inferSelect']]?: NonNullable<Table['$inferSelect'][Name]>
}

/** That a row of a table has all of these values. */
export const matching = <Table extends PgTable>(table: Table, values: Values<Table>): SQL => {
  const columns = getTableColumns(table)
  return and(...Object.entries(values).map(([name, value]) => eq(columns[name]!, value)))!
}

/** The same, of those values that are given: undefined ones leave it open. */
export const matchingGiven = <Table extends PgTable>(
  table: Table,
  values: { readonly [Name in keyof Values<Table>]: Values<Table>[Name] | undefined },
): SQL | undefined => {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  return Object.keys(given).length === 0 ? undefined : matching(table, given as Values<Table>)
}
