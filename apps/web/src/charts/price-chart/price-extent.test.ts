import type { CandleRow } from '@shapecast/contracts/market'
import { expect, it } from 'vitest'
import { priceExtent } from './price-extent.ts'
import { predictionColumns, priceModel } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

const rows = Array.from({ length: 10 }, (_, i): CandleRow => [i * 10, 50, 60 + i, 40 - i, 50, 1])
const model = priceModel(rows, 10)
const scene = (more: Partial<PriceScene> = {}): PriceScene => ({
  model,
  predictions: null,
  fan: null,
  type: 'candles',
  showEma: true,
  futureLabel: '',
  ...more,
})
const step = { q05: 10, q25: 30, q50: 50, q75: 70, q95: 95 }

it('is the lowest low and the highest high in view', () => {
  expect(priceExtent(scene(), 0, 3)).toEqual({ min: 37, max: 63 })
  expect(priceExtent(scene(), -20, 99)).toEqual({ min: 31, max: 69 })
})
it('is none where no candle is in view', () => expect(priceExtent(scene(), 40, 50)).toBeNull())
it('takes model lines in, also those ahead of the last candle', () => {
  const predictions = predictionColumns(model, [
    { t: 20, signal: 'HOLD', confidence: 0.5, lstm: 80, transformer: null, origin: 'backfilled' },
    { t: 100, signal: 'HOLD', confidence: 0.5, lstm: null, transformer: 5, origin: 'backfilled' },
  ])
  expect(priceExtent(scene({ predictions }), 0, 3)).toEqual({ min: 37, max: 80 })
  expect(priceExtent(scene({ predictions }), 8, 12)).toEqual({ min: 5, max: 69 })
})
it('makes room for the fan only where it is in view', () => {
  const fan = { t: 90, price: 50, steps: [step] }
  expect(priceExtent(scene({ fan }), 0, 9)).toEqual({ min: 31, max: 69 })
  expect(priceExtent(scene({ fan }), 0, 12)).toEqual({ min: 10, max: 95 })
})
