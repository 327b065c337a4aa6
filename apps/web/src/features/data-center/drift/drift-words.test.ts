import type { SeriesDrift } from '@shapecast/contracts/drift'
import { describe, expect, it } from 'vitest'
import { chipWords, inUrgency, lossWords, mostUrgent } from './drift-words.ts'

const series = (symbol: string, decision: SeriesDrift['decision']): SeriesDrift => ({
  artifactId: symbol,
  hash: symbol,
  symbol,
  timeframe: '1h',
  decision,
  verdict: '',
  features: null,
  featuresNote: '',
  tests: [],
})

describe('drift in words', () => {
  it('reads a loss as a Brier score, or as the share that the range held', () => {
    expect(lossWords('nothing', 0.24961)).toBe('Brier 0.2496')
    expect(lossWords('range', 0.125)).toBe('87.5% held')
    expect(lossWords('range', null)).toBe('—')
  })

  it('warns of what is suspect or worse alone', () => {
    expect(chipWords('worse')?.label).toBe('worse than nothing')
    expect(chipWords('suspect')?.label).toBe('drift suspected')
    expect(chipWords('holds')).toBeNull()
    expect(chipWords('unknown')).toBeNull()
  })

  it('puts what is worse first, and what is not known last', () => {
    expect(mostUrgent(['holds', 'suspect', 'unknown'])).toBe('suspect')
    expect(mostUrgent([])).toBe('unknown')
    const sorted = inUrgency([series('BTC', 'unknown'), series('ETH', 'worse'), series('ADA', 'holds')])
    expect(sorted.map(({ symbol }) => symbol)).toEqual(['ETH', 'ADA', 'BTC'])
  })
})
