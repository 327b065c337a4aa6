import { describe, expect, it } from 'vitest'
import { askedFeatures, chosenOf, featureOptions, featureWords, press } from './feature-field.tsx'

describe('the features to learn from', () => {
  it('are all, and then not asked for by name', () => {
    expect(featureWords('1h', null)).toBe('All 27 features')
    expect(featureWords('1m', null)).toBe('All 23 features')
    expect(askedFeatures('1h', null)).toBeUndefined()
    expect(askedFeatures('1h', chosenOf('1h', null))).toBeUndefined()
  })

  it('are counted, or named where it is one', () => {
    expect(featureWords('1h', ['macd', 'body'])).toBe('2 of 27 features')
    expect(featureWords('1h', ['rsi_14'])).toBe('RSI of 14 candles')
    expect(featureWords('1h', [])).toBe('No feature')
  })

  it('leave out what another timeframe does not have', () => {
    expect(askedFeatures('1h', ['hour_sin', 'macd'])).toEqual(['macd', 'hour_sin'])
    expect(askedFeatures('1d', ['hour_sin', 'macd'])).toEqual(['macd'])
  })

  it('come in groups: Returns has six', () => {
    const options = featureOptions('1h', null)
    const at = options.findIndex(({ key }) => key === 'group:returns')
    expect(options[at]!.label).toBe('Returns')
    expect(
      options.slice(at + 1, at + 7).every(({ key, level }) => level === 'feature' && key.startsWith('return_')),
    ).toBe(true)
    expect(options.filter(({ level }) => level === 'feature')).toHaveLength(27)
    expect(options.filter(({ level }) => level === 'group').map(({ label }) => label)).toEqual([
      'Returns',
      'Volatility',
      'Candle shape',
      'Volume',
      'Oscillators',
      'Trend',
      'Calendar',
    ])
  })
})

describe('pressing an option', () => {
  it('takes a feature out and in again, and all is null again', () => {
    const without = press('1h', null, 'macd')
    expect(without).toHaveLength(26)
    expect(without).not.toContain('macd')
    expect(press('1h', without, 'macd')).toBeNull()
  })
  it('takes all out, and then one group in', () => {
    expect(press('1h', null, 'all')).toEqual([])
    expect(press('1h', [], 'group:oscillators')).toEqual(['rsi_14', 'z_score_20', 'ultimate_oscillator'])
  })
  it('completes a group that was chosen in part, and says which are', () => {
    const part = ['rsi_14', 'macd']
    expect(featureOptions('1h', part).find(({ key }) => key === 'group:oscillators')!.state).toBe('partly')
    expect(press('1h', part, 'group:oscillators')).toEqual(['rsi_14', 'z_score_20', 'ultimate_oscillator', 'macd'])
  })
})
