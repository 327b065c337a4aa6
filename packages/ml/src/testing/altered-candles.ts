import { CANDLE_COLUMNS, type Candles, emptyCandles } from '@shapecast/engine/candles'

function copyOf(candles: Candles): Candles {
  const copy = emptyCandles(candles.length)
  for (const column of CANDLE_COLUMNS) copy[column].set(candles[column])
  return copy
}

/** The same candles up to `from`−1, and from there on wild ones of other prices, ranges and volumes. */
export function changedFrom(candles: Candles, from: number): Candles {
  const changed = copyOf(candles)
  for (let i = from; i < candles.length; i++) {
    const turn = i % 3
    changed.open[i]! *= 1.4
    changed.close[i]! *= [1.7, 1.2, 1.5][turn]!
    changed.high[i] = 2 * Math.max(changed.open[i]!, changed.close[i]!, candles.high[i]!)
    changed.low[i]! *= 0.6
    changed.volume[i] = (10 + turn) * candles.volume[i]! + turn
  }
  return changed
}
