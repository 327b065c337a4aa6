import type { ModelArtifact } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { intervalWords, seriesWords } from './model-words.ts'

const on = (
  symbol: string,
  timeframe: ModelArtifact['timeframe'] = '1h',
  interval: [number, number] = [0.524, 0.621],
) => ({ symbol, timeframe, accuracy: { interval } }) as ModelArtifact

describe('a model in words', () => {
  it('names its coin and timeframe, counts several coins, lists several timeframes', () => {
    expect(seriesWords([on('BTCUSDT')])).toBe('BTC, 1h')
    expect(seriesWords([on('BTCUSDT'), on('ETHUSDT')])).toBe('2 coins, 1h')
    expect(seriesWords([on('BTCUSDT'), on('BTCUSDT', '4h')])).toBe('BTC, 1h and 4h')
    expect(seriesWords([])).toBe('not trained yet')
  })
  it('has the interval of its one series', () => expect(intervalWords([on('BTCUSDT')])).toBe('95% CI 52.4–62.1'))
  it('has the span of several', () =>
    expect(intervalWords([on('BTCUSDT'), on('ETHUSDT', '1h', [0.491, 0.58])])).toBe('95% CIs within 49.1–62.1'))
  it('has none without a training', () => expect(intervalWords([])).toBeNull())
})
