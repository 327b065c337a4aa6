import { describe, expect, it } from 'vitest'
import { chanceNote, pairWords, shortNames, verdictOf } from './comparable.ts'

describe('versions in a comparison', () => {
  it('have short names under a plot, each its own', () =>
    expect(shortNames(['v3', 'shape-catcher', 'shape-seeker', 'v3.1.2'])).toEqual([
      'v3',
      'shape…',
      'shape…2',
      'v3.1.2',
    ]))
  it('keep their names where a verdict begins with one', () => {
    expect(verdictOf('v3 is better (p = 0.018)', ['v3', 'v4'])).toBe('v3 is better (p = 0.018).')
    expect(verdictOf('no difference beyond chance', ['v3', 'v4'])).toBe('No difference beyond chance.')
  })
  it('are called better only in what a test tells apart', () => {
    const test = (pValue: number, meanDifference: number) => ({
      ...{ outcomes: 400, meanDifference, interval: [-1, 1] as [number, number] },
      ...{ statistic: 0, pValue, verdict: '' },
    })
    const pair = (direction: number, range: number) => ({
      ...{ a: 'v3', b: 'v4', logLoss: test(direction, -0.1), pinball: test(range, 0.1), errorCorrelation: 0.5 },
    })
    expect(pairWords(pair(0.3, 0.05))).toMatch(/^v3 and v4 cannot be told apart/)
    expect(pairWords(pair(0.01, 0.01))).toBe('v3 and v4: v3 is better in direction, v4 is better in range.')
    expect(pairWords(pair(0.3, 0.01))).toBe('v3 and v4: in direction they cannot be told apart, v4 is better in range.')
  })
  it('are told how many tests find something by chance: 1 of 20', () => {
    expect(chanceNote(2)).toBeNull()
    expect(chanceNote(20)).toContain('Of 20 tests, about 1 says')
  })
})
