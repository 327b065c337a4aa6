import type { Control, PartedWork, Progress } from './kind.ts'
import { createTimeLeft } from './time-left.ts'

const SHOW_EVERY_MS = 1_000

/** Takes part after part, in lanes, until `take` has none; the first failure ends all lanes, each after its part. */
export async function inLanes(
  lanes: number,
  take: () => Promise<number | null>,
  run: (part: number) => Promise<void>,
): Promise<void> {
  let isOver = false
  const lane = async (): Promise<void> => {
    for (let part = await take(); part !== null && !isOver; part = await take()) await run(part)
  }
  const all = Array.from({ length: lanes }, () =>
    lane().catch((error: unknown) => {
      isOver = true
      throw error
    }),
  )
  await Promise.allSettled(all)
  await Promise.all(all)
}

/** Does all parts in this process, keeps none, and closes the work. Throws what a part throws, and the signal's reason. */
export async function doAllParts<Part, Shown extends Progress, Made>(
  work: PartedWork<Part, Shown, Made>,
  { signal, report }: Pick<Control<Shown>, 'signal' | 'report'>,
): Promise<Made> {
  const parts: Part[] = new Array(work.count)
  let [next, done] = [0, 0]
  const withTimeLeft = createTimeLeft()
  const show = () => report(withTimeLeft(work.shown(done)))
  const showing = setInterval(show, SHOW_EVERY_MS)
  try {
    await inLanes(
      work.lanes,
      async () => {
        signal.throwIfAborted()
        return next < work.count ? next++ : null
      },
      async (part) => {
        parts[part] = await work.run(part)
        done++
        show()
      },
    )
    return await work.join(parts)
  } finally {
    clearInterval(showing)
    await work.close()
  }
}
