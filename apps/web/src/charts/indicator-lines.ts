import { ema } from '@shapecast/engine/indicators/averages'
import { bollinger } from '@shapecast/engine/indicators/bands'
import { rsi } from '@shapecast/engine/indicators/oscillators'
import type { LineStyle, LineWidth } from 'lightweight-charts'
import { chartColors, colors } from '#kit/theme/tokens.ts'

/** What can be drawn beside the candles; each is one or more lines. */
export const INDICATORS = ['ema', 'bollinger', 'rsi'] as const
export type Indicator = (typeof INDICATORS)[number]

export const INDICATOR_WORDS: Readonly<Record<Indicator, string>> = {
  ema: 'EMA 20 and 50',
  bollinger: 'Bollinger bands 20, 2',
  rsi: 'RSI 14',
}

export type LineId = 'ema_fast' | 'ema_slow' | 'bollinger_upper' | 'bollinger_middle' | 'bollinger_lower' | 'rsi'

/** A line of an indicator: a value a candle, NaN until it has seen enough of them. */
export interface IndicatorLine {
  readonly id: LineId
  readonly word: string
  readonly values: Float64Array
}

function linesOf(indicator: Indicator, close: Float64Array): IndicatorLine[] {
  switch (indicator) {
    case 'ema':
      return [
        { id: 'ema_fast', word: 'EMA 20', values: ema(close, 20) },
        { id: 'ema_slow', word: 'EMA 50', values: ema(close, 50) },
      ]
    case 'bollinger': {
      const { upper, middle, lower } = bollinger(close)
      return [
        { id: 'bollinger_upper', word: 'Bollinger upper', values: upper },
        { id: 'bollinger_middle', word: 'middle', values: middle },
        { id: 'bollinger_lower', word: 'lower', values: lower },
      ]
    }
    case 'rsi':
      return [{ id: 'rsi', word: 'RSI 14', values: rsi(close) }]
    default:
      return indicator satisfies never
  }
}

/** The lines of the chosen indicators over these closes. */
export const indicatorLines = (close: Float64Array, shown: readonly Indicator[]): readonly IndicatorLine[] =>
  INDICATORS.filter((indicator) => shown.includes(indicator)).flatMap((indicator) => linesOf(indicator, close))

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
