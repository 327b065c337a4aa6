import { describe, expect, it } from 'vitest'
import { chanceNote, shortNames, verdictOf } from './version-names.ts'

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
  it('are told how many tests find something by chance: 1 of 20', () => {
    expect(chanceNote(2)).toBeNull()
    expect(chanceNote(20)).toContain('Of 20 tests, about 1 says')
  })
})
