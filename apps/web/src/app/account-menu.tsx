import { Box, Divider, Menu, MenuItem, Typography } from '@mui/material'
import type { User } from '@shapecast/contracts/auth'
import { ArrowLeftRight, BookA, ListChecks, LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { RoleChip } from '#entities/users/role-chip.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { paths } from '#routes/paths.ts'
import { useHiddenSteps } from './use-hidden-steps.ts'
import { useLogOut } from './use-log-out.ts'
import { useOtherScheme } from './use-other-scheme.ts'

export interface AccountMenuProps {
  user: User
  /** What it opens below; null where it is closed. */
  anchor: HTMLElement | null
  onClose: () => void
}

/** Who is signed in, the theme, the first steps, and the end of the session. */
export function AccountMenu({ user, anchor, onClose }: AccountMenuProps) {
  const logOut = useLogOut()
  const otherScheme = useOtherScheme()
  const showSteps = useHiddenSteps(user)
  return (
    <Menu
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
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
      <MenuItem
        onClick={() => {
          onClose()
          otherScheme.choose()
        }}
      >
        <otherScheme.Icon />
        {otherScheme.label}
      </MenuItem>
      <MenuItem component={Link} to={paths.trade()} onClick={onClose}>
        <ArrowLeftRight />
        Trade by hand
      </MenuItem>
      <MenuItem component={Link} to={paths.glossary} onClick={onClose}>
        <BookA />
        Glossary
      </MenuItem>
      {showSteps !== null && (
        <MenuItem
          component={Link}
          to={paths.dashboard}
          onClick={() => {
            onClose()
            showSteps()
          }}
        >
          <ListChecks />
          First steps
        </MenuItem>
      )}
      <MenuItem
        onClick={() => {
          onClose()
          void logOut()
        }}
      >
        <LogOut />
        Log Out
      </MenuItem>
    </Menu>
  )
}
