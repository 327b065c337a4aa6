import type { Config } from '@shapecast/platform/config'
import type { Database } from '@shapecast/platform/database/database'
import { migrate, PLATFORM_MIGRATIONS } from '@shapecast/platform/database/migrate'
import type { createStopper } from '@shapecast/platform/graceful-stop'
import type { Logger } from '@shapecast/platform/logging'
import { openDatabase, refuseOtherKey } from '@shapecast/platform/open-database'
import { createQueue, type Queue } from '@shapecast/platform/queue'
import { createSessions, type Sessions } from '@shapecast/platform/sessions'
import { SOCIAL_MIGRATIONS } from '@shapecast/social/app'
import { fillNameKeys } from '@shapecast/social/users/user-store'
import { TRADING_MIGRATIONS } from '@shapecast/trading/compose'

/** Every table of the product, in the order in which they are made. */
export const MIGRATIONS = [PLATFORM_MIGRATIONS, SOCIAL_MIGRATIONS, TRADING_MIGRATIONS]

/** What a command needs that reads or writes the database and is done. */
export interface Stored {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly sessions: Sessions
}

/** What every process of an installation has: its settings, its migrated database, its queue. */
export interface Installation extends Stored {
  readonly queue: Queue
}

type Stopper = ReturnType<typeof createStopper>

/**
 * Opens the database (starting the embedded one where it is not running) and brings it up to date. What it opens is
 * closed by `stopper`, whatever happens after.
 */
export async function openStored(config: Config, log: Logger, stopper: Stopper): Promise<Stored> {
  const db = await openDatabase(config, log)
  stopper.add({ name: 'database', stop: () => db.close() })
  await migrate(db, MIGRATIONS)
  await refuseOtherKey(db, config.secretKey)
  await fillNameKeys(db.orm)
  return { config, log, db, sessions: createSessions({ db, secretKey: config.secretKey }) }
}

/** As `openStored`, with the queue. */
export async function openInstallation(
  config: Config,
  log: Logger,
  stopper: Stopper,
  { isWorker = false } = {},
): Promise<Installation> {
  const stored = await openStored(config, log, stopper)
  const queue = await createQueue(stored.db, log, { supervise: isWorker })
  stopper.add({ name: 'queue', stop: () => queue.stop() })
  return { ...stored, queue }
}
