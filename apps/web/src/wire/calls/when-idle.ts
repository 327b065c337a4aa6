const AT_LATEST_MS = 4000
const SOON_MS = 200

/** Calls `action` once the browser has nothing better to do; returns what takes that back. */
export function whenIdle(action: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(action, SOON_MS)
    return () => clearTimeout(timer)
  }
  const request = window.requestIdleCallback(action, { timeout: AT_LATEST_MS })
  return () => window.cancelIdleCallback(request)
}
