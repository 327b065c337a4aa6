import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { afterAll, expect, it } from 'vitest'
import { compose } from '../src/compose.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'

const HOUR = 3_600_000
const ALL = generateCandles({ candles: 1504, seed: 8 })
const series: Record<string, Candles> = {}
let clockMs = 0

/** The market right after candle `i` has closed. */
const at = (i: number) => {
  series['BTCUSDT 1h'] = sliceCandles(ALL, 0, i + 1)
  clockMs = ALL.ts[i]! + HOUR + 1_500
}

at(1500)
const venue = { ...memoryVenue(series), now: async () => clockMs }
const bench = await createPartsBench(venue, () => clockMs)
await addQuickModel(bench.db, 'v3', 'BTCUSDT', MODEL_CANDLES)
afterAll(() => bench.close())

it('seals the candle that closed before the start, and each that closes after it, once', async () => {
  const { db, queue } = bench
  const deps = { db, queue, venue, log: silentLogger(), now: () => clockMs }
  const sealed = async () => {
    const { rows } = await db.pool.query('select candle_ts from trading.sealed_predictions order by seq')
    return rows.map(({ candle_ts }) => ALL.ts.indexOf(Number(candle_ts)))
  }
  const process = compose(deps)
  const feed = process.feed({ tryEveryMs: 50 })
  const worker = await process.worker()
  try {
    await eventually(async () => expect(await sealed()).toEqual([1500]))
    at(1501)
    await eventually(async () => expect(await sealed()).toEqual([1500, 1501]))
    at(1503)
    await eventually(async () => expect(await sealed()).toEqual([1500, 1501, 1503]))
  } finally {
    await feed.stop()
    await worker.stop()
  }
})
