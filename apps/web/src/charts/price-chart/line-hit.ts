import type { Spot } from '../marker-shapes.ts'
import type { PredictionColumns } from './price-model.ts'

/** A point of a model's line, in pixels of the pane. */
export interface LineHit {
  readonly name: 'LSTM' | 'Transformer'
  readonly index: number
  readonly price: number
  readonly at: Spot
}

const REACH_PX = 10

/**
 * The model line whose point at the candle under the pointer is nearest, within 10 px up or down; null where none is.
 */
export function nearestLine(
  predictions: PredictionColumns | null,
  index: number,
  pointer: Spot,
  x: (index: number) => number,
  y: (price: number) => number,
): LineHit | null {
  if (predictions === null) return null
  let nearest: LineHit | null = null
  let distance = REACH_PX
  for (const [name, values] of [
    ['LSTM', predictions.lstm],
    ['Transformer', predictions.transformer],
  ] as const) {
    const price = values[index]
    if (price === undefined || Number.isNaN(price)) continue
    const at = { x: x(index), y: y(price) }
    const away = Math.abs(at.y - pointer.y)
    if (away > distance || (away === distance && nearest !== null)) continue
    nearest = { name, index, price, at }
    distance = away
  }
  return nearest
}
