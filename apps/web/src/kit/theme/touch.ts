/** What a finger needs, px: WCAG 2.5.5. */
export const TOUCH_PX = 44
export const coarsePointer = '@media (pointer: coarse)'

/** A finger gets 44 by 44 px around the middle of a box that is smaller. The box itself is to be positioned. */
export const touchArea = {
  [coarsePointer]: {
    '&::after': {
      content: '""',
      position: 'absolute',
      top: '50%',
      left: '50%',
      width: `max(100%, ${TOUCH_PX}px)`,
      height: `max(100%, ${TOUCH_PX}px)`,
      translate: '-50% -50%',
    },
  },
} as const
