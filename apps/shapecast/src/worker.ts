import { loadConfig } from '@shapecast/platform/config'
import { createStopper, stopOnSignals } from '@shapecast/platform/graceful-stop'
import { createLogger } from '@shapecast/platform/logging'
import { openInstallation } from './server/installation.ts'
import { startWork } from './server/services.ts'

/** One worker process: takes jobs until it is told to stop or its parent is gone. */
const config = loadConfig()
const log = createLogger(config.logLevel, 'shapecast-worker')
const stopper = createStopper(log)

async function start(): Promise<void> {
  const installation = await openInstallation(config, log, stopper, { isWorker: true })
  await startWork(installation, stopper)
}

const starting = start()
stopOnSignals(async () => {
  await starting.catch(() => undefined)
  return stopper.stop()
})
try {
  await starting
} catch (error) {
  log.error({ err: error }, 'the worker could not start')
  await stopper.stop()
  process.exit(1)
}
