/** The regular word of a worker that a job is still carried out. */
export interface Beats {
  /** Fires where a beat found that the job is no longer its own: it was cancelled, or somebody else carries it out. */
  readonly lost: AbortSignal
  /** Ends the beats; resolves when the last one is written. May be called twice. */
  stop(): Promise<void>
}

/**
 * Calls `beat` every `everyMs`, never twice at once. It answers false where the job is no longer its own. One that fails
 * is told to `onError`, and the next one tries again.
 */
export function startBeats(
  beat: () => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void = () => undefined,
): Beats {
  const lost = new AbortController()
  let writing: Promise<void> | null = null
  const timer = setInterval(() => {
    writing ??= Promise.resolve()
      .then(beat)
      .then((isOwn) => {
        if (isOwn === false) lost.abort()
      })
      .catch(onError)
      .finally(() => {
        writing = null
      })
  }, everyMs)
  return {
    lost: lost.signal,
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}
