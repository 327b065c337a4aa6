import { readdirSync, readFileSync } from 'node:fs'
import { openForeignModel } from '@shapecast/ml/foreign/foreign-model'
import { judgeUpload } from '@shapecast/ml/foreign/judge-upload'
import { packForeignModel } from '@shapecast/ml/foreign/packed-foreign'
import { GRU_CARD, gruFile } from '@shapecast/ml/foreign/testing/pytorch-gru'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { expect, it } from 'vitest'
import { openApart, openModelThread } from './predictors.ts'

const CANDLES = generateCandles({ candles: 1600, seed: 91 })

/** The processes of uploads that any thread of this one has started and that live. */
const uploadsRunning = (): number =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox-child')).length

/** As it is stored. */
async function anUpload() {
  const onnx = gruFile()
  const model = await openForeignModel(onnx, GRU_CARD, { roundTripCostBps: 22 })
  const file = { bytes: onnx.length, sha256: '' }
  const source = { venue: 'generated', symbol: 'TESTUSDT' }
  const card = await judgeUpload({ model, candles: CANDLES, onnx: file, source, roundTripCostBps: 22, createdAtMs: 5 })
  const range = { from: 1590, to: 1600 }
  const expected = await model.predict(CANDLES, range)
  model.close()
  const bytes = packForeignModel({ onnx, card: new TextEncoder().encode(JSON.stringify(GRU_CARD)) })
  return { stored: () => ({ bytes: bytes.slice(), card }), range, expected }
}

it.skipIf(process.platform !== 'linux')(
  'an upload forecasts in a process of its thread, which ends where it is closed, and with the thread',
  async () => {
    const { stored, range, expected } = await anUpload()
    const thread = openModelThread()
    const [first, second] = [await openApart(thread, stored()), await openApart(thread, stored())]
    expect(first.traits).toMatchObject({ lookback: 16, seen: { basis: 'unknown' } })
    expect(await first.predict(CANDLES, range)).toEqual(expected)
    expect(uploadsRunning()).toBe(2)
    await first.close()
    await expect.poll(uploadsRunning).toBe(1)
    await expect(first.predict(CANDLES, range)).rejects.toThrow()
    expect(await second.predict(CANDLES, range)).toEqual(expected)
    await thread.close()
    await expect.poll(uploadsRunning).toBe(0)
  },
)
