const ACTIVITY = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart', 'scroll'] as const

/**
 * Calls `onBusy` when somebody does something, `onIdle` once nobody has for `afterMs`. It begins idle. Returns what ends
 * the watching.
 */
export function watchIdle(target: Window, afterMs: number, onBusy: () => void, onIdle: () => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onActivity = () => {
    if (timer === undefined) onBusy()
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      onIdle()
    }, afterMs)
  }
  for (const name of ACTIVITY)
    target.addEventListener(name, onActivity, { passive: true, capture: true, signal: listening.signal })
  return () => {
    listening.abort()
    clearTimeout(timer)
  }
}
