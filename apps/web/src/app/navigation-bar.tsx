import { CircleUserRound, Menu, Settings } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router'
import { MarketChip } from '#entities/markets/market-chip.tsx'
import { RoleChip } from '#entities/users/chips.tsx'
import { Button, IconButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Mark } from '#kit/ui/logo.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { paths } from '#routes/paths.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useAuthState, useUser } from '#wire/session/auth-context.ts'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import css from './navigation.module.css'
import { EntryLink, NAVIGATION, SETTINGS } from './navigation-entries.tsx'

const NavigationDrawer = onDemand(async () => (await import('./navigation-drawer.tsx')).NavigationDrawer)

/** Mark and name, four labels, then the market, settings and the account. Below md the entries move into a drawer. */
export function NavigationBar({ addresses }: { addresses: Readonly<Record<string, string>> }) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const { user, status } = useAuthState()
  const isChecking = status === 'checking'
  return (
    <header className={css.bar}>
      <Link to={paths.dashboard} className={css.brand}>
        <Mark sizePx={22} />
        <span className={css.name}>Shapecast</span>
      </Link>
      <nav aria-label="Main" className={`${css.wide} ${css.entries}`}>
        {NAVIGATION.map((entry) => (
          <EntryLink key={entry.path} entry={entry} to={addresses[entry.path] ?? entry.path} className={css.entry}>
            {entry.label}
          </EntryLink>
        ))}
      </nav>
      <div className={css.end}>
        {/* What stands beside it comes with the session: until then it would be pushed aside. */}
        {!isChecking && <KnownMarket />}
        {user !== null && <NotificationBell key={user.id} />}
        <IconButton
          as={NavLink}
          to={SETTINGS.path}
          aria-label={SETTINGS.label}
          className={`${css.wide} ${css.settings}`}
        >
          <Settings size={18} />
        </IconButton>
        <div className={css.wide}>{!isChecking && <Account />}</div>
        <IconButton
          aria-label="Open the menu"
          aria-haspopup="dialog"
          aria-expanded={isDrawerOpen}
          onClick={() => setIsDrawerOpen(true)}
          edge="end"
          className={css.narrow}
        >
          <Menu size={18} />
        </IconButton>
      </div>
      {isDrawerOpen && <NavigationDrawer onClose={() => setIsDrawerOpen(false)} addresses={addresses} />}
    </header>
  )
}

function KnownMarket() {
  const { data, isError } = useHealth()
  if (isError) return <MarketChip health={null} />
  return data === undefined ? null : <MarketChip health={data} />
}

const AccountMenu = onDemand(async () => (await import('./account-menu.tsx')).AccountMenu)

/** With no user an icon that leads to Sign Up; with one, name and role, and a menu that ends the session. */
function Account() {
  const user = useUser()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  if (user === null)
    return (
      <IconButton as={Link} to={paths.register} aria-label="Create an account" style={{ marginRight: -8 }}>
        <CircleUserRound size={18} />
      </IconButton>
    )
  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        startIcon={<CircleUserRound size={18} />}
        className={css.account}
      >
        <span className={layout.visuallyHidden}>Account of </span>
        <span className={css.username}>{user.username}</span> <RoleChip role={user.role} />
      </Button>
      {anchor !== null && <AccountMenu user={user} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}
