import { expect, it } from 'vitest'
import { packArtifact } from './artifact/artifact.ts'
import { packFiles } from './artifact/packed-files.ts'
import { FOREIGN_MAGIC, packForeignModel, unpackForeignModel } from './foreign/packed-foreign.ts'
import { gruFile } from './foreign/testing/pytorch-gru.ts'
import { isUploaded, openModel } from './open-model.ts'
import { SMALL_TRAINING, storedModel } from './testing/stored-models.ts'

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
  const packed = packArtifact((await storedModel(SMALL_TRAINING)).artifact)
  expect(isUploaded(packed)).toBe(false)
  const opened = await openModel(packed, COST)
  if (opened.kind !== 'trained') throw new Error('opened as uploaded')
  expect(opened.predictor.artifact.card.source).toMatchObject(SMALL_TRAINING.source)
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
