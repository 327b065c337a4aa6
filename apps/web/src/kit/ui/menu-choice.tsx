import { MenuItem } from '@mui/material'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

/** An entry of a menu that is on or off. */
export const MenuChoice = ({
  role = 'menuitemcheckbox',
  isChosen,
  onClick,
  children,
}: {
  role?: 'menuitemcheckbox' | 'menuitemradio'
  isChosen: boolean
  onClick: () => void
  children: ReactNode
}) => (
  <MenuItem role={role} aria-checked={isChosen} onClick={onClick} style={{ gap: 8 }}>
    <Check size={14} style={{ visibility: isChosen ? 'visible' : 'hidden' }} />
    {children}
  </MenuItem>
)
