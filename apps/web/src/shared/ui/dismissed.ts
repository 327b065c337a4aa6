import { useSyncExternalStore } from 'react'

const PREFIX = 'dismissed:'
const listeners = new Set<() => void>()

function read(key: string): boolean {
  try {
    return window.localStorage.getItem(PREFIX + key) !== null
  } catch {
    return false
  }
}

/** Remembers in this browser that something was put away, or brings it back. */
export function setDismissed(key: string, isDismissed: boolean): void {
  try {
    if (isDismissed) window.localStorage.setItem(PREFIX + key, '1')
    else window.localStorage.removeItem(PREFIX + key)
  } catch {
    // Without storage it comes back with the next page load.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useDismissed = (key: string): boolean => useSyncExternalStore(subscribe, () => read(key))
