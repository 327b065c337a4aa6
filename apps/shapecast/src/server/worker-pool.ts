import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Config } from '@shapecast/platform/config'
import type { Logger } from '@shapecast/platform/logging'
import { SettingsError } from '@shapecast/platform/settings'

/** More on its own account would take their memory, and their connections to the database, for little. */
const MOST_BY_ITSELF = 8

/** How many workers to start: as many as there are cores, so that as many trainings run side by side. Throws SettingsError. */
export function workerCount(
  { role, workers }: Pick<Config, 'role' | 'workers'>,
  cores = availableParallelism(),
): number {
  if (role === 'api') return 0
  if (workers === 0 && role === 'worker')
    throw new SettingsError('WORKERS is 0, but ROLE is worker: there would be nothing to do. Set WORKERS to 1 or more.')
  return workers ?? Math.min(MOST_BY_ITSELF, cores)
}

export interface WorkerPool {
  readonly size: number
  /** Tells all to stop and waits until they have. */
  stop(): Promise<void>
}

export interface WorkerPoolOptions {
  readonly program: string
  readonly size: number
  readonly env: NodeJS.ProcessEnv
  readonly log: Logger
  /** First wait before a worker that died is started again; doubles up to 30 s while it keeps dying. */
  readonly backoffMs?: number
}

const LONGEST_BACKOFF_MS = 30_000
/** One that has lived this long is taken to be well: the wait starts from the beginning. */
const HEALTHY_MS = 60_000

/**
 * Keeps `size` worker processes running. They stop by themselves when this process is gone, however it went: their
 * channel to it closes.
 */
export function startWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { program, size, env, log, backoffMs = 1_000 } = options
  const running = new Set<ChildProcess>()
  const timers = new Set<NodeJS.Timeout>()
  let stopping = false

  const start = (slot: number, wait: number) => {
    const startedAt = Date.now()
    const execArgv = [...process.execArgv, '--import', import.meta.resolve('@shapecast/platform/load-once')]
    const child = fork(program, [], { env, execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    running.add(child)
    child.on('error', (error) => log.error({ err: error, slot }, 'a worker could not be reached'))
    child.once('exit', (code, signal) => {
      running.delete(child)
      if (stopping) return
      const next = Date.now() - startedAt > HEALTHY_MS ? backoffMs : Math.min(wait * 2, LONGEST_BACKOFF_MS)
      log.error({ slot, code, signal, startsAgainInMs: next }, 'a worker died')
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(slot, next)
      }, next)
      timers.add(timer)
    })
  }
  for (let slot = 0; slot < size; slot++) start(slot, backoffMs / 2)

  return {
    size,
    async stop() {
      stopping = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(
        [...running].map(async (child) => {
          const exited = once(child, 'exit')
          child.kill('SIGTERM')
          await exited
        }),
      )
    },
  }
}
