import { z } from 'zod'
import { TIMEFRAME_MS, type Timeframe } from './timeframes.ts'

/** What a model's inputs are sorted by: inputs of a group say nearly the same, so they are also judged together. */
export const FeatureGroup = z.enum([
  'returns',
  'candle',
  'volatility',
  'oscillators',
  'trend',
  'volume',
  'calendar',
  'prices',
])
export type FeatureGroup = z.infer<typeof FeatureGroup>

export const GROUP_LABELS: Readonly<Record<FeatureGroup, string>> = {
  returns: 'Returns',
  candle: 'Candle shape',
  volatility: 'Volatility',
  oscillators: 'Oscillators',
  trend: 'Trend',
  volume: 'Volume',
  calendar: 'Calendar',
  prices: 'Raw prices',
}

export interface Feature<Name extends string = string> {
  readonly name: Name
  readonly group: FeatureGroup
  /** What it means, in a few words. */
  readonly label: string
}

type Meaning = readonly [FeatureGroup, label: string]

/** Every feature, in the order of its column in windows: stored models rest on the order of those they have. */
const FEATURES = {
  return_1: ['returns', 'Return of the last candle'],
  return_2: ['returns', 'Return over 2 candles'],
  return_3: ['returns', 'Return over 3 candles'],
  return_6: ['returns', 'Return over 6 candles'],
  return_12: ['returns', 'Return over 12 candles'],
  return_24: ['returns', 'Return over 24 candles'],
  realised_volatility: ['volatility', 'Mean move of 24 candles'],
  range: ['volatility', 'High to low'],
  close_in_range: ['candle', 'Close between low and high'],
  body: ['candle', 'Open to close within the range'],
  volume_z: ['volume', 'Volume against its last 48 candles'],
  rsi_14: ['oscillators', 'RSI of 14 candles'],
  z_score_20: ['oscillators', 'Z-score of 20 candles'],
  ultimate_oscillator: ['oscillators', 'Ultimate Oscillator'],
  ema_distance_20: ['trend', 'Distance to the EMA 20'],
  ema_distance_50: ['trend', 'Distance to the EMA 50'],
  band_width_20: ['volatility', 'Width of the Bollinger bands'],
  macd: ['trend', 'MACD'],
  macd_histogram: ['trend', 'MACD histogram'],
  atr_14: ['volatility', 'Average true range of 14 candles'],
  sigma_over_slow: ['volatility', 'Volatility against its slow level'],
  log_sigma: ['volatility', 'Volatility level'],
  log_sigma_slow: ['volatility', 'Volatility level, slow'],
  hour_sin: ['calendar', 'Hour of the day, sine'],
  hour_cos: ['calendar', 'Hour of the day, cosine'],
  weekday_sin: ['calendar', 'Day of the week, sine'],
  weekday_cos: ['calendar', 'Day of the week, cosine'],
} as const satisfies Readonly<Record<string, Meaning>>

export type FeatureName = keyof typeof FEATURES

const ALL: readonly Feature<FeatureName>[] = Object.entries<Meaning>(FEATURES).map(([name, [group, label]]) => ({
  name: name as FeatureName,
  group,
  label,
}))

const DAY_MS = 86_400_000

/** Days of the week shape the features of every timeframe but 1m, whose training spans only days. */
export const usesWeekday = (timeframe: Timeframe): boolean => timeframe !== '1m'

/** Hours too, where a candle is shorter than a day. */
export const usesHour = (timeframe: Timeframe): boolean => usesWeekday(timeframe) && TIMEFRAME_MS[timeframe] < DAY_MS

/** The features of a timeframe in the order of their columns: no calendar on 1m, no hour from 1d on. */
export const featuresOf = (timeframe: Timeframe): readonly Feature<FeatureName>[] =>
  ALL.filter(
    ({ name }) =>
      (usesHour(timeframe) || !name.startsWith('hour_')) && (usesWeekday(timeframe) || !name.startsWith('weekday_')),
  )

/** What is wrong with a choice of features, as a sentence that lists the known ones; null where nothing is. */
export function featureComplaint(timeframe: Timeframe, chosen: readonly string[]): string | null {
  const known: string[] = featuresOf(timeframe).map(({ name }) => name)
  const unknown = chosen.filter((name) => !known.includes(name))
  const wrong =
    chosen.length === 0
      ? 'Choose at least one feature.'
      : unknown.length > 0
        ? `There is no feature named ${unknown.join(', ')} on ${timeframe}.`
        : new Set(chosen).size < chosen.length
          ? 'Name each feature once.'
          : null
  return wrong === null ? null : `${wrong} Known are ${known.join(', ')}.`
}
