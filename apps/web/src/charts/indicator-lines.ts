import { ema } from '@shapecast/engine/indicators/averages'
import type { LineStyle, LineWidth } from 'lightweight-charts'
import { formatPrice } from '#kit/format/money.ts'
import { formatFixed } from '#kit/format/number.ts'
import { chartColors, colors } from '#kit/theme/tokens.ts'

/** What can be drawn beside the candles; each is one or more lines. */
export const INDICATORS = [
  'ema',
  'sma',
  'bollinger',
  'donchian',
  'rsi',
  'macd',
  'stochastic',
  'atr',
  'adx',
  'cci',
  'mfi',
  'ultimate',
  'z_score',
] as const
export type Indicator = (typeof INDICATORS)[number]

export const INDICATOR_WORDS: Readonly<Record<Indicator, string>> = {
  ema: 'EMA 20 and 50',
  sma: 'SMA 50 and 200',
  bollinger: 'Bollinger bands 20, 2',
  donchian: 'Donchian channel 20',
  rsi: 'RSI 14',
  macd: 'MACD 12, 26, 9',
  stochastic: 'Stochastic 14, 3',
  atr: 'ATR 14',
  adx: 'ADX 14',
  cci: 'CCI 20',
  mfi: 'Money flow 14',
  ultimate: 'Ultimate oscillator 7, 14, 28',
  z_score: 'Z-score 20',
}

/** The pane below the prices that an indicator has to itself. */
export interface IndicatorPane {
  readonly id: Indicator
  /** Lines across it. */
  readonly levels: readonly number[]
  /** What it always shows; absent where it fits what is seen. */
  readonly range?: readonly [from: number, to: number]
  /** Digits of its values; null where they are prices. */
  readonly digits: number | null
}

const PANES: Partial<Record<Indicator, Omit<IndicatorPane, 'id'>>> = {
  rsi: { levels: [30, 70], range: [0, 100], digits: 1 },
  macd: { levels: [0], digits: null },
  stochastic: { levels: [20, 80], range: [0, 100], digits: 1 },
  atr: { levels: [], digits: null },
  adx: { levels: [25], digits: 1 },
  cci: { levels: [-100, 100], digits: 1 },
  mfi: { levels: [20, 80], range: [0, 100], digits: 1 },
  ultimate: { levels: [30, 70], range: [0, 100], digits: 1 },
  z_score: { levels: [-2, 2], digits: 2 },
}

/** A line of an indicator: a value a candle, NaN until it has seen enough of them. */
export interface IndicatorLine {
  readonly id: LineId
  readonly word: string
  readonly values: Float64Array
  /** Null of a line over the prices. */
  readonly pane: IndicatorPane | null
}

/** Of the candles by column. */
export interface Columns {
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

export type Lines = readonly (readonly [id: LineId, word: string, values: Float64Array])[]

/** `linesOf` of more-indicators.ts. */
type LinesOf = (indicator: Exclude<Indicator, 'ema'>, candles: Columns) => Lines

function emaOf({ close }: Columns): Lines {
  return [
    ['ema_fast', 'EMA 20', ema(close, 20)],
    ['ema_slow', 'EMA 50', ema(close, 50)],
  ]
}

/** The lines of the chosen indicators over these candles; averages alone while `linesOf` is on its way. */
export const indicatorLines = (
  candles: Columns,
  shown: readonly Indicator[],
  linesOf: LinesOf | null,
): readonly IndicatorLine[] =>
  INDICATORS.filter((indicator) => shown.includes(indicator)).flatMap((indicator) => {
    const of = PANES[indicator]
    const pane = of === undefined ? null : { id: indicator, ...of }
    const lines = indicator === 'ema' ? emaOf(candles) : (linesOf?.(indicator, candles) ?? [])
    return lines.map(([id, word, values]): IndicatorLine => ({ id, word, values, pane }))
  })

/** A value of a line as it is read: a price by the market's tick, or a figure of its pane. */
export const lineValue = (
  { pane }: Pick<IndicatorLine, 'pane'>,
  value: number | undefined,
  tickSize: number | undefined,
): string => (pane === null || pane.digits === null ? formatPrice(value, tickSize) : formatFixed(value, pane.digits))

/** As the library counts them: the legend is drawn before the library is there. */
const SOLID: LineStyle = 0
const DOTTED: LineStyle = 1
const DASHED: LineStyle = 2
/** The library draws any width; its type names whole pixels only. */
const look = (color: string, widthPx: number, lineStyle: LineStyle = SOLID) =>
  ({ color, lineWidth: widthPx as LineWidth, lineStyle }) as const
const MAIN = look(chartColors.emaFast, 1.5)
const SECOND = look(chartColors.emaSlow, 1.5, DASHED)

/** Lines of the price chart; the legend shows the same patterns. */
export const LINE_LOOKS = {
  ema_fast: MAIN,
  ema_slow: look(chartColors.emaSlow, 1.5),
  sma_fast: look(chartColors.emaFast, 1.5, DASHED),
  sma_slow: SECOND,
  bollinger_upper: look(chartColors.band, 1),
  bollinger_middle: look(chartColors.band, 1, DASHED),
  bollinger_lower: look(chartColors.band, 1),
  donchian_upper: look(chartColors.band, 1.5, DOTTED),
  donchian_lower: look(chartColors.band, 1.5, DOTTED),
  rsi: MAIN,
  macd: MAIN,
  macd_signal: SECOND,
  stochastic: MAIN,
  stochastic_signal: SECOND,
  atr: MAIN,
  adx: MAIN,
  adx_plus: SECOND,
  adx_minus: look(chartColors.band, 1.5, DOTTED),
  cci: MAIN,
  mfi: MAIN,
  ultimate: MAIN,
  z_score: MAIN,
  close: look(colors.text, 1.75),
} as const satisfies Readonly<Record<string, ReturnType<typeof look>>>
export type LineId = Exclude<keyof typeof LINE_LOOKS, 'close'>
