import { Box, IconButton, Typography } from '@mui/material'
import { Menu, Settings } from 'lucide-react'
import { lazy, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { MarketChip } from '#entities/markets/market-chip.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { Mark } from '#kit/ui/logo.tsx'
import { KeepMounted } from '#kit/ui/overlays.tsx'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { paths } from '#routes/paths.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useAuthState } from '#wire/session/auth-context.ts'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { Account } from './account.tsx'
import { markedBelow, NAVIGATION, SETTINGS } from './navigation-entries.ts'

const NavigationDrawer = lazy(async () => ({ default: (await import('./navigation-drawer.tsx')).NavigationDrawer }))

const wide = { xs: 'none', md: 'flex' } as const
const narrow = { xs: 'flex', md: 'none' } as const

/** Mark and name, four labels, then the market, settings and the account. Below md the entries move into a drawer. */
export function NavigationBar({ addresses }: { addresses: Readonly<Record<string, string>> }) {
  const { pathname } = useLocation()
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const { user, status } = useAuthState()
  const isChecking = status === 'checking'
  return (
    <Box component="header" sx={barStyle}>
      <Box component={Link} to={paths.dashboard} sx={brandStyle}>
        <Mark sizePx={22} />
        <Typography component="span" sx={nameStyle}>
          Shapecast
        </Typography>
      </Box>
      <Box component="nav" aria-label="Main" sx={{ display: wide, gap: 3.5, ml: 6.25, height: '100%' }}>
        {NAVIGATION.map((entry) => (
          <Box
            key={entry.path}
            component={NavLink}
            to={addresses[entry.path] ?? entry.path}
            sx={entryStyle}
            {...markedBelow(entry, pathname)}
          >
            {entry.label}
          </Box>
        ))}
      </Box>
      <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        {/* What stands beside it comes with the session: until then it would be pushed aside. */}
        {!isChecking && <KnownMarket />}
        {user !== null && <NotificationBell key={user.id} />}
        <IconButton component={NavLink} to={SETTINGS.path} aria-label={SETTINGS.label} sx={settingsStyle}>
          <Settings size={18} />
        </IconButton>
        <Box sx={{ display: wide }}>{!isChecking && <Account />}</Box>
        <IconButton
          aria-label="Open the menu"
          aria-haspopup="dialog"
          aria-expanded={isDrawerOpen}
          onClick={() => setIsDrawerOpen(true)}
          edge="end"
          sx={{ display: narrow }}
        >
          <Menu size={18} />
        </IconButton>
      </Box>
      <KeepMounted open={isDrawerOpen}>
        <NavigationDrawer open={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} addresses={addresses} />
      </KeepMounted>
    </Box>
  )
}

function KnownMarket() {
  const { data, isError } = useHealth()
  if (isError) return <MarketChip health={null} />
  return data === undefined ? null : <MarketChip health={data} />
}

const barStyle = {
  position: 'sticky',
  top: 0,
  zIndex: 'appBar',
  flexShrink: 0,
  height: 56,
  px: { xs: 2, md: 3 },
  display: 'flex',
  alignItems: 'center',
  backgroundColor: colors.bg,
  borderBottom: `1px solid ${colors.hairline}`,
} as const

const brandStyle = {
  display: 'flex',
  alignItems: 'center',
  gap: 1.25,
  height: 44,
  color: colors.text,
  textDecoration: 'none',
} as const

/** Where a bar is too narrow for it the name is only said. */
const nameStyle = {
  fontSize: '0.9375rem',
  fontWeight: 600,
  letterSpacing: '-0.012em',
  '@media (max-width: 349px)': visuallyHidden,
} as const

const entryStyle = {
  ...typeScale.bodyStrong,
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  height: '100%',
  minWidth: 28,
  color: colors.text2,
  textDecoration: 'none',
  transition: 'color 120ms',
  '&:hover': { color: colors.text },
  '&.active': { color: colors.text },
  '&.active::after': {
    content: '""',
    position: 'absolute',
    left: 0,
    right: 0,
    bottom: -1,
    height: 2,
    backgroundColor: colors.accent,
  },
} as const

const settingsStyle = {
  display: wide,
  ml: 0.75,
  '&.active': { backgroundColor: colors.button, color: colors.text },
} as const
