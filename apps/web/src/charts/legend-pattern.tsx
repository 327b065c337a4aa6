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

export type Pattern =
  | 'long_entry'
  | 'short_entry'
  | 'long_backfilled'
  | 'short_backfilled'
  | 'profit_exit'
  | 'loss_exit'
  | 'equity'
  | 'close'
  | 'lstm'
  | 'transformer'
  | LineId
  | 'fan'

/** The mark of one kind of thing on the chart, as it is drawn there. */
export function LegendPattern({ pattern }: { pattern: Pattern }) {
  switch (pattern) {
    case 'long_entry':
      return (
        <svg width="10" height="10" aria-hidden="true">
          <path d="M5 1.5 9 9H1z" fill={colors.up} />
        </svg>
      )
    case 'short_entry':
      return (
        <svg width="10" height="10" aria-hidden="true">
          <path d="M5 8.5 9 1H1z" fill={colors.down} />
        </svg>
      )
    case 'long_backfilled':
    case 'short_backfilled':
      return (
        <svg width="10" height="10" aria-hidden="true">
          <path
            d={pattern === 'long_backfilled' ? 'M5 2.2 8.4 8.3H1.6z' : 'M5 7.8 8.4 1.7H1.6z'}
            fill="none"
            strokeWidth="1.5"
            stroke={pattern === 'long_backfilled' ? colors.up : colors.down}
          />
        </svg>
      )
    case 'profit_exit':
    case 'loss_exit':
      return (
        <svg width="10" height="10" aria-hidden="true">
          <circle
            cx="5"
            cy="5"
            r="3.5"
            fill="none"
            strokeWidth="1.75"
            stroke={pattern === 'profit_exit' ? colors.up : colors.down}
          />
        </svg>
      )
    case 'close':
    case 'equity':
      return (
        <svg width="18" height="10" aria-hidden="true">
          <path d="M0 5h18" stroke={chartColors.equity} strokeWidth="1.75" />
        </svg>
      )
    case 'lstm':
      return (
        <svg width="18" height="10" aria-hidden="true">
          <path d="M0 5h18" stroke={chartColors.lstm} strokeWidth="1.75" strokeDasharray="5 1.5" />
        </svg>
      )
    case 'transformer':
      return (
        <svg width="18" height="10" aria-hidden="true">
          <path d="M0 5h18" stroke={chartColors.transformer} strokeWidth="1.75" strokeDasharray="1.5 2.5" />
        </svg>
      )
    case 'fan':
      return (
        <svg width="18" height="10" aria-hidden="true">
          <rect width="18" height="10" rx="2" fill={tint(colors.accent, 0.22)} />
          <path d="M0 3h18v4H0z" fill={tint(colors.accent, 0.5)} />
        </svg>
      )
    default: {
      const { color, lineStyle } = LINE_LOOKS[pattern]
      return (
        <svg width="18" height="10" aria-hidden="true">
          <path d="M0 5h18" stroke={color} strokeWidth="1.75" strokeDasharray={LEGEND_DASHES[lineStyle]} />
        </svg>
      )
    }
  }
}
