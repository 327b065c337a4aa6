import { bigint, boolean, doublePrecision, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import type { Database } from './database.ts'
import { insertRows } from './insert-rows.ts'

const things = pgTable('things', {
  id: uuid('id').primaryKey(),
  name: text('its_name').notNull(),
  atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  price: doublePrecision('price'),
  prices: doublePrecision('prices').array(),
  said: jsonb('said').$type<object>(),
  seen: boolean('seen').notNull().default(true),
})
const id = (k: number) => `01890000-0000-7000-8000-${String(k).padStart(12, '0')}`

let db: Database
beforeAll(async () => {
  db = await createTestDatabase()
  await db.pool.query(`create table things (id uuid primary key, its_name text not null, at_ms bigint not null,
    price double precision, prices double precision[], said jsonb, seen boolean not null default true)`)
})
afterAll(() => db?.close())

it('rows come back as they were, to the bit, and columns that are not named get their defaults', async () => {
  const row = {
    name: `it's "so"\n`,
    atMs: 1_700_000_000_000,
    price: 0.1 + 0.2,
    prices: [1.7e308, 5e-324],
    said: { a: [1] },
  }
  const rows = [
    { id: id(1), ...row },
    { id: id(2), ...row, price: null, prices: null, said: null },
  ]
  await insertRows(db.orm, things, rows)
  expect(await db.orm.select().from(things).orderBy(things.id)).toEqual(rows.map((each) => ({ ...each, seen: true })))
})

it('any number of rows is one statement, and none is nothing to do', async () => {
  await db.orm.delete(things)
  const rows = Array.from({ length: 70_000 }, (_, k) => ({ id: id(k), name: '', atMs: k }))
  await insertRows(db.orm, things, rows)
  await insertRows(db.orm, things, [])
  expect(await db.orm.$count(things)).toBe(70_000)
})
