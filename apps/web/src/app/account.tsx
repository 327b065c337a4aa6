import { Box, Button, Divider, IconButton, Menu, MenuItem, Typography } from '@mui/material'
import { CircleUserRound, ListChecks, LogOut, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useUser } from '../shared/auth/auth-context.ts'
import { chooseScheme, scheme } from '../shared/theme/scheme.ts'
import { colors } from '../shared/theme/tokens.ts'
import { setDismissed, useDismissed } from '../shared/ui/dismissed.ts'
import { RoleChip } from '../shared/ui/role-chip.tsx'
import { visuallyHidden } from '../shared/ui/visually-hidden.ts'
import { welcomeKey } from '../shared/ui/welcome-key.ts'
import { useLogOut } from './use-log-out.ts'

/** With no user an icon that leads to Sign Up; with one, name and role, and a menu that ends the session. */
export function Account() {
  const user = useUser()
  const logOut = useLogOut()
  const stepsKey = user === null ? '' : welcomeKey(user)
  const areStepsHidden = useDismissed(stepsKey)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  if (user === null)
    return (
      <IconButton component={Link} to="/register" aria-label="Create an account" sx={{ mr: -1 }}>
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
        sx={{ px: 1, mr: '-9px', '& .MuiButton-startIcon': { mr: 1.25 }, color: colors.text }}
      >
        <Box component="span" sx={visuallyHidden}>
          Account of{' '}
        </Box>
        <Box component="span" sx={{ mr: 1, maxWidth: 160, overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {user.username}
        </Box>{' '}
        <RoleChip role={user.role} />
      </Button>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { minWidth: 220 } } }}
      >
        <Box component="li" role="presentation" sx={{ px: 1.25, py: 1 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
            <Typography sx={{ fontWeight: 500 }}>{user.username}</Typography>
            <RoleChip role={user.role} />
          </Box>
          <Typography variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
            {user.email}
          </Typography>
        </Box>
        <Divider component="li" sx={{ my: '3px !important', borderColor: colors.buttonEdge }} />
        <MenuItem onClick={() => chooseScheme(scheme === 'light' ? 'dark' : 'light')}>
          {scheme === 'light' ? <Moon /> : <Sun />}
          {scheme === 'light' ? 'Dark theme' : 'Light theme'}
        </MenuItem>
        {areStepsHidden && (
          <MenuItem
            component={Link}
            to="/dashboard"
            onClick={() => {
              setAnchor(null)
              setDismissed(stepsKey, false)
            }}
          >
            <ListChecks />
            First steps
          </MenuItem>
        )}
        <MenuItem
          onClick={() => {
            setAnchor(null)
            void logOut()
          }}
        >
          <LogOut />
          Log Out
        </MenuItem>
      </Menu>
    </>
  )
}
