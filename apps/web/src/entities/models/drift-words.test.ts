import type { FeatureDrift, SeriesDrift } from '@shapecast/contracts/drift'
import { describe, expect, it } from 'vitest'
import { chipWords, inUrgency, mostUrgent, plainDrift, scoreWords } from './drift-words.ts'

const series = (symbol: string, decision: SeriesDrift['decision']): SeriesDrift => ({
  artifactId: symbol,
  hash: symbol,
  symbol,
  timeframe: '1h',
  decision,
  verdict: '',
  features: null,
  featuresNote: '',
  test: null,
})

describe('drift in words', () => {
  it('says the score and what it is held against, and nothing before the first outcome', () => {
    const test = { outcomes: 1200, e: 1, largestE: 2, crossedAt: null, mean: 0.24961, bar: 0.25, path: [] }
    expect(scoreWords({ ...test, against: 'climatology' })).toBe(
      'Brier score 0.2496 over 1,200 outcomes; that of knowing nothing is 0.2500.',
    )
    expect(scoreWords({ ...test, against: 'holdout', bar: 0.245 })).toContain(
      'the most that its hold-out allows is 0.2450',
    )
    expect(scoreWords({ ...test, against: 'holdout', mean: null, bar: null })).toBeNull()
  })

  it('warns of what is suspect or worse, and of features that drift, alone or beside it', () => {
    const label = (decision: SeriesDrift['decision'], featuresDrift: boolean | null) =>
      chipWords({ decision, featuresDrift })?.label
    expect(label('worse', null)).toBe('worse than nothing')
    expect(label('suspect', false)).toBe('drift suspected')
    expect(label('holds', false)).toBeUndefined()
    expect(label('unknown', null)).toBeUndefined()
    expect(label('holds', true)).toBe('features drift')
    expect(chipWords({ decision: 'suspect', featuresDrift: true })?.title).toContain('and its features have left')
  })

  it('puts what is worse first, and what is not known last', () => {
    const of = (decision: SeriesDrift['decision'], featuresDrift: boolean | null) => ({ decision, featuresDrift })
    expect(mostUrgent([of('holds', null), of('suspect', false), of('unknown', true)])).toEqual(of('suspect', true))
    expect(mostUrgent([])).toEqual(of('unknown', false))
    const sorted = inUrgency([series('BTC', 'unknown'), series('ETH', 'worse'), series('ADA', 'holds')])
    expect(sorted.map(({ symbol }) => symbol)).toEqual(['ETH', 'ADA', 'BTC'])
  })
})

it('says in plain words whether the market has changed, and what to do then', () => {
  const features = (part: { shifted: number; drifts: boolean }) =>
    ({ ...part, shiftedByChance: 13, features: Array.from({ length: 23 }) }) as unknown as FeatureDrift
  expect(plainDrift({ decision: 'unknown', features: features({ shifted: 1, drifts: false }) })).toBe(
    'No live forecast has had its outcome yet. 1 of 23 inputs look unlike training; by chance up to 13 do.',
  )
  expect(plainDrift({ decision: 'holds', features: features({ shifted: 18, drifts: true }) })).toMatch(
    /^Nothing says that it got worse\. The market has changed: 18 of 23 .* Train it again/,
  )
  expect(plainDrift({ decision: 'worse', features: null })).toContain('before you trade on it')
})
