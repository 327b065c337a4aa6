import { Box, GlobalStyles } from '@mui/material'
import FocusTrap from '@mui/material/Unstable_TrapFocus'
import type { KeyboardEvent, ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'

/** Menus stand beside the trapped part; while one is open it has the focus. */
const isNoMenuOpen = () => document.querySelector('.MuiPopover-root') === null

/**
 * Shows its children on the whole screen while `isOn`, as a dialog that Escape closes. They stay mounted, so what they
 * show stays as it is.
 */
export function FullScreen({
  isOn,
  label,
  onClose,
  children,
}: {
  isOn: boolean
  label: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <FocusTrap open={isOn} isEnabled={isNoMenuOpen}>
        <Box
          tabIndex={-1}
          sx={isOn ? fullStyle : plainStyle}
          {...(isOn && {
            role: 'dialog',
            'aria-modal': true,
            'aria-label': label,
            onKeyDown: (event: KeyboardEvent) => {
              if (event.key === 'Escape') onClose()
            },
          })}
        >
          {isOn && <GlobalStyles styles={{ body: { overflow: 'hidden' } }} />}
          {children}
        </Box>
      </FocusTrap>
    </Box>
  )
}

const plainStyle = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', height: '100%', outline: 'none' } as const

const fullStyle = {
  ...plainStyle,
  position: 'fixed',
  inset: 0,
  zIndex: 'drawer',
  backgroundColor: colors.surface,
  '& > .MuiCard-root': { border: 0, borderRadius: 0 },
} as const
