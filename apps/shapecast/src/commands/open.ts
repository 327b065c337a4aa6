import { AppError } from '@shapecast/contracts/errors'
import { type Config, loadConfig } from '@shapecast/platform/config'
import { createStopper } from '@shapecast/platform/graceful-stop'
import { createLogger, type Logger } from '@shapecast/platform/logging'
import type { Member } from '@shapecast/platform/sessions'
import { findUserByEmail } from '@shapecast/social/users/user-store'
import { type Installation, openInstallation, openStored, type Stored } from '../server/installation.ts'

/** The settings as a command sees them: quiet, unless a person asked for more. */
export function commandConfig(): Config {
  const config = loadConfig()
  return config.given.has('LOG_LEVEL') ? config : { ...config, logLevel: 'warn' }
}

/**
 * Runs `work` on the database, while the server runs or not, and closes everything again. The signal fires at Ctrl-C
 * and SIGTERM.
 */
export const withStored = <T>(work: (stored: Stored, signal: AbortSignal) => Promise<T>): Promise<T> =>
  within(openStored, work)

/** As `withStored`, with the queue: for what is built on the services' rooms. */
export const withInstallation = <T>(
  work: (installation: Installation, signal: AbortSignal) => Promise<T>,
): Promise<T> => within(openInstallation, work)

async function within<O, T>(
  open: (config: Config, log: Logger, stopper: ReturnType<typeof createStopper>) => Promise<O>,
  work: (opened: O, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const config = commandConfig()
  const log = createLogger(config.logLevel)
  const stopper = createStopper(log)
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort(new Error('Interrupted.'))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    return await work(await open(config, log, stopper), interrupted.signal)
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await stopper.stop()
  }
}

/** The account that something is done for. Throws `not_found`. */
export async function memberOf(orm: Parameters<typeof findUserByEmail>[0], email: string): Promise<Member> {
  const user = await findUserByEmail(orm, email)
  if (user === undefined) throw new AppError('not_found', `No account has the email address ${email}.`)
  return { userId: user.id, role: user.role, address: 'command line' }
}
