import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { standStill } from '../testing/stand-still.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { CONNECT_WITHIN_MS, type Database } from './database.ts'
import { ANSWERS_WITHIN_MS, createHeartbeat } from './heartbeat.ts'

let db: Database
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

const beats = async () => (await db.pool.query("select value from platform.installation where key = 'heartbeat'")).rows
const failure = async (heartbeat: () => Promise<void>) => {
  const askedAt = performance.now()
  const error = await heartbeat().then(
    () => null,
    (failed: Error & { code: string }) => ({ code: failed.code, message: failed.message }),
  )
  return { error, tookMs: performance.now() - askedAt }
}

it('writes its time once a second, however many ask', async () => {
  const heartbeat = createHeartbeat(db)
  await Promise.all(Array.from({ length: 50 }, () => heartbeat()))
  const [first] = await beats()
  expect(Date.now() - Date.parse(first.value)).toBeLessThan(60_000)
  await heartbeat()
  expect(await beats()).toEqual([first])
  await eventually(async () => {
    await heartbeat()
    expect(await beats()).not.toEqual([first])
  })
})

it('the heartbeat says that the database is set to read only, and that it is well again', async () => {
  const { rows } = await db.pool.query('select current_database() as name')
  await db.pool.query(`alter database ${rows[0].name} set default_transaction_read_only = on`)
  await db.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const client = await db.pool.connect()
  client.release(true)
  expect((await failure(createHeartbeat(db))).error).toEqual({
    code: 'unavailable',
    message: 'The database takes no changes just now: it is set to read only. Try again in a moment.',
  })
  await db.pool.query(`begin read write; alter database ${rows[0].name} reset default_transaction_read_only; commit`)
  ;(await db.pool.connect()).release(true)
  await eventually(() => createHeartbeat(db)())
})

it('the heartbeat says that the disk is full when a write finds no room', async () => {
  await db.pool.query(`
    create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert or update on platform.installation
      for each row execute function full_disk()`)
  expect((await failure(createHeartbeat(db))).error?.message).toBe(
    'The disk of the database is full. Try again in a moment.',
  )
  await db.pool.query('drop trigger full_disk on platform.installation')
  await createHeartbeat(db)()
})

it('the heartbeat gives up within two seconds', () => expect(ANSWERS_WITHIN_MS).toBeLessThan(2_000))

it('the heartbeat says that a database that stands still does not answer before a connection gives up, until it goes on', async () => {
  const goOn = await standStill(db)
  try {
    const { error, tookMs } = await failure(createHeartbeat(db))
    expect(error).toEqual({ code: 'unavailable', message: 'The database does not answer. Try again in a moment.' })
    expect(tookMs).toBeLessThan(CONNECT_WITHIN_MS)
  } finally {
    goOn()
  }
  await eventually(() => createHeartbeat(db)())
})
