import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { connect, type Database } from '../database/database.ts'
import { type MigrationFolder, migrate, PLATFORM_MIGRATIONS } from '../database/migrate.ts'
import { silentLogger } from '../logging.ts'
import { acquireTestServer } from './test-server.ts'

/** Ends a connection that hangs; how quick a machine is decides nothing. */
const CONNECT_WITHIN_MS = 120_000
const TEMPLATE_LOCK = 7_215_310_003

/**
 * A fresh, migrated database of this test's own (platform's tables and those of `folders`), dropped by `close`. The
 * migrations run once for a whole test run; each database is a copy of the result.
 */
export async function createTestDatabase(folders: readonly MigrationFolder[] = []): Promise<Database> {
  server ??= findServer()
  const { url, admin } = await server
  const template = await templateOf(url, [PLATFORM_MIGRATIONS, ...folders])
  const name = `test_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  const db = await connect(addressOf(url, name), silentLogger(), { max: 5, connectWithinMs: CONNECT_WITHIN_MS })
  let closed: Promise<void> | undefined
  return {
    ...db,
    close() {
      closed ??= db.close().then(async () => void (await admin.query(`drop database ${name} with (force)`)))
      return closed
    },
  }
}

/** Found once a process: it goes on without a holder until the run ends. */
let server: ReturnType<typeof findServer> | undefined
async function findServer(): Promise<{ url: string; admin: pg.Pool }> {
  const { url, release } = await acquireTestServer()
  await release()
  const admin = new pg.Pool({ connectionString: addressOf(url, 'postgres'), max: 2, allowExitOnIdle: true })
  return { url, admin: admin.on('error', () => undefined) }
}

const templates = new Map<string, Promise<string>>()

/** The name of the database that all others with these migrations are copies of, made by the first that asks. */
function templateOf(url: string, folders: readonly MigrationFolder[]): Promise<string> {
  const key = folders.map(({ owner, path }) => `${owner} ${path}`).join('\0')
  let made = templates.get(key)
  if (made === undefined) {
    const name = `template_${fingerprint(folders)}`
    made = administer(url, async (admin) => {
      await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
      const { rows } = await admin.query('select 1 from pg_database where datname = $1', [name])
      if (rows.length === 0) await makeTemplate(admin, url, name, folders)
      return name
    })
    templates.set(key, made)
  }
  return made
}

async function makeTemplate(admin: pg.Client, url: string, name: string, folders: readonly MigrationFolder[]) {
  const draft = `draft_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${draft}`)
  const db = await connect(addressOf(url, draft), silentLogger(), { max: 2 })
  try {
    await migrate(db, folders)
  } finally {
    await db.close()
  }
  await admin.query(`alter database ${draft} rename to ${name}`)
}

async function administer<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: addressOf(url, 'postgres') })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function addressOf(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

/** Changes with every change of a migration, so that a stale template is never used. */
function fingerprint(folders: readonly MigrationFolder[]): string {
  const hash = createHash('sha256')
  for (const { owner, path } of folders)
    for (const file of readdirSync(path)
      .filter((f) => f.endsWith('.sql'))
      .sort())
      hash.update(`${owner}\0${file}\0`).update(readFileSync(join(path, file)))
  return hash.digest('hex').slice(0, 16)
}
