import { describe, expect, it } from 'vitest'
import { checkOptions, DEFAULT_OPTIONS } from './training-options.tsx'

describe('training options', () => {
  it('are v3 and the recipe as it is', () =>
    expect(checkOptions(DEFAULT_OPTIONS)).toEqual({ version: 'v3', params: {}, errors: {} }))
  it('leave an emptied field to the recipe', () =>
    expect(checkOptions({ version: ' v4 ', params: { epochs: null, seed: 7 } })).toEqual({
      version: 'v4',
      params: { seed: 7 },
      errors: {},
    }))
  it('say which field is out of its limits', () => {
    expect(checkOptions({ version: 'v3', params: { epochs: 101 } }).errors).toEqual({ epochs: 'Must be 1 to 100' })
    expect(checkOptions({ version: 'v3', params: { lookback: 7.5 } }).errors).toEqual({ lookback: 'Must be 8 to 120' })
  })
  it('want a version that is a short name', () => {
    expect(checkOptions({ version: '', params: {} }).errors.version).toMatch(/short name such as v3/)
  })
})
