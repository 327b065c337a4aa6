import { createHmac } from 'node:crypto'
import type { Config } from './config.ts'
import { connect, type Database } from './database/database.ts'
import { acquireServer } from './database/embedded.ts'
import { keepFirst, readKept } from './kept.ts'
import type { Logger } from './logging.ts'
import { SettingsError } from './settings.ts'

/**
 * Connects to `DATABASE_URL`, or finds or starts the embedded PostgreSQL. From here on there is no difference. Closing
 * it gives the embedded server back, which stops when nobody uses it any more.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  options: { max?: number } = {},
): Promise<Database> {
  if (config.databaseUrl !== null) return connect(config.databaseUrl, log, options)
  const server = await acquireServer({ dataDir: config.dataDir, log })
  const db = await connect(server.url, log, options)
  let closed: Promise<void> | undefined
  return {
    ...db,
    close() {
      closed ??= db.close().then(() => server.release())
      return closed
    },
  }
}

const KEY = 'secret_key_mark'

/**
 * Every process of an installation needs the same SECRET_KEY: tokens are signed and stored keys encrypted with it. The
 * first process leaves a mark of its key in the database; one with another key is refused here instead of failing
 * somewhere else later.
 */
export async function refuseOtherKey(db: Database, secretKey: string): Promise<void> {
  const mark = createHmac('sha256', secretKey).update('mark of the key').digest('base64url')
  await keepFirst(db.orm, KEY, mark)
  if ((await readKept(db.orm, KEY)) === mark) return
  throw new SettingsError(
    'SECRET_KEY differs from the one that this database was set up with. Give every process the same SECRET_KEY (or the same secret-key file in DATA_DIR). If the old key is lost, see docs/operations.md, "A lost key".',
  )
}
