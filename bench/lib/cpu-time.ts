/** One call, timed by the clock and by the processor, ms. */
export async function taken<T>(work: () => Promise<T> | T): Promise<{
  readonly result: T
  readonly wall: number
  /** User and system, of all threads of this process: what it spent, however busy the machine was with other things. */
  readonly cpu: number
}> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, wall: performance.now() - started, cpu: (user + system) / 1000 }
}
