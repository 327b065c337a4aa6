import { besideOfInput, CANDLE_COLUMNS } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'
import { buildFeatureTable, type FeatureTable } from '../features/feature-table.ts'
import { type Beside, besideKey } from '../forecast/beside-series.ts'
import { alignedColumn } from './beside.ts'
import type { ForeignCard } from './foreign-card.ts'

const columnOf = (name: string, candles: Candles, table: FeatureTable): Float64Array => {
  const raw = CANDLE_COLUMNS.find((column) => column === name)
  return raw === undefined ? table.features[table.names.indexOf(name)]! : candles[raw]
}

/**
 * The columns that a foreign model asks for, in its order, as they are; NaN where a candle of another series is missing.
 * Throws a RangeError where that series was not given.
 */
export function foreignColumns(
  card: ForeignCard,
  candles: Candles,
  table: FeatureTable,
  beside: Beside = {},
): Float64Array[] {
  if (card.inputs === 'ours') return table.features
  const tables = new Map<string, FeatureTable>()
  return card.inputs.map((input) => {
    const series = besideOfInput(input, card.timeframe)
    if (series === null) return columnOf(input.name, candles, table)
    const key = besideKey(series)
    const other = beside[key]
    if (other === undefined) throw new RangeError(`The candles of ${key} were not given.`)
    const own = tables.get(key) ?? buildFeatureTable(other, series.timeframe)
    tables.set(key, own)
    return alignedColumn(candles, card.timeframe, other, series.timeframe, columnOf(input.name, other, own))
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
