import type { PredictionCloud, PredictionRow } from '@shapecast/contracts/predictions'
import { expect, it } from 'vitest'
import { priceFan, pricePredictions } from './price-input.ts'

const row: PredictionRow = {
  timestamp: 600,
  aligned_ts: 660,
  signal: 'BUY',
  confidence: 0.61,
  current_price: 100,
  lstm_prediction: 101,
  transformer_prediction: 99,
  stopLoss: 98,
  reasoning: '',
  edgeBps: 4,
  verdict: null,
  version: 'v3',
  hash: 'a',
  source: 'backfilled',
  madeAt: 7,
  trainedOn: false,
}

it('puts a prediction on the candle that it forecasts, not on the one at whose close it was made', () =>
  expect(pricePredictions([row])).toEqual([
    { t: 660, signal: 'BUY', confidence: 0.61, origin: 'backfilled', lstm: 101, transformer: 99 },
  ]))

it('tells what was sealed live from what was worked out afterwards, and that from what the model had learnt from', () =>
  expect(
    pricePredictions([{ ...row, source: 'live', trainedOn: true }, row, { ...row, trainedOn: true }]).map(
      ({ origin }) => origin,
    ),
  ).toEqual(['live', 'backfilled', 'trained_on']))

it('begins a fan at the last closed candle and orders its steps', () => {
  const point = (horizon: number) => ({
    horizon,
    time: 600 + 60 * horizon,
    q05: 1,
    q25: 2,
    q50: 3,
    q75: 4,
    q95: horizon,
  })
  const cloud = { timestamp: 600, current_price: 100, points: [point(2), point(1)] } as unknown as PredictionCloud
  const fan = priceFan(cloud)
  expect([fan.t, fan.price]).toEqual([600, 100])
  expect(fan.steps.map((step) => step.q95)).toEqual([1, 2])
})
