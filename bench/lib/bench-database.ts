import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '@shapecast/platform/database/database'
import { acquireServer } from '@shapecast/platform/database/embedded'
import { migrate, PLATFORM_MIGRATIONS } from '@shapecast/platform/database/migrate'
import { readRecord } from '@shapecast/platform/database/server-folder'
import { silentLogger } from '@shapecast/platform/logging'

const TRADING_MIGRATIONS = {
  owner: 'trading',
  path: join(import.meta.dirname, '../../apps/trading/migrations'),
}

/** Runs `work` on an embedded PostgreSQL of its own, with the settings of an installation, and throws it away. */
export async function withBenchDatabase<T>(work: (bench: { db: Database; folder: string }) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-bench-'))
  const log = silentLogger()
  const server = await acquireServer({ dataDir: folder, log })
  const db = await connect(server.url, log)
  try {
    await migrate(db, [PLATFORM_MIGRATIONS, TRADING_MIGRATIONS])
    return await work({ db, folder })
  } finally {
    await db.close()
    await server.release()
    const record = readRecord(folder)
    if (record !== null) rmSync(record.folder, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}
