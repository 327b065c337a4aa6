import { chartColors, colors } from '#kit/theme/tokens.ts'
import css from './line-pattern.module.css'

/** How a line of several is drawn. */
export interface LineLook {
  readonly color: string
  readonly isDashed: boolean
}

/** Of lines that are compared, told apart without colour too. */
export const COMPARED_LOOKS: readonly LineLook[] = [
  { color: colors.text, isDashed: false },
  { color: colors.sand, isDashed: false },
  { color: colors.accent, isDashed: true },
  { color: chartColors.emaSlow, isDashed: false },
  { color: colors.orange, isDashed: true },
]

export const LinePattern = ({ look: { isDashed, color } }: { look: LineLook }) => (
  <span aria-hidden className={css.pattern} style={{ borderTop: `2px ${isDashed ? 'dashed' : 'solid'} ${color}` }} />
)
