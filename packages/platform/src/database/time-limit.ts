import { AsyncLocalStorage } from 'node:async_hooks'

/** Until when the work of one caller may ask the database. */
export interface TimeLimit {
  /** On the process's own clock (`performance.now`), which stands still with the process and no clock change moves. */
  readonly untilMs: number
  /** Its caller has been answered: whatever the work left behind, such as a timer, is limited no more. */
  over: boolean
}

const limits = new AsyncLocalStorage<TimeLimit | null>()

/** What is refused because its caller has stopped waiting. */
export class TooLate extends Error {
  constructor() {
    super('The database did not answer before the caller stopped waiting')
    this.name = 'TooLate'
  }
}

export const timeLimit = (ms: number): TimeLimit => ({ untilMs: performance.now() + ms, over: false })

/** Runs `work`; each question it asks the database fails once the limit is reached. */
export function within<T>(limit: TimeLimit, work: () => T): T {
  return limits.run(limit, work)
}

/** Runs what has to be ended once it has begun, however long that takes. */
export const withoutLimit = <T>(work: () => T): T => limits.run(null, work)

/** How long the work that runs may still wait, in ms; null without a limit. Throws `TooLate` once it is reached. */
export function timeLeftMs(): number | null {
  const limit = limits.getStore()
  if (limit === undefined || limit === null || limit.over) return null
  const left = limit.untilMs - performance.now()
  if (left <= 0) throw new TooLate()
  return left
}
