import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { logMeanAbs } from '@shapecast/engine/indicators/volatility'
import type { BlockInputs } from './block-inputs.ts'
import { hourOf, usesHour, usesWeekday, weekdayOf } from './calendar.ts'
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

/** The volatility model's inputs, in the order of their columns. */
export const harInputNames = (timeframe: Timeframe): string[] => [
  ...PERIODS.map((period) => `log_mean_abs_${period}`),
  'log_sigma',
  'log_sigma_slow',
  'log_range',
  'log_atr',
  'volume_z',
  ...hoursOf(timeframe).map((hour) => `hour_${hour}`),
  ...(usesWeekday(timeframe) ? ['weekend'] : []),
]

/** Inputs that say what a feature says. The means of past moves, without which this is no HAR, belong to none. */
const SAME_AS: Readonly<Record<string, string>> = {
  log_sigma: 'log_sigma',
  log_sigma_slow: 'log_sigma_slow',
  log_range: 'range',
  log_atr: 'atr_14',
  volume_z: 'volume_z',
}

/** The features that an input of the volatility model goes with: it is used where one of them is. Empty: it is always used. */
export function featuresBehind(input: string): readonly string[] {
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

/** Columns in the order of `harInputNames`. */
export function harInputColumns(inputs: BlockInputs, timeframe: Timeframe): Float64Array[] {
  const { returns, sigma, sigmaSlow, range, atrRatio, volumeZ, candles } = inputs
  const n = candles.length
  const column = (f: (i: number) => number): Float64Array => {
    const out = new Float64Array(n)
    for (let i = 0; i < n; i++) out[i] = f(i)
    return out
  }
  const logSigma = column((i) => Math.log(sigma[i]!))
  const smallest = Math.log(SMALLEST_MOVE)
  const floored = (log: number, i: number): number => Math.max(log, logSigma[i]! + smallest)
  const means = PERIODS.map((period) => {
    const known = logMeanAbs(returns, period, SMALLEST_SIGMA * SMALLEST_MOVE)
    return column((i) => floored(known[i]!, i))
  })
  const hour = usesHour(timeframe) ? column((i) => Math.floor(hourOf(candles.ts[i]!))) : logSigma
  return [
    ...means,
    logSigma,
    column((i) => Math.log(sigmaSlow[i]!)),
    column((i) => floored(Math.log(range[i]!), i)),
    column((i) => floored(Math.log(atrRatio[i]!), i)),
    volumeZ,
    ...hoursOf(timeframe).map((of) => column((i) => (hour[i] === of ? 1 : 0))),
    ...(usesWeekday(timeframe) ? [column((i) => (weekdayOf(candles.ts[i]!) >= 5 ? 1 : 0))] : []),
  ]
}
