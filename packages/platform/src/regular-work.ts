import type { Logger } from './logging.ts'

export interface RegularWork {
  /** Ends it; resolves when the turn that runs is over. */
  stop(): Promise<void>
}

/** Runs `work` now and then again and again, one at a time, until it says done or is stopped. A failure is logged. */
export function repeatWork(
  log: Logger,
  intervalMs: number,
  name: string,
  work: (done: () => void) => Promise<unknown>,
): RegularWork {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const end = () => {
    ended = true
    clearTimeout(timer)
  }
  const turn = async (): Promise<void> => {
    try {
      await work(end)
    } catch (error) {
      if (!ended) log.warn({ err: error }, `${name} failed`)
    }
    if (!ended) timer = setTimeout(next, intervalMs).unref()
  }
  let running: Promise<void>
  const next = () => {
    running = turn()
  }
  running = turn()
  return {
    async stop() {
      end()
      await running
    },
  }
}
