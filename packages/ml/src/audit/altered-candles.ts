import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import type { Random } from '@shapecast/engine/random'

const COLUMNS = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const

function copyOf(candles: Candles): Candles {
  const copy = emptyCandles(candles.length)
  for (const column of COLUMNS) copy[column].set(candles[column])
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

/**
 * The same market with the direction of each candle drawn by lot: a candle whose lot says so is turned over around the
 * close before it, in logarithms. Sizes, ranges, volumes and their clusters stay; of direction there is nothing to know.
 */
export function directionsByLot(candles: Candles, random: Random): Candles {
  const drawn = copyOf(candles)
  for (let i = 1; i < candles.length; i++) {
    const [before, now] = [candles.close[i - 1]!, drawn.close[i - 1]!]
    const turned = random.next() < 0.5
    const place = (price: number): number => (turned ? now * (before / price) : now * (price / before))
    drawn.open[i] = place(candles.open[i]!)
    drawn.close[i] = place(candles.close[i]!)
    drawn.high[i] = place(turned ? candles.low[i]! : candles.high[i]!)
    drawn.low[i] = place(turned ? candles.high[i]! : candles.low[i]!)
  }
  return drawn
}
