import { Activity, type ContextType, type ReactNode, useState } from 'react'
import {
  UNSAFE_LocationContext as LocationContext,
  useLocation,
  useNavigation,
  useNavigationType,
  useOutlet,
} from 'react-router'
import { paths } from '#routes/paths.ts'
import { isStoredRule } from './lab-tabs.tsx'
import { PageSkeleton } from './page-skeleton.tsx'

const KEPT: readonly string[] = [paths.dashboard, paths.backtest, paths.rule]

/** The page that an address is kept as: one editor has all rules. */
const pageOf = (pathname: string): string => (isStoredRule(pathname) ? paths.rule : pathname)

interface Kept {
  readonly page: ReactNode
  /** The address that it was last seen at. */
  readonly seen: ContextType<typeof LocationContext>
}

/** Shows the page of the address. Dashboard, Backtest and the rule editor stay after a first visit, hidden, as they were left. */
export function KeptPages() {
  const outlet = useOutlet()
  const location = useLocation()
  const navigationType = useNavigationType()
  const { pathname } = location
  const next = useNavigation().location?.pathname
  const coming = next === undefined ? undefined : pageOf(next)
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map())
  const page = pageOf(pathname)
  const isKept = KEPT.includes(page)
  if (isKept && kept.get(page)?.page !== outlet)
    setKept(new Map(kept).set(page, { page: outlet, seen: { location, navigationType } }))
  const isLeft = coming !== undefined && coming !== page
  return (
    <>
      {[...kept].map(([path, { page: shown, seen }]) => (
        <Activity key={path} mode={path === page && !isLeft ? 'visible' : 'hidden'}>
          {/* Hidden, it goes on seeing the address that it had: a run or a symbol in its query is not lost to it. */}
          <LocationContext value={seen}>{shown}</LocationContext>
        </Activity>
      ))}
      {isLeft && <PageSkeleton />}
      {/* Hidden while the next page comes: what two pages below one address share is not lost between them. */}
      {!isKept && <Activity mode={isLeft ? 'hidden' : 'visible'}>{outlet}</Activity>}
    </>
  )
}
