import { describe, expect, it } from 'vitest'
import { datasetName, rangeOfDataset } from './use-datasets.ts'

const HOUR = 3_600_000

describe('a saved dataset', () => {
  it('is named by its series and rows', () => {
    expect(datasetName({ symbol: 'BTCUSDT', timeframe: '1h', rows: 4600 })).toBe('BTCUSDT 1h, 4,600 rows')
    expect(datasetName({ symbol: 'BTCUSDT', timeframe: '1d', rows: 1 })).toBe('BTCUSDT 1d, 1 row')
  })

  const dataset = { from: 0, to: 319 * HOUR, timeframe: '1h' } as const
  it('covers 720 candles with 320 rows: the 400 after it judge models', () =>
    expect(rangeOfDataset(dataset, 1000 * HOUR)).toEqual({ fromMs: 0, toMs: 720 * HOUR }))
  it('reaches no further than the market has come, and never ends before its rows do', () => {
    expect(rangeOfDataset(dataset, 500 * HOUR).toMs).toBe(500 * HOUR)
    expect(rangeOfDataset(dataset, 100 * HOUR).toMs).toBe(320 * HOUR)
  })
})
