import { basename } from 'node:path'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, candlesFromRows, rowsFromCandles } from '@shapecast/engine/candles'
import { readCandleFile } from '@shapecast/venues/import/read-candle-file'

/** All candles of a file in any form that can be imported, oldest first. Throws where it would be refused. */
export async function readAllCandles(path: string, timeframe: Timeframe): Promise<Candles> {
  const rows: number[][] = []
  const symbol = /^[A-Z0-9]+/.exec(basename(path).toUpperCase())?.[0] ?? 'BTCUSDT'
  const spec = { symbol, timeframe, nowMs: Date.now(), skipBadRows: true }
  const summary = await readCandleFile(path, spec, (candles) => {
    for (const row of rowsFromCandles(candles)) rows.push(row)
  })
  if (!summary.acceptable) throw new Error(`${path}: ${summary.problems[0] ?? 'no candles'}`)
  return candlesFromRows(rows.sort((a, b) => a[0]! - b[0]!))
}
