import { useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { paths } from '#routes/paths.ts'

/** Around the pages of the Data Center: what was chosen on its first one, as its query, so that the way back leads to it. */
export function KeepHomeSearch() {
  const { pathname, search } = useLocation()
  const [homeSearch, setHomeSearch] = useState('')
  if (pathname === paths.dataCenter && homeSearch !== search) setHomeSearch(search)
  return <Outlet context={homeSearch} />
}
