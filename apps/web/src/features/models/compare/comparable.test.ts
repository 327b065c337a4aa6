import type { Model } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { commonSeries, firstCompared } from './comparable.ts'

const model = (version: string, ...series: string[]) =>
  ({
    version,
    artifacts: series.map((one) => ({ symbol: one.split(' ')[0], timeframe: one.split(' ')[1] })),
  }) as Model

describe('the series that versions can be compared on', () => {
  const models = [
    model('v3', 'BTCUSDT 1h', 'ETHUSDT 1h', 'BTCUSDT 1h'),
    model('v4', 'BTCUSDT 1h', 'BTCUSDT 4h'),
    model('v5', 'SOLUSDT 1h'),
  ]
  it('are those that all of them are trained on, each once', () =>
    expect(commonSeries(models, ['v3', 'v4'])).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h' }]))
  it('are none where they have none in common', () => expect(commonSeries(models, ['v3', 'v5'])).toEqual([]))
})

describe('a comparison', () => {
  const models = [
    model('v3', 'BTCUSDT 1h', 'ETHUSDT 1h'),
    model('v2', 'SOLUSDT 1h'),
    model('v9'),
    model('v1', 'ETHUSDT 1h'),
  ]
  it('begins with the first two versions that have a series in common', () =>
    expect(firstCompared(models)).toEqual(['v3', 'v1']))
  it('begins with the version asked for, and another on one of its series', () =>
    expect(firstCompared(models, 'v1')).toEqual(['v1', 'v3']))
  it('begins with any other where that has none in common, which its page then says', () =>
    expect(firstCompared(models, 'v2')).toEqual(['v2', 'v3']))
  it('needs two that are trained', () => expect(firstCompared(models.slice(1, 3))).toEqual([]))
})
