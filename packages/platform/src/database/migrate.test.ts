import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../logging.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { connect, type Database } from './database.ts'
import { type MigrationFolder, migrate } from './migrate.ts'

/** An owner whose migrations fail when two run at once: nothing in them says IF NOT EXISTS. */
function makeFolder(path: string, steps: readonly string[], fromMs = 1_700_000_000_000): void {
  const entries = steps.map((sql, idx) => {
    writeFileSync(join(path, `000${idx}_step.sql`), sql)
    return { idx, version: '7', when: fromMs + idx, tag: `000${idx}_step`, breakpoints: true }
  })
  writeFileSync(join(path, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
}

describe('migrations', () => {
  let db: Database
  const path = mkdtempSync(join(tmpdir(), 'shapecast-migrations-'))
  const folder: MigrationFolder = { owner: 'things', path }
  const first = 'create table things (n int); select pg_sleep(0.2); insert into things values (1);'
  beforeAll(async () => {
    db = await createTestDatabase()
    cpSync(join(import.meta.dirname, '../../migrations/meta'), join(path, 'meta'), { recursive: true })
    expect(readFileSync(join(path, 'meta/_journal.json'), 'utf8')).toContain('entries')
  })
  afterAll(async () => {
    await db.close()
    rmSync(path, { recursive: true })
  })

  it('run once, however many processes ask at the same time', async () => {
    makeFolder(path, [first])
    const four = await Promise.all([1, 2, 3, 4].map(() => connect(db.url, silentLogger(), { max: 2 })))
    await Promise.all(four.map((one) => migrate(one, [folder])))
    await Promise.all(four.map((one) => one.close()))
    expect((await db.pool.query('select n from things')).rows).toEqual([{ n: 1 }])
  })

  it('take up where they left off', async () => {
    makeFolder(path, [first, 'insert into things values (2);'])
    await migrate(db, [folder])
    expect((await db.pool.query('select n from things order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('leave nothing of a step that fails, nor of those before it in the same run', async () => {
    makeFolder(path, [first, 'insert into things values (2);', 'insert into things values (3);', 'select 1/0;'])
    await expect(migrate(db, [folder])).rejects.toThrow()
    expect((await db.pool.query('select count(*)::int as n from things')).rows).toEqual([{ n: 2 }])
  })

  it('refuse a database that was made before the first of them', async () => {
    makeFolder(path, [first], 1_700_000_005_000)
    await expect(migrate(db, [folder])).rejects.toThrow('before its first release')
  })

  it('refuse a database that a newer version has made', async () => {
    makeFolder(path, [first])
    await expect(migrate(db, [folder])).rejects.toThrow('made by a newer version of Shapecast')
  })
})
