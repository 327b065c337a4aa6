import { CircleUserRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { RoleChip } from '#entities/users/chips.tsx'
import { Button, IconButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import css from './navigation.module.css'

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

/** With no user an icon that leads to Sign Up; with one, name and role, and a menu that ends the session. */
export function Account() {
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
      {anchor !== null && (
        <Suspense>
          <AccountMenu user={user} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
