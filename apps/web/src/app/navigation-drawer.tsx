import { CircleUserRound, LogOut, Settings, X } from 'lucide-react'
import { Link, NavLink } from 'react-router'
import { RoleChip } from '#entities/users/chips.tsx'
import { IconButton } from '#kit/ui/button.tsx'
import { Modal } from '#kit/ui/dialog.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useAccountLinks, useLogOut, useOtherScheme } from './account-actions.ts'
import css from './navigation.module.css'
import { EntryLink, NAVIGATION, SETTINGS } from './navigation-entries.tsx'

export interface NavigationDrawerProps {
  onClose: () => void
  addresses: Readonly<Record<string, string>>
}

/** The entries below md: 280 px at the right, with the account at its foot. */
export function NavigationDrawer({ onClose, addresses }: NavigationDrawerProps) {
  const user = useUser()
  const logOut = useLogOut()
  const otherScheme = useOtherScheme()
  return (
    <Modal aria-label="Menu" onClose={onClose} className={css.drawer}>
      <div className={css.drawerHead}>
        <IconButton aria-label="Close the menu" edge="end" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <nav aria-label="Main" className={css.drawerEntries}>
        {NAVIGATION.map((entry) => (
          <EntryLink
            key={entry.path}
            entry={entry}
            to={addresses[entry.path] ?? entry.path}
            onClick={onClose}
            className={css.row}
          >
            {entry.label}
          </EntryLink>
        ))}
        <hr className={css.drawerDivider} />
        <NavLink end to={SETTINGS.path} onClick={onClose} className={css.row ?? ''}>
          <Settings size={18} />
          {SETTINGS.label}
        </NavLink>
        {useAccountLinks(user).map(({ label, Icon, to, onChosen }) => {
          const Entry = onChosen === undefined ? NavLink : Link
          return (
            <Entry
              key={label}
              to={to}
              onClick={() => {
                onClose()
                onChosen?.()
              }}
              className={css.row ?? ''}
            >
              <Icon size={18} />
              {label}
            </Entry>
          )
        })}
        {user !== null && (
          <button
            type="button"
            onClick={() => {
              onClose()
              otherScheme.choose()
            }}
            className={css.row}
          >
            <otherScheme.Icon size={18} />
            {otherScheme.label}
          </button>
        )}
      </nav>
      <div className={css.drawerFoot}>
        {user === null ? (
          <Link to={paths.register} onClick={onClose} className={css.row}>
            <CircleUserRound size={18} />
            Create an account
          </Link>
        ) : (
          <>
            <div className={css.who}>
              <Row gap={1} between>
                <Text noWrap weight={500}>
                  {user.username}
                </Text>
                <RoleChip role={user.role} />
              </Row>
              <Text size="small" tone="text2" breaks>
                {user.email}
              </Text>
            </div>
            <button type="button" onClick={() => void logOut().then(onClose)} className={css.row}>
              <LogOut size={18} />
              Log Out
            </button>
          </>
        )}
      </div>
    </Modal>
  )
}
