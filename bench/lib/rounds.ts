/** Milliseconds of processor that one call takes of this thread: what others do meanwhile does not count. */
function timed(work: () => unknown): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/**
 * What a call of each work takes on average (ms). They take turns, so that a machine that changes its speed does so for all of
 * them alike; the first `warmUps` rounds are not counted. Averages, since some kernels count a thread's time in steps of 4 ms.
 */
export function alternate<K extends string>(
  works: Readonly<Record<K, () => unknown>>,
  { rounds = 51, warmUps = 5 } = {},
): Record<K, number> {
  const names = Object.keys(works) as K[]
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>
  for (let round = 0; round < warmUps + rounds; round++)
    for (const name of names) {
      const ms = timed(works[name])
      if (round >= warmUps) sums[name] += ms
    }
  return Object.fromEntries(names.map((name) => [name, sums[name] / rounds])) as Record<K, number>
}
