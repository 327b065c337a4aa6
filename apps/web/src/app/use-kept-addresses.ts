import { useState } from 'react'
import { useLocation } from 'react-router'
import { NAVIGATION } from './navigation-entries.tsx'

/** Where each entry of the bar was left, so that it leads back to the same state, on a page below it too. */
export function useKeptAddresses(): Readonly<Record<string, string>> {
  const { pathname, search } = useLocation()
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({})
  const entry = NAVIGATION.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  const address = pathname + search
  if (entry !== undefined && addresses[entry.path] !== address) setAddresses({ ...addresses, [entry.path]: address })
  return addresses
}
