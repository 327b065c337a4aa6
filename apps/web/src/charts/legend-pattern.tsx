import { chartColors, colors } from '../shared/theme/tokens.ts'

export type Pattern = 'long_entry' | 'short_entry' | 'profit_exit' | 'loss_exit' | 'equity' | 'lstm'

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
    default:
      return pattern satisfies never
  }
}
