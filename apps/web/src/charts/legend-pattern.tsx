import type { ReactNode } from 'react'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { LINE_LOOKS, type LineId } from './indicator-lines.ts'

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

/** A line of a plot, beside its name. */
export const LineMark = ({ color, rightPx = 0 }: { color: string; rightPx?: number }) => (
  <span
    style={{
      display: 'inline-block',
      width: 16,
      height: 2,
      marginRight: rightPx,
      verticalAlign: 'middle',
      backgroundColor: color,
    }}
  />
)

export const LinePattern = ({ look: { isDashed, color } }: { look: LineLook }) => (
  <span
    aria-hidden
    style={{
      flexShrink: 0,
      display: 'inline-block',
      width: 18,
      borderTop: `2px ${isDashed ? 'dashed' : 'solid'} ${color}`,
    }}
  />
)

/** By style of the line: solid, dotted, dashed. */
const LEGEND_DASHES: readonly (string | undefined)[] = [undefined, '1.5 2', '3 2']

/** The marks at a spot, in a box of 10 × 10 px. */
const SPOTS = {
  long_entry: <path d="M5 1.5 9 9H1z" fill={colors.up} />,
  short_entry: <path d="M5 8.5 9 1H1z" fill={colors.down} />,
  long_backfilled: <path d="M5 2.2 8.4 8.3H1.6z" fill="none" strokeWidth="1.5" stroke={colors.up} />,
  short_backfilled: <path d="M5 7.8 8.4 1.7H1.6z" fill="none" strokeWidth="1.5" stroke={colors.down} />,
  profit_exit: <circle cx="5" cy="5" r="3.5" fill="none" strokeWidth="1.75" stroke={colors.up} />,
  loss_exit: <circle cx="5" cy="5" r="3.5" fill="none" strokeWidth="1.75" stroke={colors.down} />,
} as const

const line = (color: string, dash?: string) => (
  <path d="M0 5h18" stroke={color} strokeWidth="1.75" strokeDasharray={dash} />
)

/** The marks of lines and areas, in a box of 18 × 10 px. */
const LINES = {
  equity: line(chartColors.equity),
  close: line(chartColors.equity),
  lstm: line(chartColors.lstm, '5 1.5'),
  transformer: line(chartColors.transformer, '1.5 2.5'),
  fan: (
    <>
      <rect width="18" height="10" rx="2" fill={tint(colors.accent, 0.22)} />
      <path d="M0 3h18v4H0z" fill={tint(colors.accent, 0.5)} />
    </>
  ),
} as const

export type Pattern = keyof typeof SPOTS | keyof typeof LINES | LineId

const MARKS = {
  ...Object.fromEntries(
    Object.entries(LINE_LOOKS).map(([id, { color, lineStyle }]) => [id, line(color, LEGEND_DASHES[lineStyle])]),
  ),
  ...SPOTS,
  ...LINES,
} as Readonly<Record<Pattern, ReactNode>>

/** The mark of one kind of thing on the chart, as it is drawn there. */
export const LegendPattern = ({ pattern }: { pattern: Pattern }) => (
  <svg width={pattern in SPOTS ? 10 : 18} height="10" aria-hidden="true">
    {MARKS[pattern]}
  </svg>
)
