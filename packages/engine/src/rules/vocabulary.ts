import { FUNCTIONS, SERIES } from './tree.ts'

/** A constant of an indicator. */
export interface Parameter {
  readonly name: string
  readonly usual: number
  readonly min: number
  readonly max: number
  readonly isWhole: boolean
}

/** How an indicator is called. */
export interface Signature {
  /** What it is, for people. */
  readonly title: string
  /** The series that it works on where none is given; null of one that takes candles as they are. */
  readonly input: 'close' | null
  readonly parameters: readonly Parameter[]
}

const LONGEST_PERIOD = 10_000
const period = (usual: number, name = 'candles', min = 1): Parameter => ({
  name,
  usual,
  min,
  max: LONGEST_PERIOD,
  isWhole: true,
})
const width: Parameter = { name: 'standard deviations', usual: 2, min: 0, max: 100, isWhole: false }

const of = (title: string, ...parameters: Parameter[]): Signature => ({ title, input: 'close', parameters })
const ofCandles = (title: string, ...parameters: Parameter[]): Signature => ({ title, input: null, parameters })

const macd = [period(12, 'fast'), period(26, 'slow'), period(9, 'signal')] as const

/** Every indicator by name. Definitions and sources: docs/rules.md. */
export const INDICATORS = {
  sma: of('Simple moving average', period(20)),
  ema: of('Exponential moving average', period(20)),
  wilder: of("Wilder's average", period(14)),
  rsi: of('Relative strength index, 0 to 100', period(14)),
  roc: of('Rate of change, a ratio', period(12)),
  stdev: of('Standard deviation', period(20, 'candles', 2)),
  zscore: of('Standard deviations from the mean', period(20, 'candles', 2)),
  highest: of('Highest of the last candles', period(20)),
  lowest: of('Lowest of the last candles', period(20)),
  macd: of('MACD line', macd[0], macd[1]),
  macd_signal: of('Signal line of MACD', ...macd),
  macd_histogram: of('MACD less its signal line', ...macd),
  bollinger_upper: of('Upper Bollinger band', period(20, 'candles', 2), width),
  bollinger_lower: of('Lower Bollinger band', period(20, 'candles', 2), width),
  donchian_upper: ofCandles('Highest high of the last candles', period(20)),
  donchian_lower: ofCandles('Lowest low of the last candles', period(20)),
  atr: ofCandles('Average true range', period(14)),
  adx: ofCandles('Average directional index, 0 to 100', period(14)),
  plus_di: ofCandles('Upward directional indicator, 0 to 100', period(14)),
  minus_di: ofCandles('Downward directional indicator, 0 to 100', period(14)),
  stochastic_k: ofCandles('Stochastic %K, 0 to 100', period(14), period(1, 'smoothing')),
  stochastic_d: ofCandles('Stochastic %D, 0 to 100', period(14), period(1, 'smoothing'), period(3, 'average')),
  williams_r: ofCandles("Williams' %R, −100 to 0", period(14)),
  cci: ofCandles('Commodity channel index', period(20, 'candles', 2)),
  mfi: ofCandles('Money flow index, 0 to 100', period(14)),
  ultimate: ofCandles('Ultimate Oscillator, 0 to 100'),
  vol: ofCandles('Yearly volatility, a ratio', period(60, 'candles', 2)),
} as const satisfies Record<string, Signature>
export type IndicatorName = keyof typeof INDICATORS

export const signatureOf = (name: string): Signature | undefined =>
  Object.hasOwn(INDICATORS, name) ? INDICATORS[name as IndicatorName] : undefined

/** What is wrong with the value of a parameter, in words; null where nothing is. */
export function wrongParameter({ name, min, max, isWhole }: Parameter, value: number): string | null {
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return null
  return `${name} must be ${isWhole ? 'a whole number' : 'a number'} from ${min} to ${max}`
}

/** Every name that may stand where a value is expected. */
export const VALUE_WORDS: readonly string[] = [
  ...SERIES,
  ...Object.keys(INDICATORS),
  ...Object.keys(FUNCTIONS),
  'median',
]
