import { Link, type LinkProps, NavLink, useLocation } from 'react-router'
import { paths } from '#routes/paths.ts'

/** The four entries of the navigation bar; Settings stands beside them as an icon. */
export const NAVIGATION = [
  { path: paths.dashboard, label: 'Dash', title: 'Dashboard' },
  { path: paths.bots, label: 'Bots', title: 'Bots', below: paths.bot('') },
  { path: paths.dataCenter, label: 'Lern', title: 'Data Center' },
  { path: paths.backtest, label: 'Test', title: 'Backtest' },
] as const

export const SETTINGS = { path: paths.settings, label: 'Settings', title: 'Settings' } as const

type Entry = { readonly path: string; readonly below?: string }
const isBelow = ({ below }: Entry, pathname: string) => below !== undefined && pathname.startsWith(below)

/** A link to an entry, marked while its page, or one below it, is open. */
export function EntryLink({ entry, className = '', ...rest }: Omit<LinkProps, 'style'> & { entry: Entry }) {
  const { pathname } = useLocation()
  if (!isBelow(entry, pathname)) return <NavLink {...rest} className={className} />
  return <Link {...rest} className={`${className} active`} aria-current="page" />
}

/** The name of the page at `path`, or below it, in the window's title. */
export const pageTitle = (path: string): string =>
  [...NAVIGATION, SETTINGS].find(
    (entry) => path === entry.path || path.startsWith(`${entry.path}/`) || isBelow(entry, path),
  )?.title ?? 'Shapecast'
