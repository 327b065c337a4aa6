import { colors } from '../theme/tokens.ts'

/** One of several choices as a box with a radio: the chosen one has the accent's edge, one that is off is dimmed. */
export const choiceCard = (isChosen: boolean, isOff = false) => ({
  px: 1.5,
  py: 1.25,
  borderRadius: 1,
  border: `1px solid ${isChosen ? colors.accent : colors.buttonEdge}`,
  boxShadow: isChosen ? `inset 0 0 0 1px ${colors.accent}` : 'none',
  backgroundColor: isChosen ? colors.inset : 'transparent',
  cursor: isOff ? 'default' : 'pointer',
  opacity: isOff ? 0.7 : 1,
})
