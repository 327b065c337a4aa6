import { expect, it } from 'vitest'
import { packArtifact } from './artifact/artifact.ts'
import { packFiles } from './artifact/packed-files.ts'
import { FOREIGN_MAGIC, packForeignModel, unpackForeignModel } from './foreign/packed-foreign.ts'
import { gruFile } from './foreign/testing/pytorch-gru.ts'
import { isUploaded, openModel } from './open-model.ts'
import { generateCandles } from './testing/generated-candles.ts'
import { trainModel } from './train-model.ts'

const onnx = gruFile()
// Spaces and an unknown key, which parsing would lose.
const card = new TextEncoder().encode(
  '{ "format": "shapecast-foreign-model",  "formatVersion": 1, "name": "A GRU", "timeframe": "1h", "lookback": 16,\n' +
    '"inputs": [{"name": "return_1"}, {"name": "range"}, {"name": "log_sigma"}, {"name": "volume_z"}], "note": "kept" }\n',
)
const COST = { roundTripCostBps: 22 }

it('an upload is packed byte by byte and opens as one', async () => {
  const packed = packForeignModel({ onnx, card })
  expect(isUploaded(packed)).toBe(true)
  expect(unpackForeignModel(packed)).toEqual({ onnx, card })
  const opened = await openModel(packed, COST)
  if (opened.kind !== 'uploaded') throw new Error('opened as trained')
  expect(opened.model.card).toMatchObject({ name: 'A GRU', lookback: 16, signalHorizon: 1 })
  opened.model.close()
})

it('a trained model opens as one', async () => {
  const candles = generateCandles({ candles: 1600, seed: 91 })
  const settings = { epochs: 1, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 8 }
  const source = { venue: 'generated', symbol: 'TESTUSDT' }
  const training = { candles, timeframe: '1h', settings, roundTripCostBps: 22, createdAtMs: 0, source } as const
  const packed = packArtifact((await trainModel(training)).artifact)
  expect(isUploaded(packed)).toBe(false)
  const opened = await openModel(packed, COST)
  if (opened.kind !== 'trained') throw new Error('opened as uploaded')
  expect(opened.predictor.artifact.card.source).toMatchObject(source)
  await opened.predictor.close()
})

it('an upload that lacks one of its two files is refused', () => {
  for (const files of [{ 'model.onnx': onnx }, { 'card.json': card }])
    expect(() => unpackForeignModel(packFiles(FOREIGN_MAGIC, {}, files))).toThrow('its network or its card is missing')
})

it('an altered upload, and a file of neither kind, are refused', async () => {
  const altered = packForeignModel({ onnx, card })
  altered[altered.length - 1]! ^= 1
  await expect(openModel(altered, COST)).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(openModel(Uint8Array.of(1, 2, 3), COST)).rejects.toThrow('does not begin like one')
})
