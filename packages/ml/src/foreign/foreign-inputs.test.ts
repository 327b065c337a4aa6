import { expect, it } from 'vitest'
import { buildFeatureTable } from '../features/feature-table.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { ForeignCard } from './foreign-card.ts'
import { foreignColumns, foreignInputs } from './foreign-inputs.ts'

const cardOf = (inputs: 'ours' | object[], clip: number | null = null) =>
  ForeignCard.parse({
    format: 'shapecast-foreign-model',
    formatVersion: 1,
    name: 'by hand',
    timeframe: '1h',
    lookback: 1,
    inputs,
    clip,
  })
const column = (...values: number[]) => Float64Array.from(values)

it('inputs of an upload are (value − mean) / sd, side by side for each candle, and 0 for a missing value', () => {
  const card = cardOf([{ name: 'close', mean: 10, sd: 4 }, { name: 'volume' }])
  const matrix = foreignInputs(card, [column(Number.NaN, 12, 2), column(7, 8, 9)])
  expect(matrix).toEqual(Float32Array.of(0, 7, 0.5, 8, -2, 9))
})

it('inputs of an upload are clipped where its card says so', () => {
  const card = cardOf([{ name: 'close', mean: 10, sd: 4 }], 1.5)
  expect(foreignInputs(card, [column(2, 4, 12, 16, 18)])).toEqual(Float32Array.of(-1.5, -1.5, 0.5, 1.5, 1.5))
})

it('our features are passed unscaled to a file that standardises them itself', () => {
  expect(foreignInputs(cardOf('ours'), [column(3), column(-0.5)])).toEqual(Float32Array.of(3, -0.5))
})

it('inputs of an upload are the columns that its card names, of features and candles', () => {
  const candles = generateCandles({ candles: 200, seed: 3 })
  const table = buildFeatureTable(candles, '1h')
  const [close, change] = foreignColumns(cardOf([{ name: 'close' }, { name: 'return_1' }]), candles, table)
  expect(close).toBe(candles.close)
  // A return is told in the volatility of its candle.
  expect(change![150]! * table.sigma[150]!).toBeCloseTo(Math.log(candles.close[150]! / candles.close[149]!), 12)
})
