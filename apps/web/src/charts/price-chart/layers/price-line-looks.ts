import { chartColors, colors } from '../../../shared/theme/tokens.ts'
import type { LineLook } from './draw-value-line.ts'

/** Lines of the price chart; the legend shows the same patterns. */
export const LINE_LOOKS = {
  emaFast: { color: chartColors.emaFast, widthPx: 1.5, dash: [] },
  emaSlow: { color: chartColors.emaSlow, widthPx: 1.5, dash: [] },
  lstm: { color: chartColors.lstm, widthPx: 1.5, dash: [5, 3] },
  transformer: { color: chartColors.transformer, widthPx: 1.5, dash: [1.5, 2.5] },
  close: { color: colors.text, widthPx: 1.75, dash: [] },
} as const satisfies Record<string, LineLook>
