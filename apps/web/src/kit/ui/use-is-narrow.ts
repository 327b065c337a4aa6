import { useSyncExternalStore } from 'react'

/** Whether the window is narrower than a width, px, while it is. */
export function useNarrowerThan(widthPx: number): boolean {
  const query = `(max-width: ${widthPx - 0.05}px)`
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
  )
}

/** Whether all stands in one column: below md. */
export const useIsNarrow = (): boolean => useNarrowerThan(900)
