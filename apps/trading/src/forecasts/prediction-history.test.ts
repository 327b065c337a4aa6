import type { PredictionRow } from '@shapecast/contracts/predictions'
import { type Candles, candlesFromRows, sliceCandles } from '@shapecast/engine/candles'
import type { ModelTraits } from '@shapecast/ml/forecast/model-traits'
import type { Predictions } from '@shapecast/ml/forecast/predictions'
import pLimit from 'p-limit'
import { beforeEach, describe, expect, it } from 'vitest'
import { type HistoryRange, predictionHistory } from './prediction-history.ts'
import type { StoredRow } from './prediction-store.ts'

const HOUR = 3_600_000
/** Candle i opened i hours after `ts(0)`, and its close is 100 + i. */
const ts = (i: number) => 1_735_689_600_000 + i * HOUR
const candlesOf = (hours: readonly number[], close = (i: number) => 100 + i): Candles =>
  candlesFromRows(hours.map((i) => [ts(i), 100, 200, 50, close(i), 1]))
const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

let market: Candles
let kept: Map<number, StoredRow>
let live: PredictionRow[]
/** Hours of the candles that were forecast. */
let made: number[]
const hourOf = (ms: number) => (ms - ts(0)) / HOUR

/** A forecast rests on a candle and the two before it: its confidence is the sum of their closes. */
async function predict(candles: Candles, { from, to }: { from: number; to: number }): Promise<Predictions> {
  const rows = Array.from({ length: to - from }, (_, k) => from + k)
  made.push(...rows.map((i) => hourOf(candles.ts[i]!)))
  const sum = (i: number) => (i < 2 ? Number.NaN : candles.close[i - 2]! + candles.close[i - 1]! + candles.close[i]!)
  const same = Float64Array.from(rows, sum)
  return {
    signal: new Int8Array(rows.length),
    confidence: same,
    medians: { lstm: same, transformer: same },
    stopLoss: same,
    edgeBps: same,
  } as Partial<Predictions> as Predictions
}

const history = async (range: Partial<HistoryRange>) => {
  made = []
  return predictionHistory(
    {
      candles: {
        load: async (_symbol, _timeframe, { toMs = Number.POSITIVE_INFINITY, limit = 0 }) => {
          const to = market.ts.findLastIndex((at) => at <= toMs) + 1
          return sliceCandles(market, Math.max(0, to - limit), to)
        },
      },
      store: {
        read: async (_id, from, to) => [...kept.values()].filter((row) => row.ts >= from && row.ts <= to),
        keep: (_id, rows) => {
          for (const row of rows) kept.set(row.ts, row)
        },
      },
      sealed: { rows: async () => live, coverage: async () => [] },
      inTurn: pLimit(1),
      keepFailed: () => {},
      now: () => 7,
    },
    { symbol: 'BTCUSDT', timeframe: '1h' },
    {
      version: 'v3',
      artifactId: 'a',
      hash: 'h',
      predictor: {
        historyCandles: 2,
        predict,
        close: async () => {},
        traits: { horizons: 2, seen: { from: ts(3), to: ts(8), basis: 'trained' } } as ModelTraits,
      },
    },
    { fromMs: 0, toMs: undefined, limit: 3, ...range },
  )
}
const confidences = (rows: readonly PredictionRow[]) => rows.map(({ confidence }) => confidence)

beforeEach(() => {
  market = candlesOf(TEN)
  kept = new Map()
  live = []
})

describe('the history of predictions', () => {
  it('is made of the newest candles once: 105 + 106 + 107 and so on, and only what is missing of a longer one', async () => {
    expect(confidences(await history({}))).toEqual([318, 321, 324])
    expect(made).toEqual([7, 8, 9])
    await history({})
    expect(made).toEqual([])
    expect(confidences(await history({ limit: 5 }))).toEqual([312, 315, 318, 321, 324])
    expect(made).toEqual([5, 6])
    await history({ limit: 9, toMs: ts(8) })
    expect(made).toEqual([0, 1, 2, 3, 4])
    // All that there is, from the very first candle on.
    expect(await history({ limit: 10 })).toHaveLength(8)
    expect(made).toEqual([])
  })

  it('is made again for the three forecasts that rest on a candle which changed, though none of its own is kept', async () => {
    await history({})
    // Of candles 7, 8, 9 the first alone rests on 5, and none on 4.
    market = candlesOf(TEN, (i) => (i === 5 ? 205 : 100 + i))
    expect(confidences(await history({}))).toEqual([418, 321, 324])
    expect(made).toEqual([7])
    await history({})
    expect(made).toEqual([])
    market = candlesOf(TEN, (i) => (i === 4 ? 204 : i === 5 ? 205 : 100 + i))
    await history({})
    expect(made).toEqual([])
    market = candlesOf(TEN, (i) => (i === 8 ? 1 : i === 4 ? 204 : i === 5 ? 205 : 100 + i))
    await history({})
    expect(made).toEqual([8, 9])
  })

  it('is made again where a candle comes late into a hole, from the one after it on', async () => {
    market = candlesOf(TEN.filter((i) => i !== 7))
    expect(confidences(await history({}))).toEqual([105 + 106 + 104, 106 + 108 + 105, 106 + 108 + 109])
    market = candlesOf(TEN)
    expect(confidences(await history({}))).toEqual([318, 321, 324])
    expect(made).toEqual([7, 8, 9])
  })

  it('says what was learnt from: outcomes two candles ahead within 3 … 8, so forecasts of 3 … 6', async () => {
    const rows = await history({ limit: 10 })
    expect(rows.map(({ timestamp }) => hourOf(timestamp))).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(rows.filter(({ trainedOn }) => trainedOn).map(({ timestamp }) => hourOf(timestamp))).toEqual([3, 4, 5, 6])
    expect(rows[0]).toMatchObject({ aligned_ts: ts(3), madeAt: 7, source: 'backfilled', current_price: 102 })
  })

  it('shows what was sealed as it was', async () => {
    await history({})
    const [row] = await history({ toMs: ts(8), limit: 1 })
    live = [{ ...row!, source: 'live', confidence: 0.6 }]
    expect((await history({})).map(({ source, confidence }) => [source, confidence])).toEqual([
      ['backfilled', 318],
      ['live', 0.6],
      ['backfilled', 324],
    ])
  })
})
