import { Box, Divider, IconButton, Typography } from '@mui/material'
import { ArrowLeftRight, BookA, CircleUserRound, ListChecks, LogOut, Settings, X } from 'lucide-react'
import { Link, NavLink, useLocation } from 'react-router'
import { RoleChip } from '#entities/users/role-chip.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { Drawer } from '#kit/ui/overlays.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { markedBelow, NAVIGATION, SETTINGS } from './navigation-entries.ts'
import { useHiddenSteps } from './use-hidden-steps.ts'
import { useLogOut } from './use-log-out.ts'
import { useOtherScheme } from './use-other-scheme.ts'

export interface NavigationDrawerProps {
  open: boolean
  onClose: () => void
  addresses: Readonly<Record<string, string>>
}

/** The entries below md: 280 px at the right, with the account at its foot. */
export function NavigationDrawer({ open, onClose, addresses }: NavigationDrawerProps) {
  const { pathname } = useLocation()
  const user = useUser()
  const logOut = useLogOut()
  const otherScheme = useOtherScheme()
  const showSteps = useHiddenSteps(user)
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{ paper: { sx: { width: 280 }, 'aria-label': 'Menu' } }}
    >
      <Box sx={{ height: 56, px: 2, display: 'flex', alignItems: 'center', justifyContent: 'flex-end', flexShrink: 0 }}>
        <IconButton aria-label="Close the menu" edge="end" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </Box>
      <Box component="nav" aria-label="Main" sx={{ px: 1 }}>
        {NAVIGATION.map((entry) => (
          <Box
            key={entry.path}
            component={NavLink}
            to={addresses[entry.path] ?? entry.path}
            onClick={onClose}
            sx={rowStyle}
            {...markedBelow(entry, pathname)}
          >
            {entry.label}
          </Box>
        ))}
        <Divider sx={{ my: 1 }} />
        <Box component={NavLink} end to={SETTINGS.path} onClick={onClose} sx={rowStyle}>
          <Settings size={18} />
          {SETTINGS.label}
        </Box>
        <Box component={NavLink} to={paths.trade()} onClick={onClose} sx={rowStyle}>
          <ArrowLeftRight size={18} />
          Trade by hand
        </Box>
        <Box component={NavLink} to={paths.glossary} onClick={onClose} sx={rowStyle}>
          <BookA size={18} />
          Glossary
        </Box>
        {showSteps !== null && (
          <Box
            component={Link}
            to={paths.dashboard}
            onClick={() => {
              onClose()
              showSteps()
            }}
            sx={rowStyle}
          >
            <ListChecks size={18} />
            First steps
          </Box>
        )}
        {user !== null && (
          <Box
            component="button"
            type="button"
            onClick={() => {
              onClose()
              otherScheme.choose()
            }}
            sx={rowStyle}
          >
            <otherScheme.Icon size={18} />
            {otherScheme.label}
          </Box>
        )}
      </Box>
      <Box sx={{ mt: 'auto', p: 1, borderTop: `1px solid ${colors.divider}` }}>
        {user === null ? (
          <Box component={Link} to={paths.register} onClick={onClose} sx={rowStyle}>
            <CircleUserRound size={18} />
            Create an account
          </Box>
        ) : (
          <>
            <Box sx={{ px: 1.5, py: 1 }}>
              <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
                <Typography noWrap sx={{ fontWeight: 500 }}>
                  {user.username}
                </Typography>
                <RoleChip role={user.role} />
              </Box>
              <Typography variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
                {user.email}
              </Typography>
            </Box>
            <Box component="button" type="button" onClick={() => void logOut().then(onClose)} sx={rowStyle}>
              <LogOut size={18} />
              Log Out
            </Box>
          </>
        )}
      </Box>
    </Drawer>
  )
}

const rowStyle = {
  ...typeScale.bodyStrong,
  width: '100%',
  height: 44,
  px: 1.5,
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
  border: 0,
  borderRadius: 1,
  background: 'none',
  fontFamily: 'inherit',
  textAlign: 'left',
  textDecoration: 'none',
  color: colors.text2,
  cursor: 'pointer',
  '&:hover': { backgroundColor: colors.rowHover, color: colors.text },
  '&:focus-visible': { outline: `2px solid ${colors.accentHi}`, outlineOffset: -2 },
  position: 'relative',
  '&.active': { color: colors.text, backgroundColor: colors.button },
  '&.active::before': {
    content: '""',
    position: 'absolute',
    left: -8,
    top: 0,
    bottom: 0,
    width: 2,
    backgroundColor: colors.accent,
  },
} as const
