/** Runs `work` now and then `everyMs` after each end, until it is stopped; a failure is told and the next turn comes. */
export function repeat(everyMs: number, work: () => Promise<unknown>, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const turn = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!stopped) failed(error)
    }
    if (!stopped)
      timer = setTimeout(() => {
        running = turn()
      }, everyMs)
  }
  let running = turn()
  return {
    /** Resolves once a turn that runs has ended. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
