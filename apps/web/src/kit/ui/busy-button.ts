import type { MouseEvent } from 'react'

/**
 * Props of a button that takes no press while what it does is under way. It looks disabled but is not: that would throw
 * anyone who uses the keyboard back to the top of the page. A button that sends its form needs no `onPress`.
 */
export const busyButton = (isBusy: boolean, onPress?: () => void, className = '') => ({
  // Not said to be usable while it is not busy: it may be off for another reason.
  'aria-disabled': isBusy || undefined,
  className,
  onClick: (event: Pick<MouseEvent, 'preventDefault'>) => {
    if (isBusy) event.preventDefault()
    else onPress?.()
  },
})
