import { AppError } from '@shapecast/contracts/errors'
import type { Database } from './database.ts'
import { TooLate, timeLimit, within } from './time-limit.ts'
import { outageOf, outageReason } from './unreachable.ts'

/** One write serves all who ask within this time. */
const KEPT_MS = 1_000
export const ANSWERS_WITHIN_MS = 1_500

/**
 * Writes the time of the last sign of life. The sort does not fit the memory that it gets, so that it writes a file of
 * about 256 KB: an update of a row finds room on a disk on which nothing else does.
 */
const BEAT = `begin;
set local work_mem = '64kB';
select count(*) from (select repeat(md5(n::text), 4) as line from generate_series(1, 2000) as n order by line offset 1) as lines;
insert into platform.installation (key, value) values ('heartbeat', to_jsonb(now()))
  on conflict (key) do update set value = excluded.value;
commit`

/**
 * Gives a check that resolves while the database takes writes, and otherwise throws `unavailable` with the reason within
 * two seconds, whatever has become of the server; `data` is sent along. However many ask, it writes once a second.
 */
export function createHeartbeat(
  db: Database,
  answersWithinMs = ANSWERS_WITHIN_MS,
): (data?: () => unknown) => Promise<void> {
  let beat: { untilMs: number; done: Promise<unknown> } | null = null
  let open = false

  const start = (): Promise<unknown> => {
    open = true
    return within(timeLimit(answersWithinMs), () => db.pool.query(BEAT)).finally(() => {
      open = false
    })
  }

  return async (data) => {
    // One that hangs is not joined by another: each would take a connection.
    if (beat === null || (!open && performance.now() >= beat.untilMs)) {
      beat = { untilMs: performance.now() + KEPT_MS, done: start() }
      beat.done.catch(() => undefined)
    }
    try {
      await inTime(beat.done, answersWithinMs)
    } catch (cause) {
      const reason = outageReason(outageOf(cause) ?? 'unavailable')
      throw new AppError('unavailable', `${reason} Try again in a moment.`, { cause, retryAfterS: 2, data: data?.() })
    }
  }
}

function inTime(work: Promise<unknown>, ms: number): Promise<unknown> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new TooLate()), ms)
  return Promise.race([work, timer.promise]).finally(() => clearTimeout(timeout))
}
