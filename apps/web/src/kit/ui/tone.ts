import { colors } from '../theme/tokens.ts'

/** The colour of a gain, a loss, or neither. Always beside a sign, an arrow or a word. */
export const directionColor = (direction: 'up' | 'down' | 'flat'): string =>
  direction === 'up' ? colors.up : direction === 'down' ? colors.down : colors.text
