import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '@shapecast/platform/database/new-id'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { startBeats } from './beats.ts'
import {
  beginParts,
  claimPart,
  countDone,
  LEASE_MS,
  leaseParts,
  type PartsOf,
  putPart,
  readParts,
} from './job-parts.ts'
import type { Control, PartedWork, Progress } from './kind.ts'
import { inLanes } from './parted-work.ts'

const RENEW_EVERY_MS = LEASE_MS / 3
const LOOK_EVERY_MS = 1_000
/** How much later each time the last parts of other workers are looked for: a short one is seen soon. */
const LOOK_LATER_MS = 5

export interface SharingDeps {
  orm: NodePgDatabase
  now(): number
  /** Asks other workers to do parts of a job. */
  callHelp?: ((id: string, parts: number) => void) | undefined
}

/**
 * Does parts of a job that nobody has, until none is left to take. The first failure ends it, after the parts that are under
 * way; those that it held and did not do are free at once.
 */
export async function takeParts<Part, Shown extends Progress>(
  { orm, now }: SharingDeps,
  of: PartsOf,
  { lanes, run }: Pick<PartedWork<Part, Shown, unknown>, 'lanes' | 'run'>,
  signal: AbortSignal,
): Promise<void> {
  const holder = newId()
  // A lease that could not be renewed lets somebody else do the same part: no harm.
  const renewing = startBeats(() => leaseParts(orm, of, holder, now() + LEASE_MS), RENEW_EVERY_MS)
  try {
    await inLanes(
      lanes,
      async () => {
        signal.throwIfAborted()
        return claimPart(orm, of, holder, now())
      },
      async (part) => putPart(orm, of, part, await run(part)),
    )
  } finally {
    await renewing.stop()
    await leaseParts(orm, of, holder, 0).catch(() => undefined)
  }
}

/**
 * Carries out a job whose work falls into parts: those that are there from an earlier attempt are kept, and other workers
 * may do some of the rest. Where parts of one are of no use, since what they rest on has changed, its progress says
 * `beganAgain`. Closes the work. Throws what a part throws, and the signal's reason.
 */
export async function shareParts<Part, Shown extends Progress, Made>(
  deps: SharingDeps,
  jobId: string,
  work: PartedWork<Part, Shown, Made>,
  { signal, report }: Pick<Control<Shown>, 'signal' | 'report'>,
): Promise<Made> {
  const of = { jobId, basis: work.basis }
  try {
    const beganAgain = await beginParts(deps.orm, of, work.count)
    deps.callHelp?.(jobId, work.count - (await countDone(deps.orm, of)) - work.lanes)
    const look = async (): Promise<boolean> => {
      const done = await countDone(deps.orm, of)
      report({ ...work.shown(done), ...(beganAgain && { beganAgain }) })
      return done === work.count
    }
    const looking = startBeats(() => look().then(() => undefined), LOOK_EVERY_MS)
    try {
      for (let ms = LOOK_LATER_MS; !(await look()); ms += LOOK_LATER_MS) {
        await takeParts(deps, of, work, signal)
        if (!(await look())) await wait(ms, undefined, { signal })
      }
    } finally {
      await looking.stop()
    }
    return await work.join(await readParts<Part>(deps.orm, of))
  } finally {
    await work.close()
  }
}
