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

export interface Feature {
  readonly name: string
  readonly group: FeatureGroup
  /** What it means, in a few words. */
  readonly label: string
}

const of = (group: FeatureGroup, features: Readonly<Record<string, string>>): Feature[] =>
  Object.entries(features).map(([name, label]) => ({ name, group, label }))

const HOURS = of('calendar', { hour_sin: 'Hour of the day, sine', hour_cos: 'Hour of the day, cosine' })
const WEEKDAYS = of('calendar', { weekday_sin: 'Day of the week, sine', weekday_cos: 'Day of the week, cosine' })

const PRICE_FEATURES: readonly Feature[] = [
  ...of('returns', {
    return_1: 'Return of the last candle',
    return_2: 'Return over 2 candles',
    return_3: 'Return over 3 candles',
    return_6: 'Return over 6 candles',
    return_12: 'Return over 12 candles',
    return_24: 'Return over 24 candles',
  }),
  ...of('volatility', { realised_volatility: 'Mean move of 24 candles', range: 'High to low' }),
  ...of('candle', { close_in_range: 'Close between low and high', body: 'Open to close within the range' }),
  ...of('volume', { volume_z: 'Volume against its last 48 candles' }),
  ...of('oscillators', {
    rsi_14: 'RSI of 14 candles',
    z_score_20: 'Z-score of 20 candles',
    ultimate_oscillator: 'Ultimate Oscillator',
  }),
  ...of('trend', { ema_distance_20: 'Distance to the EMA 20', ema_distance_50: 'Distance to the EMA 50' }),
  ...of('volatility', { band_width_20: 'Width of the Bollinger bands' }),
  ...of('trend', { macd: 'MACD', macd_histogram: 'MACD histogram' }),
  ...of('volatility', {
    atr_14: 'Average true range of 14 candles',
    sigma_over_slow: 'Volatility against its slow level',
    log_sigma: 'Volatility level',
    log_sigma_slow: 'Volatility level, slow',
  }),
]

const DAY_MS = 86_400_000

/** The features of a timeframe in the order of their columns: no calendar on 1m, no hour from 1d on. */
export const featuresOf = (timeframe: Timeframe): readonly Feature[] => [
  ...PRICE_FEATURES,
  ...(timeframe !== '1m' && TIMEFRAME_MS[timeframe] < DAY_MS ? HOURS : []),
  ...(timeframe !== '1m' ? WEEKDAYS : []),
]

/** What is wrong with a choice of features, as a sentence that lists the known ones; null where nothing is. */
export function featureComplaint(timeframe: Timeframe, chosen: readonly string[]): string | null {
  const known = featuresOf(timeframe).map(({ name }) => name)
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
