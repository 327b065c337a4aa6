import { type Config, loadConfig } from '@shapecast/platform/config'
import { createStopper } from '@shapecast/platform/graceful-stop'
import { createLogger } from '@shapecast/platform/logging'
import { type Installation, openInstallation } from '../installation.ts'

/** The settings as a command sees them: quiet, unless a person asked for more. */
export function commandConfig(): Config {
  const config = loadConfig()
  return config.given.has('LOG_LEVEL') ? config : { ...config, logLevel: 'warn' }
}

/**
 * Runs `work` on the installation, while its server runs or not, and closes everything again. The signal fires at
 * Ctrl-C and SIGTERM.
 */
export async function withInstallation<T>(
  work: (installation: Installation, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const config = commandConfig()
  const log = createLogger(config.logLevel)
  const stopper = createStopper(log)
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort(new Error('Interrupted.'))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    return await work(await openInstallation(config, log, stopper), interrupted.signal)
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await stopper.stop()
  }
}
