import type { ModelArtifact } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { evidenceWords, seriesWords } from './model-row.tsx'

const on = (symbol: string, timeframe: ModelArtifact['timeframe'] = '1h') => ({ symbol, timeframe })

describe('a model in words', () => {
  it('names its coin and timeframe, counts several coins, lists several timeframes', () => {
    expect(seriesWords([on('BTCUSDT')])).toBe('BTC, 1h')
    expect(seriesWords([on('BTCUSDT'), on('ETHUSDT')])).toBe('2 coins, 1h')
    expect(seriesWords([on('BTCUSDT'), on('BTCUSDT', '4h')])).toBe('BTC, 1h and 4h')
    expect(seriesWords([])).toBe('not trained yet')
  })
  it('holds its accuracy against its interval and the better naive rule', () =>
    expect(evidenceWords({ interval: [0.524, 0.621], baseline: 0.5149 })).toBe('95% CI 52.4–62.1 · baseline 51.5%'))
  it('has nothing to hold against where nothing was judged', () =>
    expect(evidenceWords({ interval: null, baseline: null })).toBeNull())
})
