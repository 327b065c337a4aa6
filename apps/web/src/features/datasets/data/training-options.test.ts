import { describe, expect, it } from 'vitest'
import { checkOptions, DEFAULT_OPTIONS } from './training-options.tsx'

describe('training options', () => {
  it('are v3 and the recipe as it is', () =>
    expect(checkOptions(DEFAULT_OPTIONS, '1h')).toEqual({ version: 'v3', params: {}, errors: {} }))
  it('leave an emptied field to the recipe', () =>
    expect(checkOptions({ version: ' v4 ', params: { epochs: null, seed: 7 }, features: null }, '1h')).toEqual({
      version: 'v4',
      params: { seed: 7 },
      errors: {},
    }))
  it('say which field is out of its limits', () => {
    const errors = (params: typeof DEFAULT_OPTIONS.params) => checkOptions({ ...DEFAULT_OPTIONS, params }, '1h').errors
    expect(errors({ epochs: 101 })).toEqual({ epochs: 'Must be 1 to 100' })
    expect(errors({ lookback: 7.5 })).toEqual({ lookback: 'Must be 8 to 120' })
    expect(errors({ transformerWidth: 33 })).toEqual({ transformerWidth: 'Must be 8 to 64, even' })
    expect(errors({ transformerLayers: 5 })).toEqual({ transformerLayers: 'Must be 1 to 4' })
    expect(errors({ transformerWidth: 64, transformerLayers: 4 })).toEqual({})
  })
  it('name the features only where some are left out, and want one', () => {
    const checked = (features: readonly string[] | null) => checkOptions({ ...DEFAULT_OPTIONS, features }, '1d')
    expect(checked(null).params).toEqual({})
    expect(checked(['macd', 'body']).params).toEqual({ features: ['body', 'macd'] })
    expect(checked([]).errors).toEqual({ features: 'Choose at least one feature' })
    // A day has no hour.
    expect(checked(['hour_sin']).errors).toEqual({ features: 'Choose at least one feature' })
  })
  it('want a version that is a short name', () => {
    expect(checkOptions({ ...DEFAULT_OPTIONS, version: '' }, '1h').errors.version).toMatch(/short name such as v3/)
  })
})
