import type { LineStyle, LineWidth } from 'lightweight-charts'
import { chartColors, colors } from '#kit/theme/tokens.ts'
import type { LineId } from './indicator-lines.ts'

/** As the library counts them: the legend is drawn before the library is there. */
const SOLID: LineStyle = 0
const DASHED: LineStyle = 2
/** The library draws any width; its type names whole pixels only. */
const look = (color: string, widthPx: number, lineStyle: LineStyle = SOLID) =>
  ({ color, lineWidth: widthPx as LineWidth, lineStyle }) as const

/** Lines of the price chart; the legend shows the same patterns. */
export const LINE_LOOKS: Readonly<Record<LineId | 'close', ReturnType<typeof look>>> = {
  ema_fast: look(chartColors.emaFast, 1.5),
  ema_slow: look(chartColors.emaSlow, 1.5),
  bollinger_upper: look(chartColors.band, 1),
  bollinger_middle: look(chartColors.band, 1, DASHED),
  bollinger_lower: look(chartColors.band, 1),
  rsi: look(chartColors.emaFast, 1.5),
  close: look(colors.text, 1.75),
}
