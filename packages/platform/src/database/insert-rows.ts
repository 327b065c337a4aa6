import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Orm } from './database.ts'

/**
 * Adds any number of rows in one statement, as one JSON: a parameter for each value costs more than the work. All rows
 * name the same columns; `conflict` is an `on conflict` clause. Ids made by us have to be in the rows.
 */
export async function insertRows<T extends PgTable>(
  tx: Orm,
  table: T,
  rows: readonly T['$inferInsert'][],
  conflict: SQL = sql``,
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in first)
  const list = (parts: SQL[]) => sql.join(parts, sql`, `)
  const names = list(columns.map(([, { name }]) => sql`${sql.identifier(name)}`))
  const keys = list(columns.map(([key]) => sql`${sql.identifier(key)}`))
  const types = list(columns.map(([key, column]) => sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`))
  await tx.execute(sql`
    insert into ${table} (${names}) select ${keys}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(${types}) ${conflict}`)
}
