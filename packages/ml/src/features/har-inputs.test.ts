import { describe, expect, it } from 'vitest'
import { featuresBehind, harInputNames, harInputsBeside } from './har-inputs.ts'

const dummies = (timeframe: Parameters<typeof harInputNames>[0]): string[] =>
  harInputNames(timeframe).filter((name) => /^(hour_|weekend)/.test(name))

describe('inputs of the volatility model', () => {
  it('have a dummy for every hour at which a candle opens but midnight, and for the weekend', () => {
    const hours = Array.from({ length: 23 }, (_, i) => `hour_${i + 1}`)
    expect(dummies('15m')).toEqual([...hours, 'weekend'])
    expect(dummies('1h')).toEqual([...hours, 'weekend'])
    expect(dummies('4h')).toEqual(['hour_4', 'hour_8', 'hour_12', 'hour_16', 'hour_20', 'weekend'])
    expect(dummies('1d')).toEqual(['weekend'])
    expect(dummies('1m')).toEqual([])
  })

  it('go with the features that are made from the same numbers; the means of past moves with none', () => {
    expect(featuresBehind('hour_7')).toEqual(['hour_sin', 'hour_cos'])
    expect(featuresBehind('weekend')).toEqual(['weekday_sin', 'weekday_cos'])
    expect(featuresBehind('log_atr')).toEqual(['atr_14'])
    expect(featuresBehind('log_mean_abs_24')).toEqual([])
    const means = ['log_mean_abs_1', 'log_mean_abs_4', 'log_mean_abs_12', 'log_mean_abs_24', 'log_mean_abs_96']
    expect(harInputsBeside('1h', [])).toEqual(means)
    expect(harInputsBeside('1h', ['range', 'weekday_cos'])).toEqual([...means, 'log_range', 'weekend'])
  })
})
