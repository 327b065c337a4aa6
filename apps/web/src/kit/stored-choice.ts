import { useSyncExternalStore } from 'react'

/** One choice of several that this browser keeps, the first where none is kept; all that reads it follows at once. */
export function storedChoice<Choice extends string>(key: string, choices: readonly [Choice, ...Choice[]]) {
  let chosen = choices.find((choice) => choice === kept(key)) ?? choices[0]
  const listeners = new Set<() => void>()
  const read = () => chosen
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    read,
    subscribe,
    use: () => useSyncExternalStore(subscribe, read),
    choose(next: Choice): void {
      chosen = next
      try {
        window.localStorage.setItem(key, next)
      } catch {
        // Without storage the choice lasts as long as the page.
      }
      for (const listener of listeners) listener()
    },
  }
}

function kept(key: string): string | null {
  try {
    return globalThis.localStorage?.getItem(key) ?? null
  } catch {
    return null
  }
}
