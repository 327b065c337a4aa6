import { Box, Button, IconButton } from '@mui/material'
import { CircleUserRound } from 'lucide-react'
import { lazy, useState } from 'react'
import { Link } from 'react-router'
import { RoleChip } from '#entities/users/role-chip.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { KeepMounted } from '#kit/ui/overlays.tsx'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

/** With no user an icon that leads to Sign Up; with one, name and role, and a menu that ends the session. */
export function Account() {
  const user = useUser()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  if (user === null)
    return (
      <IconButton component={Link} to={paths.register} aria-label="Create an account" sx={{ mr: -1 }}>
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
      <KeepMounted open={anchor !== null}>
        <AccountMenu user={user} anchor={anchor} onClose={() => setAnchor(null)} />
      </KeepMounted>
    </>
  )
}
