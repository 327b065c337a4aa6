import { useSyncExternalStore } from 'react'

/** What is kept where the browser gives no storage: until the next page load. */
const unstored = new Map<string, string>()
const listeners = new Set<() => void>()

function read(key: string): string | null {
  try {
    return unstored.get(key) ?? globalThis.localStorage?.getItem(key) ?? null
  } catch {
    return null
  }
}

function keep(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value)
  } catch {
    unstored.set(key, value)
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** One choice of several that this browser keeps, the first where none is kept; all that reads it follows at once. */
export function keptChoice<Choice extends string>(key: string, choices: readonly [Choice, ...Choice[]]) {
  const kept = read(key)
  let chosen = choices.find((choice) => choice === kept) ?? choices[0]
  const current = () => chosen
  return {
    read: current,
    subscribe,
    use: () => useSyncExternalStore(subscribe, current),
    choose(next: Choice): void {
      chosen = next
      keep(key, next)
    },
  }
}

/** The ones of `all` that are on, as this browser keeps them. */
export function useKeptChoices<Choice extends string>(
  key: string,
  all: readonly Choice[],
  initial: readonly Choice[],
): [readonly Choice[], (choice: Choice, isOn: boolean) => void] {
  const among = (kept: string | null) =>
    kept === null ? initial : all.filter((choice) => kept.split(' ').includes(choice))
  const chosen = among(useSyncExternalStore(subscribe, () => read(key)))
  const set = (choice: Choice, isOn: boolean) => {
    const before = among(read(key))
    keep(key, all.filter((one) => (one === choice ? isOn : before.includes(one))).join(' '))
  }
  return [chosen, set]
}

const dismissedKey = (key: string) => `dismissed:${key}`

/** Remembers in this browser that something was put away, or that it is to be seen. */
export const setDismissed = (key: string, isDismissed: boolean): void =>
  keep(dismissedKey(key), isDismissed ? '1' : '0')

/** Whether it was put away; undefined where this browser has never heard of it. */
export function useDismissed(key: string): boolean | undefined {
  const kept = useSyncExternalStore(subscribe, () => read(dismissedKey(key)))
  return kept === null ? undefined : kept === '1'
}
