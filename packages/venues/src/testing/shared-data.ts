import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Candles, candlesFromRows } from '@shapecast/engine/candles'

/** The folder of real candles for tests: SHAPECAST_DATA, or `../shared/data` beside the project. It may be absent. */
export const SHARED_DATA = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../../../../shared/data')

/** A file of that folder, and whether it is there. */
export const sharedFile = (name: string): { path: string; missing: boolean } => {
  const path = join(SHARED_DATA, name)
  return { path, missing: !existsSync(path) }
}

/** The candles of a CSV file with one line of heads: time in ms, open, high, low, close, volume. */
export const readCandles = (path: string): Candles =>
  candlesFromRows(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map(Number)),
  )
