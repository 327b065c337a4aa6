import { macd } from '@shapecast/engine/indicators/bands'
import { rsi, ultimateOscillator } from '@shapecast/engine/indicators/oscillators'
import { atr } from '@shapecast/engine/indicators/volatility'
import { describe, expect, it } from 'vitest'
import { generateCandles } from '../testing/generated-candles.ts'
import { featureNames } from './feature-columns.ts'
import { buildFeatureTable } from './feature-table.ts'
import { harInputNames } from './har-inputs.ts'

const N = 260
const START = Date.UTC(2025, 0, 1)
const candles = generateCandles({ candles: N, seed: 12, startMs: START })
// Two candles without a range, one of them without volume.
for (const i of [190, 191]) {
  for (const column of ['open', 'high', 'low'] as const) candles[column][i] = candles.close[i - 1]!
  candles.close[i] = candles.close[i - 1]!
}
candles.volume[191] = 0
const table = buildFeatureTable(candles, '1h')
const names = featureNames('1h')
const feature = (name: string, i: number): number => table.features[names.indexOf(name)]![i]!
const harNames = harInputNames('1h')
const harInput = (name: string, i: number): number => table.harInputs[harNames.indexOf(name)]![i]!

const { open, high, low, close, volume } = candles
const r = (i: number): number => Math.log(close[i]! / close[i - 1]!)
const last = (n: number, i: number, f: (k: number) => number): number[] =>
  Array.from({ length: n }, (_, k) => f(i - n + 1 + k))
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const deviation = (values: readonly number[]): number => Math.sqrt(mean(values.map((v) => (v - mean(values)) ** 2)))
/** √(Σ λᵏ r² / Σ λᵏ) over all returns since the beginning. */
const ewma = (lambda: number, i: number): number => {
  const weights = Array.from({ length: i }, (_, k) => lambda ** k)
  return Math.sqrt(sum(weights.map((w, k) => w * r(i - k) ** 2)) / sum(weights))
}
const relativeVolume = (i: number): number => Math.log(volume[i]! / mean(last(48, i, (k) => volume[k]!)) + 0.01)
/** The mean of ln close that gives each candle 2 / (n + 1) of what is left, from the mean of the first n on. */
const emaOfLog = (n: number, i: number): number => {
  let value = mean(last(n, n - 1, (k) => Math.log(close[k]!)))
  for (let k = n; k <= i; k++) value += (2 / (n + 1)) * (Math.log(close[k]!) - value)
  return value
}

describe.each([99, 150, 190, 191, 192, 259])('the formulas of model-recipe.md, worked out again at candle %i', (i) => {
  const sigma = ewma(0.97, i)
  const slow = ewma(0.995, i)

  it('σ and returns in its units', () => {
    expect(table.sigma[i]).toBeCloseTo(sigma, 12)
    for (const n of [1, 2, 3, 6, 12, 24])
      expect(feature(`return_${n}`, i)).toBeCloseTo(sum(last(n, i, r)) / (sigma * Math.sqrt(n)), 8)
  })

  it('volatility and its levels', () => {
    const moves = mean(last(24, i, (k) => Math.abs(r(k))))
    expect(feature('realised_volatility', i)).toBeCloseTo(Math.log(moves / sigma + 0.01), 8)
    expect(feature('sigma_over_slow', i)).toBeCloseTo(Math.log(sigma / slow), 8)
    expect(feature('log_sigma', i)).toBeCloseTo(Math.log(sigma), 8)
    expect(feature('log_sigma_slow', i)).toBeCloseTo(Math.log(slow), 8)
    expect(feature('atr_14', i)).toBeCloseTo(Math.log(table.atr[i]! / close[i]! / sigma + 0.01), 8)
  })

  it('the candle’s own shape, 0 where it has none', () => {
    const span = high[i]! - low[i]!
    expect(feature('range', i)).toBeCloseTo(Math.log(high[i]! / low[i]!) / sigma, 8)
    expect(feature('close_in_range', i)).toBeCloseTo(span > 0 ? (close[i]! - low[i]!) / span - 0.5 : 0, 8)
    expect(feature('body', i)).toBeCloseTo(span > 0 ? (close[i]! - open[i]!) / span : 0, 8)
  })

  it('volume against two days of itself', () => {
    const scores = last(48, i, relativeVolume)
    expect(feature('volume_z', i)).toBeCloseTo((relativeVolume(i) - mean(scores)) / deviation(scores), 6)
  })

  it('place in the band, and distance to the averages', () => {
    const logs = last(20, i, (k) => Math.log(close[k]!))
    expect(feature('z_score_20', i)).toBeCloseTo((Math.log(close[i]!) - mean(logs)) / deviation(logs), 6)
    expect(feature('band_width_20', i)).toBeCloseTo(Math.log(deviation(logs) / sigma + 0.01), 6)
    for (const n of [20, 50])
      expect(feature(`ema_distance_${n}`, i)).toBeCloseTo(
        (Math.log(close[i]!) - emaOfLog(n, i)) / (sigma * Math.sqrt(n)),
        6,
      )
  })

  it('the indicators, with their usual periods', () => {
    const { macd: line, histogram } = macd(close.map(Math.log))
    expect(table.atr[i]).toBeCloseTo(atr(high, low, close, 14)[i]!, 8)
    expect(feature('rsi_14', i)).toBeCloseTo(rsi(close, 14)[i]!, 8)
    expect(feature('ultimate_oscillator', i)).toBeCloseTo(ultimateOscillator(high, low, close)[i]!, 8)
    expect(feature('macd', i)).toBeCloseTo(line[i]! / sigma, 6)
    expect(feature('macd_histogram', i)).toBeCloseTo(histogram[i]! / sigma, 6)
  })

  it('the clock', () => {
    const date = new Date(START + i * 3_600_000)
    const hour = (2 * Math.PI * date.getUTCHours()) / 24
    const day = (2 * Math.PI * ((date.getUTCDay() + 6) % 7)) / 7
    expect(feature('hour_sin', i)).toBeCloseTo(Math.sin(hour), 12)
    expect(feature('hour_cos', i)).toBeCloseTo(Math.cos(hour), 12)
    expect(feature('weekday_sin', i)).toBeCloseTo(Math.sin(day), 12)
    expect(feature('weekday_cos', i)).toBeCloseTo(Math.cos(day), 12)
    for (let h = 1; h < 24; h++) expect(harInput(`hour_${h}`, i)).toBe(date.getUTCHours() === h ? 1 : 0)
    expect(harInput('weekend', i)).toBe([0, 6].includes(date.getUTCDay()) ? 1 : 0)
  })

  it('the volatility model’s means of past moves, no smaller than 0.02 σ', () => {
    for (const n of [1, 4, 12, 24, 96])
      expect(harInput(`log_mean_abs_${n}`, i)).toBeCloseTo(
        Math.log(Math.max(mean(last(n, i, (k) => Math.abs(r(k)))), 0.02 * sigma)),
        8,
      )
    expect(harInput('log_sigma', i)).toBeCloseTo(Math.log(sigma), 8)
    expect(harInput('log_sigma_slow', i)).toBeCloseTo(Math.log(slow), 8)
    expect(harInput('log_range', i)).toBeCloseTo(Math.log(Math.max(Math.log(high[i]! / low[i]!), 0.02 * sigma)), 8)
    expect(harInput('log_atr', i)).toBeCloseTo(Math.log(table.atr[i]! / close[i]!), 8)
    expect(harInput('volume_z', i)).toBeCloseTo(feature('volume_z', i), 12)
  })
})
