import type { Model } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { commonSeries } from './compare-choice.tsx'

const model = (version: string, ...series: [string, string][]) =>
  ({ version, artifacts: series.map(([symbol, timeframe]) => ({ symbol, timeframe })) }) as Model

const models = [
  model('v3', ['BTCUSDT', '1h'], ['ETHUSDT', '1h'], ['BTCUSDT', '1h']),
  model('v4', ['BTCUSDT', '1h'], ['BTCUSDT', '4h']),
  model('v5', ['SOLUSDT', '1h']),
]

describe('the series that versions can be compared on', () => {
  it('are those that all of them are trained on, each once', () =>
    expect(commonSeries(models, ['v3', 'v4'])).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h' }]))
  it('are none where they have none in common', () => expect(commonSeries(models, ['v3', 'v5'])).toEqual([]))
})
