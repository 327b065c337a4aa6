import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate as applyFolder } from 'drizzle-orm/node-postgres/migrator'
import type { Database } from './database.ts'

/** Migrations of one owner: a folder that drizzle-kit wrote. `owner` names the table that remembers them. */
export interface MigrationFolder {
  readonly owner: string
  readonly path: string
}

/** Our own tables: sessions and audit. Every installation and every test starts with them. */
export const PLATFORM_MIGRATIONS: MigrationFolder = {
  owner: 'platform',
  path: join(import.meta.dirname, '../../migrations'),
}

const BOOKS = 'migrations'
const LOCK = 7_215_310_021

/**
 * Brings the database up to date, folder by folder in the given order. However many processes ask at once, one works
 * and the others wait. Throws where a newer Shapecast has already migrated the database further than we know, and where
 * the database was made before the first of our migrations.
 */
export async function migrate(db: Database, folders: readonly MigrationFolder[]): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const orm: NodePgDatabase = drizzle({ client })
    for (const folder of folders) {
      await refuseOthers(orm, folder)
      await applyFolder(orm, { migrationsFolder: folder.path, migrationsSchema: BOOKS, migrationsTable: folder.owner })
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined)
    client.release()
  }
}

async function refuseOthers(orm: NodePgDatabase, folder: MigrationFolder): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: folder.path }).map(({ folderMillis }) => folderMillis)
  const book = sql`${sql.identifier(BOOKS)}.${sql.identifier(folder.owner)}`
  const { rows: there } = await orm.execute<{ there: boolean }>(
    sql`select to_regclass(${`${BOOKS}.${folder.owner}`}) is not null as there`,
  )
  if (!there[0]!.there) return
  const { rows } = await orm.execute<{ first: string | null; newest: string | null }>(
    sql`select min(created_at)::text as first, max(created_at)::text as newest from ${book}`,
  )
  const { first, newest } = rows[0]!
  if (first === null) return
  if (Number(first) < known[0]!)
    throw new Error(
      'This database was made by Shapecast before its first release, and its tables cannot be taken over. Use another DATA_DIR or DATABASE_URL, and import your candles there again.',
    )
  if (Number(newest) > known.at(-1)!)
    throw new Error(
      'This database was made by a newer version of Shapecast. Start that version, or use another DATA_DIR or DATABASE_URL.',
    )
}
