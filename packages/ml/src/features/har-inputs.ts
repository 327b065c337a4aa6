import { type FeatureName, usesHour, usesWeekday } from '@shapecast/contracts/features'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { logMeanAbs } from '@shapecast/engine/indicators/volatility'
import type { BlockInputs } from './block-inputs.ts'
import { weekdayOf } from './calendar.ts'
import { type ColumnOf, column } from './feature-columns.ts'
import { SMALLEST_SIGMA } from './volatility.ts'

const PERIODS = [1, 4, 12, 24, 96] as const
/** A mean move below this share of σ counts as this share: the logarithm of a candle that closed where it opened. */
export const SMALLEST_MOVE = 0.02
const HOUR_MS = 3_600_000

/** Hours of the day with a dummy of their own; the first is the one that they are measured against. */
const hoursOf = (timeframe: Timeframe): number[] => {
  if (!usesHour(timeframe)) return []
  const stride = Math.max(1, TIMEFRAME_MS[timeframe] / HOUR_MS)
  return Array.from({ length: 24 / stride - 1 }, (_, i) => (i + 1) * stride)
}

const WEEKEND: [string, ColumnOf] = [
  'weekend',
  (inputs) => column(inputs, (i) => (weekdayOf(inputs.candles.ts[i]!) >= 5 ? 1 : 0)),
]

const SMALLEST = Math.log(SMALLEST_MOVE)
/** The logarithm of what a candle has moved, at least that of SMALLEST_MOVE of σ. */
const floored = (inputs: BlockInputs, log: (i: number) => number): Float64Array =>
  column(inputs, (i) => Math.max(log(i), inputs.logSigma[i]! + SMALLEST))

const meanMove =
  (period: number): ColumnOf =>
  (inputs) => {
    const known = logMeanAbs(inputs.returns, period, SMALLEST_SIGMA * SMALLEST_MOVE)
    return floored(inputs, (i) => known[i]!)
  }

/** The volatility model's inputs with their columns, in the order in which stored models have them. */
export const harInputs = (timeframe: Timeframe): [name: string, column: ColumnOf][] => [
  ...PERIODS.map((period): [string, ColumnOf] => [`log_mean_abs_${period}`, meanMove(period)]),
  ['log_sigma', ({ logSigma }) => logSigma],
  ['log_sigma_slow', ({ logSigmaSlow }) => logSigmaSlow],
  ['log_range', (inputs) => floored(inputs, (i) => Math.log(inputs.range[i]!))],
  ['log_atr', (inputs) => floored(inputs, (i) => Math.log(inputs.atrRatio[i]!))],
  ['volume_z', ({ volumeZ }) => volumeZ],
  ...hoursOf(timeframe).map((hour): [string, ColumnOf] => [
    `hour_${hour}`,
    (inputs) => column(inputs, (i) => (inputs.hour[i] === hour ? 1 : 0)),
  ]),
  ...(usesWeekday(timeframe) ? [WEEKEND] : []),
]

export const harInputNames = (timeframe: Timeframe): string[] => harInputs(timeframe).map(([name]) => name)

/** Inputs that say what a feature says. The means of past moves, without which this is no HAR, belong to none. */
const SAME_AS: Readonly<Record<string, FeatureName>> = {
  log_sigma: 'log_sigma',
  log_sigma_slow: 'log_sigma_slow',
  log_range: 'range',
  log_atr: 'atr_14',
  volume_z: 'volume_z',
}

/** The features that an input of the volatility model goes with: it is used where one of them is. Empty: it is always used. */
export function featuresBehind(input: string): readonly FeatureName[] {
  if (input.startsWith('hour_')) return ['hour_sin', 'hour_cos']
  if (input === 'weekend') return ['weekday_sin', 'weekday_cos']
  const feature = SAME_AS[input]
  return feature === undefined ? [] : [feature]
}

/** The volatility model's inputs beside the given features: what was left out of those is left out here too. */
export const harInputsBeside = (timeframe: Timeframe, features: readonly string[]): string[] =>
  harInputNames(timeframe).filter((input) => {
    const behind = featuresBehind(input)
    return behind.length === 0 || behind.some((name) => features.includes(name))
  })
