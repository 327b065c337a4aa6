import type { User } from '@shapecast/contracts/auth'
import { LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { RoleChip } from '#entities/users/chips.tsx'
import { Menu, MenuDivider, MenuItem } from '#kit/ui/menu.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { useAccountLinks, useLogOut, useOtherScheme } from './account-actions.ts'
import css from './navigation.module.css'

export interface AccountMenuProps {
  user: User
  /** What it opens below. */
  anchor: HTMLElement
  onClose: () => void
}

/** Who is signed in, the theme, the first steps, and the end of the session. */
export function AccountMenu({ user, anchor, onClose }: AccountMenuProps) {
  const logOut = useLogOut()
  const otherScheme = useOtherScheme()
  return (
    <Menu
      anchor={anchor}
      onClose={onClose}
      atEnd
      style={{ minWidth: 220 }}
      head={
        <>
          <div className={css.who}>
            <Row gap={1} between>
              <Text weight={500}>{user.username}</Text>
              <RoleChip role={user.role} />
            </Row>
            <Text size="small" tone="text2" breaks>
              {user.email}
            </Text>
          </div>
          <MenuDivider />
        </>
      }
    >
      <MenuItem onClick={otherScheme.choose}>
        <otherScheme.Icon />
        {otherScheme.label}
      </MenuItem>
      {useAccountLinks(user).map(({ label, Icon, to, onChosen }) => (
        <MenuItem key={label} as={Link} to={to} onClick={onChosen}>
          <Icon />
          {label}
        </MenuItem>
      ))}
      <MenuItem onClick={() => void logOut()}>
        <LogOut />
        Log Out
      </MenuItem>
    </Menu>
  )
}
