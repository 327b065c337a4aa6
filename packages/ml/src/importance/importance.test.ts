import { sliceCandles } from '@shapecast/engine/candles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelArtifactFile } from '../artifact/artifact.ts'
import { loadPredictor, type Predictor } from '../forecast/predict.ts'
import { takeApart } from '../forecast/take-apart.ts'
import { openForeignModel } from '../foreign/foreign-model.ts'
import { GRU_CARD, gruFile } from '../foreign/testing/pytorch-gru.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { storedModel } from '../testing/stored-models.ts'
import { permutationImportance } from './measure-importance.ts'

const SMALL = { epochs: 4, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 12 }
const candles = generateCandles({ candles: 3600, seed: 2, momentum: 0.5 })
const trained = sliceCandles(candles, 0, 3500)
const train = async (features?: string[]): Promise<ModelArtifactFile> =>
  (
    await storedModel({
      candles: trained,
      timeframe: '1h',
      settings: features === undefined ? SMALL : { ...SMALL, features },
      roundTripCostBps: 22,
      createdAtMs: 0,
      source: { venue: 'generated', symbol: 'TESTUSDT' },
    })
  ).artifact

describe('what a trained artifact looks at', () => {
  let artifact: ModelArtifactFile
  let predictor: Predictor
  let found: Awaited<ReturnType<typeof permutationImportance>>
  beforeAll(async () => {
    artifact = await train()
    predictor = await loadPredictor(artifact)
    found = await permutationImportance(predictor, candles)
  })
  afterAll(() => predictor.close())

  it('is, in a market of momentum, the last candle for the direction and volatility for the fan', () => {
    const byDirection = found.features.toSorted((a, b) => b.logLoss.mean - a.logLoss.mean)
    // The last move is in its return, in the candle's body, and in where it closed.
    const lastMove = ['return_1', 'body', 'close_in_range']
    expect(lastMove).toContain(byDirection[0]!.name)
    expect(byDirection[0]!.verdict).toContain('the direction')
    expect(found.features.find(({ name }) => name === 'return_1')!.verdict).toContain('the direction')
    expect(found.groups[0]!.name).toBe('volatility')
    expect(found.groups[0]!.verdict).toContain('Matters for the fan')
    const telling = found.groups.filter(({ verdict }) => verdict.includes('the direction')).map(({ name }) => name)
    expect(telling).toEqual(expect.arrayContaining(['returns', 'candle']))
    const random = found.features.filter(({ name }) => ['hour', 'weekday', 'volume_z'].includes(name))
    for (const { logLoss } of random) expect(logLoss.mean).toBeLessThan(0.2 * byDirection[0]!.logLoss.mean)
  })

  it('names each thing once, with the volatility inputs that say the same; past moves are for the fan alone', () => {
    const { features } = found
    // 27 features, of which two pairs are a clock, and the past moves over 1, 4, 12, 24 and 96 candles.
    expect(features).toHaveLength(25 + 5)
    const columns = (name: string) => features.find((feature) => feature.name === name)!.columns
    expect(columns('atr_14')).toEqual(['atr_14', 'volatility input log_atr'])
    expect(columns('hour')).toHaveLength(2 + 23)
    expect(columns('weekday')).toEqual(['weekday_sin', 'weekday_cos', 'volatility input weekend'])
    expect(features.find(({ name }) => name === 'log_mean_abs_24')!.logLoss).toEqual({ mean: 0, interval: [0, 0] })
  })

  it('starts from the very forecasts that the artifact makes', async () => {
    const apart = await takeApart(artifact, candles)
    const range = { from: apart.from, to: apart.to }
    const [made, plain] = [await apart.forecastFrom(apart.inputs), await predictor.predict(apart.candles, range)]
    await apart.close()
    // Of the last candle nothing is known yet.
    expect(range.to - range.from).toBe(artifact.card.ranges.holdout.rows + 1)
    for (const column of ['pUp', 'quantilePrices', 'signal', 'expectedMoveBps', 'stopLoss'] as const)
      expect(made[column], column).toEqual(plain[column])
  })

  it('gives a column that is put in place of an equal one no other forecast', async () => {
    const apart = await takeApart(artifact, candles)
    const copied = Object.fromEntries(Object.entries(apart.inputs).map(([name, column]) => [name, column.slice()]))
    const [made, again] = [await apart.forecastFrom(apart.inputs), await apart.forecastFrom(copied)]
    await apart.close()
    expect(again.pUp).toEqual(made.pUp)
    expect(again.quantilePrices).toEqual(made.quantilePrices)
  })

  it('does not depend on candles after those that it was made with, nor on those long before', async () => {
    const twice = { seed: 4, repeats: 2 }
    const among = await permutationImportance(predictor, candles, twice)
    expect(await permutationImportance(predictor, sliceCandles(candles, 50, 3500), twice)).toEqual(among)
  })

  it('is not told where its hold-out is not among the candles', async () => {
    await expect(permutationImportance(predictor, sliceCandles(candles, 3200, 3500))).rejects.toThrow(/held out/)
    await expect(permutationImportance(predictor, sliceCandles(candles, 0, 3400))).rejects.toThrow(/held out/)
  })

  it('is only what it was given, where it learnt from some features', async () => {
    const some = await loadPredictor(await train(['rsi_14', 'return_1']))
    const { features, groups } = await permutationImportance(some, candles, { repeats: 2 })
    await some.close()
    const moves = [1, 4, 12, 24, 96].map((n) => `log_mean_abs_${n}`)
    expect(features.map(({ name }) => name).sort()).toEqual([...moves, 'return_1', 'rsi_14'].sort())
    expect(groups.map(({ name }) => name).sort()).toEqual(['oscillators', 'returns', 'volatility'])
  })
})

describe('what an uploaded model looks at', () => {
  const card = {
    ...GRU_CARD,
    inputs: [
      { name: 'return_1' },
      { name: 'range', mean: 1.5 },
      { name: 'log_sigma', mean: -5 },
      { name: 'close', sd: 1e9 },
    ],
  }

  it('is its declared inputs, over the newest 400 candles, with what nobody knows said', async () => {
    const model = await openForeignModel(gruFile(), card, { roundTripCostBps: 22 })
    try {
      const found = await permutationImportance(model, candles, { repeats: 2 })
      expect(found.features.map(({ name }) => name).sort()).toEqual(['close', 'log_sigma', 'range', 'return_1'])
      expect(found).toMatchObject({ outcomes: 400, to: candles.ts[3598], from: candles.ts[3199] })
      expect(found.caveat).toMatch(/nobody here knows/)
      const of = (name: string) => found.features.find((feature) => feature.name === name)!
      // A price over 10⁹ is nothing in float32, while its other inputs move what it says.
      expect(Math.abs(of('close').logLoss.mean)).toBeLessThan(1e-6)
      expect(of('return_1').logLoss.mean).not.toBe(0)
      expect(of('close')).toMatchObject({ group: 'prices', label: 'Close price' })
      expect(await permutationImportance(model, candles, { repeats: 2 })).toEqual(found)
      // The model is still open.
      expect((await model.predict(candles, { from: 3500, to: 3600 })).pUp).toHaveLength(100)
    } finally {
      model.close()
    }
  })
})
