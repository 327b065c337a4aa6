import { createHash } from 'node:crypto'
import type { BacktestResult } from '@shapecast/engine/backtest-result'
import type { Candles } from '@shapecast/engine/candles'
import { hashData } from '../ground/hash-data.ts'

const bytesOf = (array: Float64Array | Int8Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** SHA-256 (hex) of the columns one after the other. */
export function hashCandles(candles: Candles): string {
  const hash = createHash('sha256')
  for (const column of [candles.ts, candles.open, candles.high, candles.low, candles.close, candles.volume])
    hash.update(bytesOf(column))
  return hash.digest('hex')
}

/** SHA-256 (hex) of all that a run decided and came to: decisions, trades, equity at each close, open position. */
export const hashResult = (decisions: Int8Array | Float64Array, result: BacktestResult): string =>
  createHash('sha256')
    .update(bytesOf(decisions))
    .update(bytesOf(result.equity))
    .update(hashData({ trades: result.trades, open: result.openPosition, skipped: result.skipped }))
    .digest('hex')
