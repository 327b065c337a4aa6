import { loadConfig } from '@shapecast/platform/config'
import { stopOnSignals } from '@shapecast/platform/graceful-stop'
import { createLogger } from '@shapecast/platform/logging'
import { SettingsError } from '@shapecast/platform/settings'
import { errorText } from './error-text.ts'
import { startShapecast } from './start-shapecast.ts'

/** Runs the product until it is told to stop; exits 1 with a sentence where it cannot start. */
export async function runServer(): Promise<void> {
  try {
    const config = loadConfig()
    const log = createLogger(config.logLevel)
    const starting = startShapecast(config, log)
    // A signal may come while it is still starting.
    stopOnSignals(async () => (await starting.catch(() => null))?.stop() ?? true)
    const running = await starting
    for (const { name, address } of running.services) console.log(`The ${name} service answers at ${address}`)
    if (running.workers > 0) console.log(`${running.workers} ${running.workers === 1 ? 'worker' : 'workers'} started`)
    if (running.firstAccountCode !== null)
      console.log(`The first account is the admin. From another machine it takes the code ${running.firstAccountCode}`)
    console.log(running.address === null ? 'Shapecast is at work.' : `Shapecast is ready at ${running.address}`)
  } catch (error) {
    console.error(error instanceof SettingsError ? error.message : `Shapecast could not start: ${errorText(error)}`)
    process.exit(1)
  }
}
