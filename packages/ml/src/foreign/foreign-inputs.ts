import { CANDLE_COLUMNS } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'
import { featureNames } from '../features/feature-columns.ts'
import type { FeatureTable } from '../features/feature-table.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'

/** The columns that a foreign model asks for, in its order, as they are. */
export function foreignColumns(card: ForeignCard, candles: Candles, table: FeatureTable): Float64Array[] {
  const ours = featureNames(card.timeframe)
  return inputNames(card).map((name) => {
    const own = CANDLE_COLUMNS.find((column) => column === name)
    return own === undefined ? table.features[ours.indexOf(name)]! : candles[own]
  })
}

/** What a foreign model is given of each candle, row-major [candles × inputs], standardised as its card says; 0 in warm-up. */
export function foreignInputs(card: ForeignCard, columns: readonly Float64Array[]): Float32Array {
  const clip = card.clip ?? Number.POSITIVE_INFINITY
  const candles = columns[0]!.length
  const matrix = new Float32Array(candles * columns.length)
  columns.forEach((column, c) => {
    const { mean, sd } = card.inputs === 'ours' ? { mean: 0, sd: 1 } : card.inputs[c]!
    for (let i = 0, at = c; i < candles; i++, at += columns.length) {
      const z = (column[i]! - mean) / sd
      matrix[at] = Number.isNaN(z) ? 0 : Math.min(clip, Math.max(-clip, z))
    }
  })
  return matrix
}
