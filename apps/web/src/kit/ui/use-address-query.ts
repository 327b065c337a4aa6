import { useState } from 'react'
import { useSearchParams } from 'react-router'

/**
 * What a page shows of what it has, as its address says it, and a way to change it without a step of Back. What is null or
 * empty is left out of the address. Changes that belong together go in one call.
 */
export function useAddressQuery() {
  const [query, setQuery] = useSearchParams()
  const set = (part: Readonly<Record<string, string | null>>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(part)) {
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  return [query, set] as const
}

/** Text that is typed and stands in the address as `name`. Its field shows it at once: an address may come later. */
export function useAddressText(name: string) {
  const [query, set] = useAddressQuery()
  const [text, setText] = useState(query.get(name) ?? '')
  const type = (next: string, extra: Readonly<Record<string, string | null>> = {}) => {
    setText(next)
    set({ [name]: next, ...extra })
  }
  return [text, type] as const
}
