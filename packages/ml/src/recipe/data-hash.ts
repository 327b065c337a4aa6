import { createHash } from 'node:crypto'
import type { Candles } from '@shapecast/engine/candles'

/** SHA-256 (hex) of the candles' columns in the order ts, open, high, low, close, volume. */
export function candlesHash(candles: Candles): string {
  const hash = createHash('sha256')
  for (const column of [candles.ts, candles.open, candles.high, candles.low, candles.close, candles.volume])
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  return hash.digest('hex')
}
