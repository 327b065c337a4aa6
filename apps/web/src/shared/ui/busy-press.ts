import type { MouseEvent } from 'react'

/**
 * Props of a button that takes no press while what it does is under way. It looks disabled but is not: that would throw
 * whoever uses the keyboard back to the top of the page. A button that sends its form needs no `onPress`.
 */
export const busyPress = (isBusy: boolean, onPress?: () => void) => ({
  'aria-disabled': isBusy,
  className: isBusy ? 'Mui-disabled' : '',
  onClick: (event: Pick<MouseEvent, 'preventDefault'>) => {
    if (isBusy) event.preventDefault()
    else onPress?.()
  },
})
