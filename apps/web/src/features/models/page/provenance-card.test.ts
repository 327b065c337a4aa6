import { featuresOf } from '@shapecast/contracts/features'
import { describe, expect, it } from 'vitest'
import { featuresLearnt } from './provenance-card.tsx'

describe('the features that an artifact has learnt from', () => {
  it('are told in a word where they are all', () =>
    expect(featuresLearnt({ timeframe: '1d', features: featuresOf('1d').map(({ name }) => name) })).toBe('All 25'))
  it('are named by what they mean where they are some', () =>
    expect(featuresLearnt({ timeframe: '1h', features: ['rsi_14', 'macd'] })).toBe('2 of 27: RSI of 14 candles, MACD'))
  it('are told by their group where all of it is among them', () => {
    const oscillators = ['rsi_14', 'z_score_20', 'ultimate_oscillator']
    expect(featuresLearnt({ timeframe: '1h', features: ['volume_z', ...oscillators, 'macd'] })).toBe(
      '5 of 27: Volume against its last 48 candles, all of Oscillators, MACD',
    )
  })
})
