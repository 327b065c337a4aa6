import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ModelArtifactFile, packArtifact, unpackArtifact } from './artifact/artifact.ts'
import { featureNames } from './features/feature-columns.ts'
import { loadPredictor } from './forecast/predict.ts'
import type { Predictions } from './forecast/predictions.ts'
import type { GivenSettings } from './recipe/settings.ts'
import { generateCandles } from './testing/generated-candles.ts'
import type { TrainCheckpoint } from './train/train-networks.ts'
import { type TrainModelInput, trainModel } from './train-model.ts'

const SMALL = { epochs: 2, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 12 }
const SOME = ['log_sigma', 'return_1', 'rsi_14', 'range']
const candles = generateCandles({ candles: 1700, seed: 61, momentum: 0.3 })
const history = sliceCandles(candles, 0, 1500)

/** The same market with volumes that have nothing to do with it. */
const otherVolumes = (given: Candles): Candles => ({
  ...given,
  volume: given.volume.map((volume, i) => (i % 7 === 0 ? 0 : volume * (1 + (i % 13)))),
})

const train = (settings: GivenSettings, given: Partial<TrainModelInput> = {}) =>
  trainModel({
    candles: history,
    timeframe: '1h',
    settings: { ...SMALL, ...settings },
    roundTripCostBps: 22,
    createdAtMs: 0,
    source: { venue: 'generated', symbol: 'TESTUSDT' },
    ...given,
  })

async function forecasts(artifact: ModelArtifactFile, over: Candles): Promise<Predictions> {
  const predictor = await loadPredictor(artifact)
  try {
    return await predictor.predict(over, { from: 1400, to: 1700 })
  } finally {
    await predictor.close()
  }
}

const expectSame = (a: Predictions, b: Predictions): void => {
  for (const column of ['pUp', 'quantilePrices', 'medians', 'expectedMoveBps', 'signal'] as const)
    expect(a[column], column).toEqual(b[column])
}

describe('a model that learnt from some features', () => {
  let made: Awaited<ReturnType<typeof train>>
  /** One that looks at volume too. */
  let looking: typeof made
  beforeAll(async () => {
    made = await train({ features: SOME })
    looking = await train({ features: [...SOME, 'volume_z'] })
  })

  it('says so in its card, and predicts the same after packing and unpacking', async () => {
    const { card } = made.artifact
    expect(card.features.names).toEqual(['return_1', 'range', 'rsi_14', 'log_sigma'])
    expect(card.settings.features).toEqual(card.features.names)
    expect(card.features.mean).toHaveLength(4)
    expect(card.logistic.weights).toHaveLength(4)
    expect(card.har.inputs.names.slice(5)).toEqual(['log_sigma', 'log_range'])
    const reopened = unpackArtifact(packArtifact(made.artifact))
    expect(reopened).toEqual(made.artifact)
    expectSame(await forecasts(reopened, candles), await forecasts(made.artifact, candles))
  })

  it('has the same hash however they were named, and another than one of other features', async () => {
    expect((await train({ features: SOME.toReversed() })).hash).toBe(made.hash)
    expect(looking.hash).not.toBe(made.hash)
  })

  it('is not touched at all by what it does not look at: neither in training nor in predicting', async () => {
    const calm = await forecasts(made.artifact, candles)
    expectSame(await forecasts(made.artifact, otherVolumes(candles)), calm)
    const elsewhere = await train({ features: SOME }, { candles: otherVolumes(history) })
    expectSame(await forecasts(elsewhere.artifact, candles), calm)
    // Volume does reach one that looks at it.
    const [before, after] = [
      await forecasts(looking.artifact, candles),
      await forecasts(looking.artifact, otherVolumes(candles)),
    ]
    expect(after.pUp).not.toEqual(before.pUp)
    expect(after.expectedMoveBps).not.toEqual(before.expectedMoveBps)
  })

  it('goes on from a checkpoint of its own features to the same model, and refuses one of others', async () => {
    const kept: TrainCheckpoint[] = []
    const onCheckpoint = (checkpoint: TrainCheckpoint) => {
      kept.push(checkpoint)
    }
    const { hash } = await train({ features: SOME, epochs: 3 }, { onCheckpoint })
    const resume = kept.find(({ lstm, transformer }) => lstm !== undefined && transformer !== undefined)!
    expect((await train({ features: SOME, epochs: 3 }, { resume })).hash).toBe(hash)
    const others = ['log_sigma', 'return_2', 'rsi_14', 'range']
    await expect(train({ features: others, epochs: 3 }, { resume })).rejects.toMatchObject({ code: 'conflict' })
    // One of all features has no mark, and cannot read one that has.
    await expect(train({ epochs: 3 }, { resume })).rejects.toMatchObject({ code: 'unprocessable' })
  })

  it('is refused where a feature is unknown', async () => {
    await expect(train({ features: ['return_1', 'moon'] })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('There is no feature named moon on 1h. Known are return_1,'),
    })
  })
})

describe('a model that learnt from all features', () => {
  let plain: Awaited<ReturnType<typeof train>>
  beforeAll(async () => {
    plain = await train({})
  })

  it('is the same whether they were named or not, and its card does not name them', async () => {
    const named = await train({ features: featureNames('1h') })
    expect(named.hash).toBe(plain.hash)
    expect('features' in named.artifact.card.settings).toBe(false)
    expect(named.artifact.card.features.names).toEqual(featureNames('1h'))
  })

  it("has the Transformer's sizes that were asked for", async () => {
    const { artifact } = await train({ transformerWidth: 16, transformerLayers: 3 })
    expect(artifact.card.settings).toMatchObject({ transformerWidth: 16, transformerLayers: 3, transformerHeads: 2 })
    const small = plain.artifact.files
    expect(artifact.files['transformer.onnx']!.length).toBeGreaterThan(2 * small['transformer.onnx']!.length)
    expect(artifact.files['lstm.onnx']).toEqual(small['lstm.onnx'])
    expect((await forecasts(artifact, candles)).pUp.every(Number.isFinite)).toBe(true)
  })
})
