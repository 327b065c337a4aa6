import FocusTrap from '@mui/material/Unstable_TrapFocus'
import type { KeyboardEvent, ReactNode } from 'react'
import css from './full-screen.module.css'
import layout from './layout.module.css'

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
    <div className={layout.shrinks}>
      <FocusTrap open={isOn} isEnabled={isNoMenuOpen}>
        <div
          tabIndex={-1}
          className={isOn ? `${css.part} ${css.full}` : css.part}
          {...(isOn && {
            role: 'dialog',
            'aria-modal': true,
            'aria-label': label,
            onKeyDown: (event: KeyboardEvent) => {
              if (event.key === 'Escape') onClose()
            },
          })}
        >
          {children}
        </div>
      </FocusTrap>
    </div>
  )
}
