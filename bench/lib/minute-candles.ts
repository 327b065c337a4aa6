import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Candles, candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'

const FOLDER = resolve(process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../../shared/data'))
const FILES = ['BTCUSDT-1m-2023H1.csv.gz', 'BTCUSDT-1m-2023H2.csv.gz', 'BTCUSDT-1m-2024H1.csv.gz']

/** A year and a half of BTCUSDT 1m where the files are there, else as many generated candles; and which it is. */
export function minuteCandles(length = 783_000): { candles: Candles; source: string } {
  const paths = FILES.map((name) => resolve(FOLDER, name))
  if (!paths.every((path) => existsSync(path))) return { candles: generatedCandles(length), source: 'generated' }
  const rows: number[][] = []
  for (const path of paths)
    for (const line of gunzipSync(readFileSync(path)).toString('latin1').split('\n')) {
      const row = line.split(',').map(Number)
      if (row.length >= 6 && Number.isFinite(row[0])) rows.push(row)
    }
  return { candles: candlesFromRows(rows.slice(0, length)), source: 'BTCUSDT 1m, 2023-01 to 2024-06' }
}

/** A random walk of 1m candles with fixed seed. */
export function generatedCandles(length: number): Candles {
  const random = createRandom(11)
  const rows: number[][] = []
  let price = 30_000
  for (let i = 0; i < length; i++) {
    const open = price
    price *= Math.exp(0.0006 * random.normal())
    const reach = price * 0.0004
    const high = Math.max(open, price) + reach * random.next()
    const low = Math.min(open, price) - reach * random.next()
    rows.push([1_672_531_200_000 + i * 60_000, open, high, low, price, random.next() * 10])
  }
  return candlesFromRows(rows)
}
