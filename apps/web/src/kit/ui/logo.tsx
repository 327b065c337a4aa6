import { colors } from '../theme/tokens.ts'

/** The mark: the market as a staircase, the model as the curve through it. */
export function Mark({ sizePx = 24 }: { sizePx?: number }) {
  return (
    <svg width={sizePx} height={sizePx} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path d="M1 20.5h4.5v-4H10v-5h4.5v-5H19V3h4" stroke={colors.text3} strokeWidth="1.3" strokeLinejoin="round" />
      <path
        d="M1 21.5c5.2 0 7.4-3.2 10-9s5.2-9.8 12-10"
        stroke={colors.accent}
        strokeWidth="2.1"
        strokeLinecap="round"
      />
    </svg>
  )
}
