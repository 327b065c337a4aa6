import { createHash } from 'node:crypto'
import { sliceCandles } from '@shapecast/engine/candles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SMALL_TRAINING, storedModel } from '../testing/stored-models.ts'
import { type ForeignModel, openForeignModel } from './foreign-model.ts'
import { judgeUpload } from './judge-upload.ts'
import { plainModel } from './testing/plain-model.ts'
import { GRU_CARD, gruFile } from './testing/pytorch-gru.ts'
import { holdoutSeen, seenByUpload, seenWords, traitsOfUpload, UploadCard, uploadFacts } from './upload-card.ts'

const HOUR = 3_600_000
const onnx = gruFile()
const card = {
  ...GRU_CARD,
  inputs: [{ name: 'return_1' }, { name: 'range' }, { name: 'log_sigma' }, { name: 'volume_z' }],
}
const { candles, source } = SMALL_TRAINING
const judge = (model: ForeignModel, given = candles) =>
  judgeUpload({
    model,
    candles: given,
    onnx: { bytes: onnx.length, sha256: createHash('sha256').update(onnx).digest('hex') },
    source,
    roundTripCostBps: 22,
    createdAtMs: 5,
  })

describe('an upload, judged', () => {
  let model: ForeignModel
  let judged: UploadCard
  beforeAll(async () => {
    model = await openForeignModel(onnx, card, { roundTripCostBps: 22 })
    judged = await judge(model)
  })
  afterAll(() => model.close())

  it('is judged on the newest 400 candles with the baselines that a model of ours is', async () => {
    const ours = await storedModel(SMALL_TRAINING)
    const { evaluation, ranges } = ours.artifact.card
    expect(judged.holdout).toEqual(ranges.holdout)
    expect(judged.evaluation.accuracy).toMatchObject({
      outcomes: evaluation.accuracy.outcomes,
      majorityBaseline: evaluation.accuracy.majorityBaseline,
      reversalBaseline: evaluation.accuracy.reversalBaseline,
    })
    expect(judged.evaluation.trading.buyAndHold).toEqual(evaluation.trading.buyAndHold)
    expect(judged.climatology).toBe(ours.artifact.card.calibration.climatology)
    // Pinball loss of the EWMA baseline is the same, so that the skills can be compared.
    expect(judged.evaluation.fan.map(({ outcomes }) => outcomes)).toEqual(
      evaluation.fan.map(({ outcomes }) => outcomes),
    )
  })

  it('is a card of plain JSON that keeps what its author and its file say', () => {
    expect(UploadCard.parse(JSON.parse(JSON.stringify(judged)))).toEqual(judged)
    expect(uploadFacts(judged)).toMatchObject({
      name: 'A GRU from PyTorch',
      author: null,
      opset: 17,
      producer: 'pytorch',
    })
  })

  it('needs as many candles as a training', async () => {
    // 99 + 16 + 8 + 600 + 400
    await expect(judge(model, sliceCandles(candles, 0, 1122))).rejects.toMatchObject({ code: 'too_few_candles' })
  })

  it.each([
    ['whose author says nothing', undefined, 'unknown', 'Nobody here knows'],
    ['trained before its hold-out', { from: 0, to: -20 }, 'no', 'none of which it is judged on here'],
    // Outcomes reach 8 candles ahead: of the candle 7 before, the last is in the hold-out.
    ['whose last outcomes are judged', { from: 0, to: -7 }, 'yes', 'say nothing of its skill'],
    ['trained on its hold-out', { from: 0, to: 399 }, 'yes', 'say nothing of its skill'],
  ] as const)('one %s', (_what, trained, seen, words) => {
    const from = judged.holdout.from
    const declared = {
      ...judged.declared,
      ...(trained && { trained: { from: candles.ts[0]!, to: from + trained.to * HOUR } }),
    }
    const told = { ...judged, declared }
    expect(holdoutSeen(told)).toBe(seen)
    expect(seenWords(told)).toContain(words)
    const { seen: range, unseenFrom } = traitsOfUpload(told)
    expect(range).toEqual(seenByUpload(told))
    // Of what nobody knows, every candle until its upload may be.
    expect(unseenFrom).toBe((trained === undefined ? judged.data.to : from + trained.to * HOUR) + 8 * HOUR + 1)
  })
})

it('a fan without width, or beyond every price, is no forecast or a finite one: never an infinite figure', async () => {
  const flat = { ...card, inputs: [{ name: 'return_1' }, { name: 'range' }], lookback: 4, quantileUnit: 'log_return' }
  const withFan = (op: string, inputs: string[], outputs: string[]) => ({ op, inputs, outputs })
  // Means times a very large integer turned to float: quantiles beyond any price.
  const far = plainModel({
    between: [
      { op: 'Cast', inputs: ['huge'], outputs: ['factors'], attributes: { to: { int: 1 } } },
      withFan('Mul', ['means', 'factors'], ['times']),
      withFan('Mul', ['times', 'factors'], ['seen']),
    ],
  })
  const model = await openForeignModel(far, flat, { roundTripCostBps: 22 })
  await expect(judge(model)).rejects.toThrow('finite numbers at')
  const { quantilePrices, pUp } = await model.predict(candles, { from: 1500, to: 1600 })
  model.close()
  expect(quantilePrices.some((price) => price === Number.POSITIVE_INFINITY || price === 0)).toBe(false)
  expect(pUp.every(Number.isNaN)).toBe(true)
})
