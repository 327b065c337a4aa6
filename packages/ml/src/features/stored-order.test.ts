import { describe, expect, it } from 'vitest'
import { generateCandles } from '../testing/generated-candles.ts'
import { buildFeatureTable } from './feature-table.ts'

/** Of candle 399, in the order in which every stored model has its columns. */
const FEATURES: [name: string, value: number][] = [
  ['return_1', -0.5488154649],
  ['return_2', -0.1625472265],
  ['return_3', -0.1003561032],
  ['return_6', -0.183809432],
  ['return_12', 0.00308240543],
  ['return_24', -0.04988240507],
  ['realised_volatility', -1.06494594],
  ['range', 0.6782175016],
  ['close_in_range', -0.5],
  ['body', -0.8090106514],
  ['volume_z', 0.3278144174],
  ['rsi_14', 46.50433994],
  ['z_score_20', -0.8960898528],
  ['ultimate_oscillator', 30.49067626],
  ['ema_distance_20', -0.1061841322],
  ['ema_distance_50', 0.09333723411],
  ['band_width_20', -0.933035378],
  ['macd', -0.03265376794],
  ['macd_histogram', -0.0823940904],
  ['atr_14', -0.463373985],
  ['sigma_over_slow', -0.2129135733],
  ['log_sigma', -5.608092967],
  ['log_sigma_slow', -5.395179394],
  ['hour_sin', -0.8660254038],
  ['hour_cos', 0.5],
  ['weekday_sin', 0],
  ['weekday_cos', 1],
]
const HAR_INPUTS: [name: string, value: number][] = [
  ['log_mean_abs_1', -6.208085991],
  ['log_mean_abs_4', -6.765570093],
  ['log_mean_abs_12', -6.934011311],
  ['log_mean_abs_24', -6.702474744],
  ['log_mean_abs_96', -5.755638349],
  ['log_sigma', -5.608092967],
  ['log_sigma_slow', -5.395179394],
  ['log_range', -5.996380211],
  ['log_atr', -6.087488897],
  ['volume_z', 0.3278144174],
  ['hour_1', 0],
  ['hour_2', 0],
  ['hour_3', 0],
  ['hour_4', 0],
  ['hour_5', 0],
  ['hour_6', 0],
  ['hour_7', 0],
  ['hour_8', 0],
  ['hour_9', 0],
  ['hour_10', 0],
  ['hour_11', 0],
  ['hour_12', 0],
  ['hour_13', 0],
  ['hour_14', 0],
  ['hour_15', 0],
  ['hour_16', 0],
  ['hour_17', 0],
  ['hour_18', 0],
  ['hour_19', 0],
  ['hour_20', 1],
  ['hour_21', 0],
  ['hour_22', 0],
  ['hour_23', 0],
  ['weekend', 0],
]

describe('the columns that stored models rest on', () => {
  const table = buildFeatureTable(generateCandles({ candles: 400, seed: 7, startMs: Date.UTC(2025, 2, 8, 5) }), '1h')

  it.each([
    ['features', table.names, table.features, FEATURES],
    ['volatility inputs', table.harNames, table.harInputs, HAR_INPUTS],
  ] as const)('keeps the order and the numbers of the %s', (_what, names, columns, expected) => {
    expect(names).toEqual(expected.map(([name]) => name))
    for (const [c, [name, value]] of expected.entries()) expect(columns[c]![399], name).toBeCloseTo(value, 8)
  })
})
