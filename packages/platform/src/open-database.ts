import type { Config } from './config.ts'
import { connect, type Database } from './database/database.ts'
import { acquireServer } from './database/embedded.ts'
import type { Logger } from './logging.ts'

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
