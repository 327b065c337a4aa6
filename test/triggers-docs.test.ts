import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { TRADING_MIGRATIONS } from '@shapecast/trading/test/support/trading-migrations'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

it('CONTRIBUTING.md names every trigger of the database, and no other', async () => {
  const social = { owner: 'social', path: join(root, 'apps/social/migrations') }
  const db = await createTestDatabase([social, TRADING_MIGRATIONS])
  const { rows } = await db.pool.query<{ name: string }>(
    `select tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and c.relnamespace::regnamespace::text in ('platform', 'social', 'trading')`,
  )
  await db.close()
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const table = /\n### What the database does by itself\n(.*?)\n## /s.exec(guide)![1]!
  const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!)
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!))
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})
