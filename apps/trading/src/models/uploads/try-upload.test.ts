import { plainModel } from '@shapecast/ml/foreign/testing/plain-model'
import { gruFile } from '@shapecast/ml/foreign/testing/pytorch-gru'
import type { OnnxNode } from '@shapecast/ml/graph/onnx-model'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { expect, it } from 'vitest'
import { GRU_CARD } from '../../../test/support/uploaded-model.ts'
import { UPLOAD_LIMITS } from '../open-predictor.ts'
import { type TryUploadInput, tryUpload } from './try-upload.ts'
import { createUploadTurns } from './upload-service.ts'

const BTC = generateCandles({ candles: 1600, seed: 6 })
const input: TryUploadInput = {
  files: { onnx: gruFile(), card: new TextEncoder().encode(JSON.stringify(GRU_CARD)) },
  version: 'v9',
  symbol: 'BTCUSDT',
  uploadedBy: 'somebody',
  candles: { venue: 'replay', load: async () => BTC },
  nowMs: 0,
}
const PLAIN = { ...GRU_CARD, lookback: 4, inputs: [{ name: 'return_1' }, { name: 'range' }] }
const withNodes = (between: OnnxNode[]) => ({
  onnx: plainModel({ between }),
  card: new TextEncoder().encode(JSON.stringify(PLAIN)),
})
/**
 * An n × n matrix of zeros multiplied with itself, and its mean added to what the heads read. Zero is what the windows
 * are less themselves, so that it cannot be worked out beforehand.
 */
const heavy = (size: 'large' | 'huge'): OnnxNode[] => [
  { op: 'ConstantOfShape', inputs: [size], outputs: ['blank'] },
  { op: 'ReduceMean', inputs: ['x'], outputs: ['mean'], attributes: { keepdims: { int: 0 } } },
  { op: 'Sub', inputs: ['mean', 'mean'], outputs: ['zero'] },
  { op: 'Add', inputs: ['blank', 'zero'], outputs: ['matrix'] },
  { op: 'MatMul', inputs: ['matrix', 'matrix'], outputs: ['square'] },
  { op: 'ReduceMean', inputs: ['square'], outputs: ['level'], attributes: { keepdims: { int: 0 } } },
  { op: 'Add', inputs: ['means', 'level'], outputs: ['seen'] },
]

it('trying an upload returns what its artifact stores', async () => {
  const tried = await tryUpload(input)
  expect(tried).toMatchObject({ version: 'v9', timeframe: '1h', uploadedBy: 'somebody', shown: { seed: null } })
  expect(tried.card.file.bytes).toBe(gruFile().length)
})

it.each([
  [
    'a file that runs too long',
    { files: withNodes(heavy('large')), limits: { ...UPLOAD_LIMITS, runMs: 1 } },
    'took longer than 0.001 s',
  ],
  ['one that takes too much memory', { files: withNodes(heavy('huge')) }, 'more than 1024 MB of memory'],
  [
    'one that takes too long over the newest candles',
    { files: withNodes(heavy('large')), judgeMs: 1 },
    ' ms measured) to forecast the newest candles',
  ],
])('%s is refused, and its process is gone', async (_what, given, reason) => {
  await expect(tryUpload({ ...input, ...given })).rejects.toMatchObject({
    code: 'unprocessable',
    field: 'onnx',
    message: expect.stringContaining(reason),
  })
})

it('uploads of one series take turns, two are tried out at once, and eight come in', async () => {
  const turns = createUploadTurns()
  const log: string[] = []
  const ends: (() => void)[] = []
  const one = (person: string, series: string) =>
    turns.admit(person, () =>
      turns.inTurn(series, async () => {
        log.push(series)
        await new Promise<void>((resolve) => ends.push(resolve))
      }),
    )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const all = [one('ada', 'a'), one('bob', 'a'), one('bob', 'b'), one('eve', 'c'), one('dan', 'd')]
  await settle()
  expect(log).toEqual(['a', 'b'])
  await expect(one('bob', 'e')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterS: 10 })
  ends.shift()!()
  await settle()
  expect(log).toEqual(['a', 'b', 'c'])
  all.push(one('fay', 'f'), one('gus', 'g'), one('hal', 'h'), one('ivy', 'i'))
  await settle()
  await expect(one('joe', 'j')).rejects.toThrow('Many uploads are under way')
  while (ends.length > 0) {
    ends.shift()!()
    await settle()
  }
  await Promise.all(all)
  expect([...log].sort()).toEqual(['a', 'a', 'b', 'c', 'd', 'f', 'g', 'h', 'i'])
})
