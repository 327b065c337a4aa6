const ACTIVITY = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart', 'scroll'] as const

/**
 * Calls `onIdle` once nobody has done anything for `afterMs`, which begins with the call, and `onBusy` when somebody does
 * something after that. Returns what ends the watching.
 */
export function watchIdle(target: Window, afterMs: number, onBusy: () => void, onIdle: () => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      onIdle()
    }, afterMs)
  }
  const onActivity = () => {
    if (timer === undefined) onBusy()
    wait()
  }
  wait()
  for (const name of ACTIVITY)
    target.addEventListener(name, onActivity, { passive: true, capture: true, signal: listening.signal })
  return () => {
    listening.abort()
    clearTimeout(timer)
  }
}
