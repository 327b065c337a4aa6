import { useState } from 'react'
import { useLocation } from 'react-router'

/** The query that each page had when it was last seen, so that its entry in the bar leads back to the same state. */
export function useKeptSearches(): Readonly<Record<string, string>> {
  const { pathname, search } = useLocation()
  const [searches, setSearches] = useState<Readonly<Record<string, string>>>({ [pathname]: search })
  if (searches[pathname] !== search) setSearches({ ...searches, [pathname]: search })
  return searches
}
