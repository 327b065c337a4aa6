/**
 * Milliseconds to get 500,000 stored 1m candles as columns: by binary COPY, out of the cache, and as rows through the
 * driver (what most programs do) turned into the same columns. Then the reads of a chart.
 *
 *   node bench/candle-reads.ts
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Candles, candlesFromRows } from '@shapecast/engine/candles'
import { importFile } from '@shapecast/trading/market/import-file'
import { readCandles } from '@shapecast/trading/market/read-candles'
import { seriesOfSymbol } from '@shapecast/trading/market/series-store'
import { createStoredCandles } from '@shapecast/trading/market/stored-candles'
import { randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { withBenchDatabase } from './lib/bench-database.ts'
import { median } from './lib/rounds.ts'

const WANTED = 500_000
const STORED = 1_020_000

await withBenchDatabase(async ({ db, folder }) => {
  const path = join(folder, 'candles.csv')
  const all = randomCandles(STORED, Date.UTC(2021, 0, 1), '1m')
  writeFileSync(path, shapecastCsv(all))
  await importFile({ db }, { path, symbol: 'BTCUSDT', timeframe: '1m' })
  const [series] = await seriesOfSymbol(db.orm, 'replay', 'BTCUSDT')
  const fromMs = all.ts[STORED - WANTED]!
  const id = series!.id

  const cached = createStoredCandles(db)
  const uncached = createStoredCandles(db, { cacheBytes: 0 })
  const read = (limit: number, timeframe: '1m' | '1h' = '1m', from = cached) =>
    from.candles('replay', 'BTCUSDT', timeframe, { limit })
  const works: Record<string, () => Promise<Candles>> = {
    'rows through the driver, then columns': async () => {
      const { rows } = await db.pool.query({
        text: 'select ts, open, high, low, close, volume from trading.candles where series_id = $1 and ts >= $2 order by ts',
        values: [id, fromMs],
        rowMode: 'array',
      })
      return candlesFromRows(rows.map((row) => [Number(row[0]), ...row.slice(1)]))
    },
    'COPY into columns, from a time on': () => readCandles(db.pool, id, { fromMs }, WANTED),
    'COPY into columns, the newest': () => readCandles(db.pool, id, { limit: WANTED }, WANTED),
    'the product, nothing in its cache': () => read(WANTED, '1m', uncached),
    'the product, in its cache': () => read(WANTED),
    '5,000 1h candles out of 300,000 1m, in its cache': () => read(5_000, '1h'),
    'a chart: 100 candles, in its cache': () => read(100),
  }
  const names = Object.keys(works)
  const times = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < 9; round++)
    for (const name of names) {
      const started = performance.now()
      const found = await works[name]!()
      const ms = performance.now() - started
      if (found.length === 0 || found.close.at(-1) !== all.close.at(-1)) throw new Error(`${name} read something else`)
      if (round >= 2) times.get(name)!.push(ms)
    }
  const plain = median(times.get(names[0]!)!)
  console.log(
    `${WANTED.toLocaleString('en')} of ${STORED.toLocaleString('en')} stored candles, medians of 7 rounds in turns\n`,
  )
  for (const name of names) {
    const ms = median(times.get(name)!)
    console.log(`${name.padEnd(52)} ${ms.toFixed(2).padStart(9)} ms   ${(plain / ms).toFixed(1).padStart(7)}×`)
  }
})
