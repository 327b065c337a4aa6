import { CANDLE_COLUMNS } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'
import { featureNames } from '../features/feature-columns.ts'
import type { FeatureTable } from '../features/feature-table.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'

/** What a foreign model is given of each candle, row-major [candles × inputs], standardised as its card says; 0 in warm-up. */
export function foreignInputs(card: ForeignCard, candles: Candles, table: FeatureTable): Float32Array {
  const ours = featureNames(card.timeframe)
  const names = inputNames(card)
  const clip = card.clip ?? Number.POSITIVE_INFINITY
  const matrix = new Float32Array(candles.length * names.length)
  names.forEach((name, c) => {
    const own = CANDLE_COLUMNS.find((column) => column === name)
    const column = own === undefined ? table.features[ours.indexOf(name)]! : candles[own]
    const { mean, sd } = card.inputs === 'ours' ? { mean: 0, sd: 1 } : card.inputs[c]!
    for (let i = 0, at = c; i < candles.length; i++, at += names.length) {
      const z = (column[i]! - mean) / sd
      matrix[at] = Number.isNaN(z) ? 0 : Math.min(clip, Math.max(-clip, z))
    }
  })
  return matrix
}
