import { Divider, Menu, MenuItem } from '@mui/material'
import type { User } from '@shapecast/contracts/auth'
import { ArrowLeftRight, BookA, ListChecks, LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { RoleChip } from '#entities/users/chips.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { useHiddenSteps, useLogOut, useOtherScheme } from './account-actions.ts'
import css from './navigation.module.css'

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
      slotProps={{ paper: { style: { minWidth: 220 } } }}
    >
      <li role="presentation" className={css.who}>
        <Row gap={1} between>
          <Text weight={500}>{user.username}</Text>
          <RoleChip role={user.role} />
        </Row>
        <Text size="small" tone="text2" breaks>
          {user.email}
        </Text>
      </li>
      <Divider component="li" className={css.menuDivider ?? ''} />
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
