import { AppError } from '@shapecast/contracts/errors'
import { featuresOf } from '@shapecast/contracts/features'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS, settingsFor } from '../recipe/settings.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { chosenFeatures } from './chosen-features.ts'
import { featureNames } from './feature-columns.ts'
import { buildFeatureTable } from './feature-table.ts'
import { harInputNames, harInputsBeside } from './har-inputs.ts'

const refusal = (run: () => unknown): AppError => {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

describe('the features of a timeframe', () => {
  it('are 27 on hours, 23 on minutes, 25 on days, each with a meaning of its own', () => {
    expect(['1h', '1m', '1d'].map((timeframe) => featureNames(timeframe as '1h').length)).toEqual([27, 23, 25])
    for (const timeframe of TIMEFRAMES) {
      const known = featuresOf(timeframe)
      expect(new Set(known.map(({ name }) => name)).size).toBe(known.length)
      expect(new Set(known.map(({ label }) => label)).size).toBe(known.length)
    }
  })
})

describe('chosen features', () => {
  it('are all where none are named, and else stand in the order of their columns', () => {
    expect(chosenFeatures('1h')).toEqual(featureNames('1h'))
    expect(chosenFeatures('1h', ['volume_z', 'return_1'])).toEqual(['return_1', 'volume_z'])
  })

  it('are refused with a list of the known ones where one is unknown on the timeframe', () => {
    const { code, message, field } = refusal(() => chosenFeatures('1d', ['return_1', 'hour_sin', 'rsi']))
    expect({ code, field }).toEqual({ code: 'bad_input', field: 'features' })
    expect(message).toMatch(/^There is no feature named hour_sin, rsi on 1d\. Known are return_1, .*, weekday_cos\.$/)
  })

  it('are at least one, each once', () => {
    expect(refusal(() => chosenFeatures('1h', [])).message).toMatch(/^Choose at least one feature\./)
    expect(refusal(() => chosenFeatures('1h', ['macd', 'macd'])).message).toMatch(/^Name each feature once\./)
  })

  it('take the volatility inputs that say the same with them, but for the past moves', () => {
    const moves = [1, 4, 12, 24, 96].map((n) => `log_mean_abs_${n}`)
    expect(harInputsBeside('1h', featureNames('1h'))).toEqual(harInputNames('1h'))
    expect(harInputsBeside('1h', ['return_1'])).toEqual(moves)
    expect(harInputsBeside('1h', ['volume_z', 'atr_14'])).toEqual([...moves, 'log_atr', 'volume_z'])
    expect(harInputsBeside('4h', ['hour_cos', 'weekday_sin'])).toEqual([
      ...moves,
      ...[4, 8, 12, 16, 20].map((hour) => `hour_${hour}`),
      'weekend',
    ])
  })

  it('are the same columns that they are among all', () => {
    const candles = generateCandles({ candles: 300, seed: 8 })
    const [all, some] = [buildFeatureTable(candles, '1h'), buildFeatureTable(candles, '1h', ['rsi_14', 'range'])]
    expect(some.names).toEqual(['range', 'rsi_14'])
    some.names.forEach((name, c) => {
      expect(some.features[c], name).toEqual(all.features[all.names.indexOf(name)])
    })
    expect(some.harNames).toContain('log_range')
    some.harNames.forEach((name, c) => {
      expect(some.harInputs[c], name).toEqual(all.harInputs[all.harNames.indexOf(name)])
    })
  })
})

describe('the settings of a training', () => {
  it('do not name the features where they are all, in whatever order they were given', () => {
    expect(settingsFor('1h', {})).toEqual(DEFAULT_SETTINGS)
    expect(settingsFor('1h', { features: featureNames('1h').reverse() })).toEqual(DEFAULT_SETTINGS)
    expect(settingsFor('1h', { features: ['macd', 'body'] }).features).toEqual(['body', 'macd'])
  })

  it('want a width that divides into its heads', () => {
    expect(refusal(() => settingsFor('1h', { transformerWidth: 9 }))).toMatchObject({ field: 'transformerWidth' })
    expect(settingsFor('1h', { transformerWidth: 24, transformerLayers: 4 })).toMatchObject({ transformerWidth: 24 })
  })
})
