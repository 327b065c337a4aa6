import { describe, expect, it } from 'vitest'
import { assetsOf, modelLabel } from './use-parameters.ts'

describe('labels', () => {
  it('a model by version, stage and accuracy', () => {
    const stats = { accuracy: 0.573 }
    expect(modelLabel({ version: 'v3.2', stage: 'production', stats })).toBe('v3.2 · production · acc 57%')
  })
  it('a model without a stage says none, without an accuracy that it is not trained', () => {
    expect(modelLabel({ version: 'v4', stats: { accuracy: null } })).toBe('v4 · none · not trained')
  })
})

it('the assets of a symbol without a market come from its quote', () => {
  expect(assetsOf('BTCUSDT', undefined)).toEqual({ base: 'BTC', quote: 'USDT' })
})
