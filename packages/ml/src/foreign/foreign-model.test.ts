import { readFileSync } from 'node:fs'
import { sliceCandles } from '@shapecast/engine/candles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFeatureTable } from '../features/feature-table.ts'
import type { OnnxNode } from '../graph/onnx-model.ts'
import { openSession, tensorOf } from '../runtime/onnx-runtime.ts'
import { changedFrom } from '../testing/altered-candles.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { type ForeignModel, openForeignModel, readForeignCard } from './foreign-model.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { crowdModel, overlapModel } from './testing/hostile-models.ts'
import { plainModel } from './testing/plain-model.ts'
import { GRU_CARD, gruFile } from './testing/pytorch-gru.ts'

const fixture = (name: string): Uint8Array => readFileSync(new URL(`./testing/${name}`, import.meta.url))
const gru = gruFile()
const COST = { roundTripCostBps: 22, candles: generateCandles({ candles: 300, seed: 50 }) }

describe('a file that PyTorch made', () => {
  const candles = generateCandles({ candles: 3800, seed: 51 })
  let model: ForeignModel
  beforeAll(async () => {
    model = await openForeignModel(gru, GRU_CARD, COST)
  })
  afterAll(() => model.close())

  it('gives the numbers that PyTorch gives', async () => {
    const expected: { quantiles: number[]; up_logit: number[] } = JSON.parse(
      fixture('pytorch-gru.fixture.json').toString(),
    )
    const sandbox = await openSandbox(gru)
    const windows = Float32Array.from({ length: 3 * 16 * 4 }, (_, k) => Math.sin(k * 0.37))
    const made = await sandbox.run(windows, [3, 16, 4])
    sandbox.close()
    expect(made.quantiles).toHaveLength(120)
    made.quantiles.forEach((q, k) => {
      expect(q).toBeCloseTo(expected.quantiles[k]!, 5)
    })
    made.upLogit.forEach((logit, k) => {
      expect(logit).toBeCloseTo(expected.up_logit[k]!, 5)
    })
  })

  it('is described by what it says of itself', () => {
    expect(model.info).toMatchObject({
      producer: 'pytorch',
      opsets: { '': 17 },
      customDomains: [],
      externalData: false,
    })
    expect(model.info.inputs).toEqual([{ name: 'x', elementType: 1, shape: [null, 16, 4] }])
    expect(model.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('forecasts candles: a probability, a rising fan around the close, and none in the warm-up', async () => {
    const made = await model.predict(candles, { from: 100, to: 700 })
    // 99 candles of warm-up and a window of 16: the first forecast is for candle 114.
    expect(made.pUp.findIndex((p) => !Number.isNaN(p))).toBe(14)
    for (let i = 14; i < 600; i++) {
      expect(made.pUp[i]).toBeGreaterThan(0)
      expect(made.pUp[i]).toBeLessThan(1)
      const fan = Array.from(made.quantilePrices.subarray(i * 40, i * 40 + 5))
      expect(fan).toEqual([...fan].sort((a, b) => a - b))
      expect(fan[0]).toBeLessThan(candles.close[100 + i]!)
      expect(fan[4]).toBeGreaterThan(candles.close[100 + i]!)
    }
  })

  it('has its fan corrected by how it fared: nine in ten outcomes are covered', async () => {
    const made = await model.predict(candles, { from: 1000, to: 3800 })
    let covered = 0
    for (let i = 1000; i < 3799; i++) {
      const at = (i - 1000) * 40
      const next = candles.close[i + 1]!
      if (next >= made.quantilePrices[at]! && next <= made.quantilePrices[at + 4]!) covered++
    }
    expect(covered / 2799).toBeCloseTo(0.9, 1.5)
  })

  it('gives the same forecasts, to the bit, when the future is cut off or another', async () => {
    const range = { from: 2950, to: 3000 }
    const whole = await model.predict(candles, { from: 2950, to: 3050 })
    for (const other of [sliceCandles(candles, 0, 3000), changedFrom(candles, 3000)]) {
      const made = await model.predict(other, range)
      for (const column of ['pUp', 'edgeBps', 'expectedMoveBps', 'stopLoss'] as const)
        expect(made[column], column).toEqual(whole[column].slice(0, 50))
      expect(made.medians.uploaded).toEqual(whole.medians.uploaded!.slice(0, 50))
      expect(made.quantilePrices).toEqual(whole.quantilePrices.slice(0, 50 * 40))
    }
    const { pUp } = await model.predict(changedFrom(candles, 3000), { from: 3000, to: 3050 })
    expect(pUp).not.toEqual(whole.pUp.slice(50))
  })

  it('starts another process where its own has ended, and none once it is closed', async () => {
    const opened: Sandbox[] = []
    const open: typeof openSandbox = async (...given) => {
      opened.push(await openSandbox(...given))
      return opened.at(-1)!
    }
    const other = await openForeignModel(gru, GRU_CARD, { ...COST, open })
    const part = sliceCandles(candles, 0, 400)
    const range = { from: 390, to: 400 }
    const before = await other.predict(part, range)
    opened[0]!.close()
    expect(await other.predict(part, range)).toEqual(before)
    expect(opened, 'what is said of the same windows is kept').toHaveLength(1)
    const { pUp } = await other.predict(sliceCandles(candles, 0, 401), { from: 391, to: 401 })
    expect(pUp.slice(0, 9)).toEqual(before.pUp.slice(1))
    expect(opened.map(({ alive }) => alive)).toEqual([false, true])
    other.close()
    await expect(other.predict(part)).rejects.toThrow('closed')
  })
})

const plainCard = {
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'plain',
  timeframe: '1h',
  lookback: 4,
  inputs: [{ name: 'return_1' }, { name: 'close', mean: 20_000, sd: 5000 }],
}
const refused = (
  onnx: Uint8Array,
  card: object = plainCard,
  limits?: { openMs: number; runMs: number; memoryBytes: number },
) => expect(openForeignModel(onnx, card, limits === undefined ? COST : { ...COST, limits })).rejects

describe('what does not fit is refused with the reason', () => {
  it('takes the plain file that the others are changes of', async () => {
    const model = await openForeignModel(plainModel(), plainCard, COST)
    model.close()
  })

  it('a card that names an unknown input, or lacks a field', async () => {
    const inputs = [{ name: 'return_1' }, { name: 'moon_phase' }]
    await refused(plainModel(), { ...plainCard, inputs }).toMatchObject({ code: 'bad_input', field: 'card.inputs' })
    await refused(plainModel(), { ...plainCard, inputs }).toThrow('There is no input named moon_phase on 1h')
    await refused(plainModel(), { ...plainCard, lookback: 0 }).toMatchObject({ field: 'card.lookback' })
  })

  it('bytes of a card that are no JSON, or no UTF-8', () => {
    for (const bytes of [Uint8Array.of(0x7b), Uint8Array.of(0x22, 0xff, 0x22)])
      expect(() => readForeignCard(bytes)).toThrow("The model's card is not a JSON file")
  })

  it('bytes that are no ONNX file, and one that is torn', async () => {
    await refused(new TextEncoder().encode('{"not": "onnx"}')).toThrow('it is not an ONNX file')
    await refused(plainModel().slice(0, -40)).toThrow(
      'it is not an ONNX file. The message ends in the middle of a field',
    )
    await refused(new Uint8Array(0)).toThrow('it is not an ONNX file. It holds 0 graphs')
  })

  it('operators that the runtime does not know, in its words and without its paths', async () => {
    const between: OnnxNode[] = [{ op: 'NoSuchThing', inputs: ['means'], outputs: ['seen'] }]
    await refused(plainModel({ between })).toThrow(/the runtime says: .*NoSuchThing/)
    const torn: OnnxNode[] = [{ op: 'Reshape', inputs: ['means', 'fives'], outputs: ['seen'] }]
    // It goes on with a path of the machine that built it, and both shapes.
    await refused(plainModel({ between: torn })).toThrow(/the runtime says: .*Reshape node.*Status Message: …:/)
    await refused(plainModel({ between: torn })).toThrow(/^.{0,250}$/)
  })

  it('a file that draws lots, also where only a branch does', async () => {
    const lots: OnnxNode = { op: 'RandomNormalLike', inputs: ['means'], outputs: ['seen'] }
    await refused(plainModel({ between: [lots] })).toThrow('it draws lots (RandomNormalLike)')
    const graph = {
      nodes: [lots],
      initialisers: [],
      inputs: [],
      outputs: [{ name: 'seen', type: 'float32' as const, shape: ['batch', 2] }],
    }
    const branches = { then_branch: { graph }, else_branch: { graph } }
    const between: OnnxNode[] = [{ op: 'If', inputs: ['none'], outputs: ['seen'], attributes: branches }]
    await refused(plainModel({ between })).toThrow('it draws lots (RandomNormalLike)')
  })

  it('a file that answers with more than anybody could take', async () => {
    const between: OnnxNode[] = [
      { op: 'Expand', inputs: ['means', 'crowd'], outputs: ['many'] },
      { op: 'Reshape', inputs: ['many', 'pairs'], outputs: ['seen'] },
    ]
    await refused(plainModel({ between })).toThrow('an output has 400000 numbers for a window')
  })

  it('and leaves no process behind', async () => {
    const opened: Sandbox[] = []
    const open: typeof openSandbox = async (...given) => {
      opened.push(await openSandbox(...given))
      return opened.at(-1)!
    }
    const between: OnnxNode[] = [{ op: 'Log', inputs: ['means'], outputs: ['seen'] }]
    await expect(openForeignModel(plainModel({ between }), plainCard, { ...COST, open })).rejects.toThrow('not finite')
    expect(opened.map(({ alive }) => alive)).toEqual([false])
  })

  it('numbers that are none', async () => {
    const between: OnnxNode[] = [{ op: 'Log', inputs: ['means'], outputs: ['seen'] }]
    await refused(plainModel({ between })).toThrow('quantiles is not finite on candles of its series')
  })

  it('a file that takes too long', async () => {
    const product = (k: number): OnnxNode => ({ op: 'MatMul', inputs: [`m${k}`, 'm0'], outputs: [`m${k + 1}`] })
    const between: OnnxNode[] = [
      { op: 'ConstantOfShape', inputs: ['large'], outputs: ['m0'] },
      ...Array.from({ length: 200 }, (_, k) => product(k)),
      { op: 'ReduceMean', inputs: ['m200'], outputs: ['zero'] },
      { op: 'Add', inputs: ['means', 'zero2'], outputs: ['seen'] },
    ]
    between.splice(-1, 0, { op: 'Squeeze', inputs: ['zero'], outputs: ['zero2'] })
    const limits = { openMs: 1500, runMs: 100, memoryBytes: 2 ** 31 }
    await refused(plainModel({ between }), plainCard, limits).toThrow(/it took longer than (1\.5|0\.1) s/)
  })

  it('a file that takes too much memory', async () => {
    const between: OnnxNode[] = [
      { op: 'ConstantOfShape', inputs: ['huge'], outputs: ['m0'] },
      { op: 'ReduceMean', inputs: ['m0'], outputs: ['zero'] },
      { op: 'Squeeze', inputs: ['zero'], outputs: ['zero2'] },
      { op: 'Add', inputs: ['means', 'zero2'], outputs: ['seen'] },
    ]
    const limits = { openMs: 30_000, runMs: 30_000, memoryBytes: 400 * 2 ** 20 }
    await refused(plainModel({ between }), plainCard, limits).toThrow('it took more than 400 MB of memory')
  })
})

describe('a network that would look at the later windows of its batch', () => {
  const [lookback, inputs, count] = [4, 2, 300]
  const card = { ...plainCard, lookback, inputs: [{ name: 'return_1' }, { name: 'range' }] }
  const candles = generateCandles({ candles: 700, seed: 52 })
  const table = buildFeatureTable(candles, '1h')
  const column = (name: string) => table.features[table.names.indexOf(name)]!
  const from = 200
  const windows = Float32Array.from({ length: count * lookback * inputs }, (_, k) => {
    const [window, step, input] = [Math.floor(k / 8), Math.floor((k % 8) / 2), k % 2]
    return column(input === 0 ? 'return_1' : 'range')[from + window - (lookback - 1) + step]!
  })
  const rightCalls = (up: ArrayLike<number>): number => {
    let right = 0
    for (let k = 0; k < count - 1; k++)
      if (up[k]! > 0 === candles.close[from + k + 1]! > candles.close[from + k]!) right++
    return right / (count - 1)
  }

  it.each([
    ['by their number', crowdModel],
    ['by their overlap', overlapModel],
  ])('%s: knows the next candle in a batch, and nothing of it here', async (_how, file) => {
    const session = await openSession(file())
    const inBatch = await session.run({ x: tensorOf(windows, [count, lookback, inputs]) })
    await session.release()
    expect(rightCalls(inBatch.up_logit!.data as Float32Array)).toBeGreaterThan(0.98)

    const model = await openForeignModel(file(), card, COST)
    const whole = await model.predict(candles, { from, to: from + count })
    expect(rightCalls(whole.pUp.map((p) => p - 0.5))).toBeLessThan(0.65)
    // A window has one answer, whatever is asked besides.
    const one = await model.predict(candles, { from: from + 7, to: from + 8 })
    model.close()
    expect(one.pUp[0]).toBe(whole.pUp[7])
  })

  it('leaves an honest network the numbers that it gives in a batch', async () => {
    const honest = Float32Array.from({ length: count * 64 }, (_, k) => Math.sin(k * 0.37))
    const session = await openSession(gru)
    const inBatch = await session.run({ x: tensorOf(honest, [count, 16, 4]) })
    await session.release()
    const sandbox = await openSandbox(gru)
    const made = await sandbox.run(honest, [count, 16, 4])
    sandbox.close()
    const furthest = (a: Float32Array, b: Float32Array) =>
      a.reduce((most, v, k) => Math.max(most, Math.abs(v - b[k]!)), 0)
    expect(furthest(made.quantiles, inBatch.quantiles!.data as Float32Array)).toBeLessThan(1e-6)
    expect(furthest(made.upLogit, inBatch.up_logit!.data as Float32Array)).toBeLessThan(1e-6)
  })
})
