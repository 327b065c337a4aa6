import { useCallback, useState } from 'react'

/** A choice among `all` that this browser remembers: the ones that are on. Without storage it lasts as long as the page. */
export function useKeptChoices<Choice extends string>(
  key: string,
  all: readonly Choice[],
  initial: readonly Choice[],
): [readonly Choice[], (choice: Choice, isOn: boolean) => void] {
  const [chosen, setChosen] = useState<readonly Choice[]>(() => {
    const kept = read(key)
    return kept === null ? initial : all.filter((choice) => kept.split(' ').includes(choice))
  })
  const set = useCallback(
    (choice: Choice, isOn: boolean) =>
      setChosen((before) => {
        const next = all.filter((one) => (one === choice ? isOn : before.includes(one)))
        write(key, next.join(' '))
        return next
      }),
    [key, all],
  )
  return [chosen, set]
}

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
