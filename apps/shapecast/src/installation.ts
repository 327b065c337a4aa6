import type { Config } from '@shapecast/platform/config'
import type { Database } from '@shapecast/platform/database/database'
import { migrate, PLATFORM_MIGRATIONS } from '@shapecast/platform/database/migrate'
import { openDatabase } from '@shapecast/platform/database/open-database'
import type { createStopper } from '@shapecast/platform/graceful-stop'
import type { Logger } from '@shapecast/platform/logging'
import { createQueue, type Queue } from '@shapecast/platform/queue'
import { refuseOtherKey } from '@shapecast/platform/secret-check'
import { createSessions, type Sessions } from '@shapecast/platform/sessions'
import { SOCIAL_MIGRATIONS } from '@shapecast/social/app'
import { TRADING_MIGRATIONS } from '@shapecast/trading/app'

/** Every table of the product, in the order in which they are made. */
export const MIGRATIONS = [PLATFORM_MIGRATIONS, SOCIAL_MIGRATIONS, TRADING_MIGRATIONS]

/** What every process of an installation has: its settings, its migrated database, its queue. */
export interface Installation {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly queue: Queue
  readonly sessions: Sessions
}

/** Opens the database (starting the embedded one where it is not running) and brings it up to date. */
export async function openMigrated(config: Config, log: Logger, options: { max?: number } = {}): Promise<Database> {
  const db = await openDatabase(config, log, options)
  try {
    await migrate(db, MIGRATIONS)
    await refuseOtherKey(db, config.secretKey)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Opens all that a process needs; what it has opened is closed by `stopper`, whatever happens after. */
export async function openInstallation(
  config: Config,
  log: Logger,
  stopper: ReturnType<typeof createStopper>,
): Promise<Installation> {
  const db = await openMigrated(config, log)
  stopper.add({ name: 'database', stop: () => db.close() })
  const queue = await createQueue(db, log)
  stopper.add({ name: 'queue', stop: () => queue.stop() })
  return { config, log, db, queue, sessions: createSessions({ db, secretKey: config.secretKey }) }
}
