import type { FeatureImportance, LossIncrease } from '@shapecast/contracts/importance'
import { describe, expect, it } from 'vitest'
import { barRows, formatGrowth, measureWords, toneOf, whyNothing } from './importance-card.tsx'

const grown = (mean: number, reach: number): LossIncrease => ({ mean, interval: [mean - reach, mean + reach] })
const item = (name: string, fan: LossIncrease, direction: LossIncrease) => ({
  name,
  label: name.toUpperCase(),
  pinballBps: fan,
  logLoss: direction,
})
const ITEMS = [
  item('a', grown(0.5, 1), grown(0.02, 0.01)),
  item('b', grown(2.787, 1.404), grown(0, 0)),
  item('c', grown(-0.3, 0.1), grown(-0.001, 0.002)),
]

describe('the bars of what a model looks at', () => {
  it('stand in the order of the loss that is looked at', () => {
    expect(barRows(ITEMS, 'fan').map(({ key }) => key)).toEqual(['b', 'a', 'c'])
    expect(barRows(ITEMS, 'direction').map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  })
  it('are quiet and say so where their interval holds 0', () => {
    expect(barRows(ITEMS, 'fan').map(({ tone, note }) => [tone, note])).toEqual([
      ['plain', ''],
      ['quiet', 'may be none'],
      ['against', 'better without it'],
    ])
    expect(toneOf(grown(0, 0))).toBe('quiet')
  })
  it('are told in figures to those who cannot see them', () =>
    expect(barRows(ITEMS, 'fan')[0]!.cells).toEqual(['B', '+2.79 bps', '+1.38 to +4.19', 'matters']))
})

describe('the words', () => {
  it('give the fan bps and the direction four decimals', () => {
    expect(formatGrowth(0.381, 'fan')).toBe('+0.38 bps')
    expect(formatGrowth(-0.0015, 'direction')).toBe('−0.0015')
  })
  it('name the loss that grows, with what it is now', () => {
    const importance = { baseline: { pinballBps: 32.8256, logLoss: 0.64518 }, horizon: 4 } as FeatureImportance
    expect(measureWords(importance, 'fan')).toContain('(32.83 bps)')
    expect(measureWords(importance, 'direction')).toMatch(/4 candles ahead .*\(0\.6452\)/)
  })
})

it('says why there is nothing to show yet', () => {
  expect(whyNothing(null)).toMatch(/^Not measured yet/)
  expect(whyNothing({ status: 'running', error: null })).toMatch(/being measured/)
  expect(whyNothing({ status: 'failed', error: 'There are none.' })).toBe('There are none.')
})
