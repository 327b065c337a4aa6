import type { Sandbox } from './sandbox.ts'

/**
 * A sandbox that gives its process up after `idleMs` without a run, and has `open` start another where one is needed again:
 * after a rest, or where it was ended for what it took. Runs side by side share one process.
 */
export function restingSandbox(first: Sandbox, open: () => Promise<Sandbox>, idleMs: number): Sandbox {
  let sandbox = first
  let opening: Promise<Sandbox> | null = null
  let closed = false
  let users = 0
  let rest: NodeJS.Timeout | undefined

  const requireOpen = (): void => {
    if (closed) throw new Error('This model was closed.')
  }
  const awake = async (): Promise<Sandbox> => {
    requireOpen()
    if (sandbox.alive) return sandbox
    opening ??= open().finally(() => {
      opening = null
    })
    const opened = await opening
    // Whoever closed the model meanwhile had no process to end.
    if (closed) opened.close()
    requireOpen()
    sandbox = opened
    return sandbox
  }
  const restSoon = (): void => {
    rest = setTimeout(() => sandbox.close(), idleMs)
    rest.unref()
  }
  restSoon()

  return {
    get alive() {
      return !closed
    },
    async run(windows, shape) {
      clearTimeout(rest)
      users++
      try {
        return await (await awake()).run(windows, shape)
      } finally {
        users--
        if (users === 0 && !closed) restSoon()
      }
    },
    limit: (limitMs, over) => sandbox.limit(limitMs, over),
    close(): void {
      closed = true
      clearTimeout(rest)
      sandbox.close()
    },
  }
}
