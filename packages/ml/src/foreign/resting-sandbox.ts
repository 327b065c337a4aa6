import type { Sandbox } from './sandbox.ts'

/**
 * A sandbox that gives its process up after `idleMs` without a run, and has `open` start another where one is needed again:
 * after a rest, or where it was ended for what it took. Runs take turns, so that each has the time of a run for itself
 * and none is lost with the process that another one used up.
 */
export function restingSandbox(first: Sandbox, open: () => Promise<Sandbox>, idleMs: number): Sandbox {
  let sandbox = first
  let before: Promise<unknown> = Promise.resolve()
  let closed = false
  let users = 0
  let rest: NodeJS.Timeout | undefined

  const requireOpen = (): void => {
    if (closed) throw new Error('This model was closed.')
  }
  const awake = async (): Promise<Sandbox> => {
    requireOpen()
    if (!sandbox.alive) sandbox = await open()
    // A close in the meantime had no process to end.
    if (closed) sandbox.close()
    requireOpen()
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
      const mine = before.then(async () => (await awake()).run(windows, shape))
      before = mine.catch(() => undefined)
      try {
        return await mine
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
