import { colors } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'

/** A figure on its scale, as a dot: its interval a line, what it is held against a bar. The words beside it say the same. */
export function FigureScale({
  from,
  to,
  value,
  interval,
  mark,
}: {
  from: number
  to: number
  value: number
  interval?: readonly [number, number] | null | undefined
  mark: number
}) {
  const at = (of: number) => `${(100 * (Math.min(to, Math.max(from, of)) - from)) / (to - from)}%`
  return (
    <svg width="100%" height="14" aria-hidden className={layout.shrinks} style={{ overflow: 'visible', maxWidth: 320 }}>
      <line x1="0" x2="100%" y1="7" y2="7" stroke={colors.hairline} />
      {interval != null && (
        <line x1={at(interval[0])} x2={at(interval[1])} y1="7" y2="7" stroke={colors.text3} strokeWidth={1.5} />
      )}
      <line x1={at(mark)} x2={at(mark)} y1="1" y2="13" stroke={colors.warn} strokeWidth={1.5} />
      <circle cx={at(value)} cy="7" r="3.5" fill={colors.text} />
    </svg>
  )
}
