import type { User } from '@shapecast/contracts/auth'
import { ArrowLeftRight, BookA, ListChecks, LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { RoleChip } from '#entities/users/chips.tsx'
import { Menu, MenuDivider, MenuItem } from '#kit/ui/menu.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useHiddenSteps, useLogOut, useOtherScheme } from './account-actions.ts'
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
  const showSteps = useHiddenSteps(user)
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
      <MenuItem
        onClick={() => {
          onClose()
          otherScheme.choose()
        }}
      >
        <otherScheme.Icon />
        {otherScheme.label}
      </MenuItem>
      <MenuItem as={Link} to={paths.trade()} onClick={onClose}>
        <ArrowLeftRight />
        Trade by hand
      </MenuItem>
      <MenuItem as={Link} to={paths.glossary} onClick={onClose}>
        <BookA />
        Glossary
      </MenuItem>
      {showSteps !== null && (
        <MenuItem
          as={Link}
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
