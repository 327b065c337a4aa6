/** The progress of a running job on its way to the database. */
export interface JobProgress {
  /** Fires where a report found that the job no longer runs: somebody cancelled it. */
  readonly cancelled: AbortSignal
  /** Ends the reports; resolves when the last one is written. May be called twice. */
  stop(): Promise<void>
}

/**
 * Calls `report` every `everyMs`, never twice at once. It writes the newest progress and answers whether the job
 * still runs. A report that fails is told to `onError`, and the next one tries again.
 */
export function reportProgress(
  report: () => Promise<boolean>,
  everyMs: number,
  onError: (error: unknown) => void,
): JobProgress {
  const cancelled = new AbortController()
  let writing: Promise<void> | null = null
  const timer = setInterval(() => {
    writing ??= Promise.resolve()
      .then(report)
      .then((runs) => {
        if (!runs) cancelled.abort()
      })
      .catch(onError)
      .finally(() => {
        writing = null
      })
  }, everyMs)
  return {
    cancelled: cancelled.signal,
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}
