/**
 * Props of a button that takes no press while what it does is under way. It looks disabled but is not: that would throw
 * whoever uses the keyboard back to the top of the page.
 */
export const busyPress = (isBusy: boolean, onPress: () => void) => ({
  'aria-disabled': isBusy,
  className: isBusy ? 'Mui-disabled' : '',
  onClick: () => {
    if (!isBusy) onPress()
  },
})
