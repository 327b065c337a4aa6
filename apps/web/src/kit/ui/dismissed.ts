import { useSyncExternalStore } from 'react'

const PREFIX = 'dismissed:'
const listeners = new Set<() => void>()

/** What was remembered where the browser gives no storage: until the next page load. */
const unstored = new Map<string, string>()

function read(key: string): boolean | undefined {
  let kept = unstored.get(key) ?? null
  try {
    kept ??= window.localStorage.getItem(PREFIX + key)
  } catch {
    // There is nothing else to look at.
  }
  return kept === null ? undefined : kept === '1'
}

/** Remembers in this browser that something was put away, or that it is to be seen. */
export function setDismissed(key: string, isDismissed: boolean): void {
  const kept = isDismissed ? '1' : '0'
  try {
    window.localStorage.setItem(PREFIX + key, kept)
  } catch {
    unstored.set(key, kept)
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether it was put away; undefined where this browser has never heard of it. */
export const useDismissed = (key: string): boolean | undefined => useSyncExternalStore(subscribe, () => read(key))
