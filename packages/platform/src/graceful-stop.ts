import type { Logger } from './logging.ts'

/** Something to be closed, with a name for the log. */
export interface Stoppable {
  readonly name: string
  stop(): Promise<unknown>
}

/** How long a stop may take in all. */
export const STOP_LIMIT_MS = 10_000

/**
 * Stops what has been started in the reverse order, once, however often it is asked. One that fails is logged and
 * does not keep the others from being stopped. Resolves to whether all of it ended well and in time.
 */
export function createStopper(log: Logger, limitMs = STOP_LIMIT_MS) {
  const started: Stoppable[] = []
  let stopped: Promise<boolean> | undefined

  async function stopAll(): Promise<boolean> {
    let well = true
    for (const one of started.toReversed())
      try {
        await one.stop()
      } catch (error) {
        well = false
        log.error({ err: error, part: one.name }, 'could not be stopped cleanly')
      }
    return well
  }

  return {
    /** Adds what has just been started; it is stopped before everything that was added earlier. */
    add(one: Stoppable): void {
      started.push(one)
    },
    stop(): Promise<boolean> {
      stopped ??= withinLimit(stopAll(), limitMs).then((inTime) => {
        if (inTime === null) log.error(`stopping took longer than ${limitMs / 1000} seconds; giving up`)
        return inTime ?? false
      })
      return stopped
    },
  }
}

function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** What is still starting gets as long as the stop itself: a database that stands still lets neither end. */
const EXIT_LIMIT_MS = STOP_LIMIT_MS + 1_000

/**
 * Runs `stop` at SIGTERM, at Ctrl-C and when a parent process is gone, and exits: 0 where it ended well, else 1, also
 * where it does not end.
 */
export function stopOnSignals(stop: () => Promise<boolean>): void {
  const end = () => {
    void withinLimit(stop(), EXIT_LIMIT_MS).then(
      (well) => process.exit(well === true ? 0 : 1),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (process.send !== undefined) process.on('disconnect', end)
}
