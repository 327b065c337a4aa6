import { sliceCandles } from '@shapecast/engine/candles'
import { beforeAll, describe, expect, it } from 'vitest'
import { packArtifact, unpackArtifact } from './artifact/artifact.ts'
import { loadPredictor } from './forecast/predict.ts'
import { candlesNeeded } from './recipe/settings.ts'
import { fitShrinkage } from './recipe/shrinkage.ts'
import { TooFewCandles } from './recipe/too-few-candles.ts'
import { generateCandles, withoutCandles } from './testing/generated-candles.ts'
import { ML_VERSION } from './train/assemble-artifact.ts'
import type { TrainProgress } from './train/progress-meter.ts'
import type { TrainCheckpoint } from './train/train-networks.ts'
import { type TrainedModel, type TrainModelInput, trainModel } from './train-model.ts'

const SMALL = { epochs: 3, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 12 }
const job = (given: Partial<TrainModelInput> = {}): TrainModelInput => ({
  candles: generateCandles({ candles: 1500, seed: 21 }),
  timeframe: '1h',
  settings: SMALL,
  roundTripCostBps: 22,
  createdAtMs: 1_700_000_000_000,
  source: { venue: 'generated', symbol: 'TESTUSDT' },
  ...given,
})

describe('trainModel', () => {
  it('finds planted momentum and says that it beats the baselines', async () => {
    const candles = generateCandles({ candles: 3000, seed: 2, momentum: 0.5 })
    const { artifact } = await trainModel(job({ candles }))
    const { evaluation, calibration, ranges } = artifact.card
    // It is calibrated by what came after the validation rows: again from its forecasts of them, c + w (p − c).
    const { climatology: c, weight } = calibration
    const [from, last] = [ranges.validation.from, ranges.validation.to].map((ts) => candles.ts.indexOf(ts))
    const predictor = await loadPredictor(artifact)
    const { pUp } = await predictor.predict(candles, { from: from!, to: last! + 1 })
    await predictor.close()
    const labels = Float32Array.from(pUp, (_, k) => (candles.close[from! + k + 1]! > candles.close[from! + k]! ? 1 : 0))
    const raw = pUp.map((p) => c + (p - c) / weight)
    expect(weight).toBeGreaterThan(0.06)
    expect(fitShrinkage(raw, labels, c).weight).toBeCloseTo(weight, 6)
    // Half of a return carries over: the next has its sign with probability ½ + arcsin(½) / π, two in three.
    expect(evaluation.accuracy.accuracy).toBeGreaterThan(0.6)
    expect(evaluation.accuracy.interval[0]).toBeGreaterThan(0.53)
    expect(evaluation.accuracy.verdict).toMatch(/^better than the/)
    expect(evaluation.probability.logLossSkill).toBeGreaterThan(0.03)
    expect(evaluation.correlation.rankIc).toBeGreaterThan(evaluation.correlation.interval95)
    const { buy, sell } = evaluation.confusion
    expect(buy[0] + sell[1]).toBeGreaterThan(1.5 * (buy[1] + sell[0]))
  })

  it('claims nothing on a random walk, while its fan covers what it promises', async () => {
    const candles = generateCandles({ candles: 3000, seed: 3 })
    const { evaluation } = (await trainModel(job({ candles }))).artifact.card
    expect(evaluation.accuracy.verdict).toMatch(/^indistinguishable from the/)
    expect(evaluation.accuracy.interval[0]).toBeLessThan(0.5)
    expect(evaluation.accuracy.interval[1]).toBeGreaterThan(0.5)
    expect(Math.abs(evaluation.probability.logLossSkill)).toBeLessThan(0.03)
    expect(evaluation.fan[0]!.coverage90).toBeCloseTo(0.9, 1)
    expect(evaluation.fan[0]!.coverage50).toBeCloseTo(0.5, 1)
    expect(evaluation.trading.signal.netPct).toBeLessThan(evaluation.trading.signal.grossPct)
  })

  describe('on the same candles', () => {
    const reports: TrainProgress[] = []
    const checkpoints: TrainCheckpoint[] = []
    let clock = 0
    let made: TrainedModel
    beforeAll(async () => {
      made = await trainModel(
        job({
          onProgress: (p) => reports.push(p),
          onCheckpoint: (checkpoint) => void checkpoints.push(checkpoint),
          now: () => (clock += 1000),
        }),
      )
    })

    it('gives the same hash for the same seed, another for another seed', async () => {
      expect((await trainModel(job({ createdAtMs: 1 }))).hash).toBe(made.hash)
      expect((await trainModel(job({ settings: { ...SMALL, seed: 2 } }))).hash).not.toBe(made.hash)
    })

    it('makes an artifact that survives packing, with disjoint ranges and the default settings named', () => {
      const { artifact } = made
      expect(unpackArtifact(packArtifact(artifact))).toEqual(artifact)
      const { ranges, settings, data, engine } = artifact.card
      expect(engine).toEqual({ ml: ML_VERSION, onnxRuntime: '1.27.0' })
      expect(ranges.train.to + 8 * 3_600_000).toBeLessThan(ranges.validation.from)
      expect(ranges.validation.to + 8 * 3_600_000).toBeLessThanOrEqual(ranges.holdout.from)
      expect(ranges.holdout.rows).toBe(400)
      expect(settings).toMatchObject({ ...SMALL, seed: 1, patience: 4, harAlpha: 30 })
      expect(data).toMatchObject({ candles: 1500, gaps: 0 })
      expect(Object.keys(artifact.files).sort()).toEqual([
        'conformal-scores.f64',
        'lstm.onnx',
        'lstm.state',
        'transformer.onnx',
        'transformer.state',
      ])
    })

    it('reports every phase, counts up to its total, and tells the seconds left by the clock that it is given', () => {
      const currents = reports.map((p) => p.current)
      expect(currents).toEqual([...currents].sort((a, b) => a - b))
      expect([...new Set(reports.map((p) => p.phase))]).toEqual([
        'features',
        'volatility',
        'logistic',
        'networks',
        'calibration',
        'evaluation',
        'packing',
      ])
      expect(reports.at(-1)).toMatchObject({ current: 11, total: 12 })
      const epochs = reports.filter((p) => p.phase === 'networks' && p.epoch !== null)
      expect(new Set(epochs.map((p) => p.network))).toEqual(new Set(['lstm', 'transformer']))
      expect(epochs.every((p) => Number.isFinite(p.trainLoss) && Number.isFinite(p.validationLoss))).toBe(true)
      // One epoch took one second of the given clock, and five are left.
      expect(epochs[0]!.secondsLeft).toBe(5)
    })

    it('goes on from a checkpoint to the very model that an uninterrupted training gives', async () => {
      const middle = checkpoints.find((c) => c.lstm !== undefined && c.transformer !== undefined)!
      expect((await trainModel(job({ resume: middle }))).hash).toBe(made.hash)
    })
  })

  it('makes a readable artifact of a market that stands still, and says that nothing can be judged', async () => {
    const still = generateCandles({ candles: candlesNeeded(SMALL), seed: 1 })
    for (const column of [still.open, still.high, still.low, still.close]) column.fill(1)
    still.volume.fill(0)
    const { artifact } = await trainModel(job({ candles: still, settings: { ...SMALL, epochs: 1 } }))
    const { card } = unpackArtifact(packArtifact(artifact))
    expect(card.evaluation.accuracy).toMatchObject({ outcomes: 0, flatOutcomes: 400, interval: [0, 1] })
    expect(card.evaluation.accuracy.verdict).toBe('no outcome to judge by')
  })

  it('stops when it is aborted, before it begins and between two epochs', async () => {
    const aborted = AbortSignal.abort(new Error('cancelled'))
    await expect(trainModel(job({ signal: aborted }))).rejects.toThrow('cancelled')
    const controller = new AbortController()
    const phases: string[] = []
    const training = trainModel(
      job({
        signal: controller.signal,
        onProgress(p) {
          phases.push(p.phase)
          if (p.epoch === 1) controller.abort(new Error('cancelled midway'))
        },
      }),
    )
    await expect(training).rejects.toThrow()
    expect(phases).not.toContain('calibration')
  })
})

describe('too few candles', () => {
  it('says how many there are and how many are needed', async () => {
    expect(candlesNeeded({})).toBe(99 + 30 + 8 + 600 + 400)
    const need = candlesNeeded(SMALL)
    const training = trainModel(job({ candles: generateCandles({ candles: need - 1, seed: 1 }) }))
    await expect(training).rejects.toThrow(TooFewCandles)
    await expect(training).rejects.toMatchObject({ code: 'too_few_candles', have: need - 1, need })
    await expect(training).rejects.toThrow(`at least ${need} candles and there are ${need - 1}`)
  })

  it('suffice at the number named', async () => {
    const candles = generateCandles({ candles: candlesNeeded(SMALL), seed: 1 })
    const { artifact } = await trainModel(job({ candles, settings: { ...SMALL, epochs: 1 } }))
    expect(artifact.card.ranges.train.rows).toBeGreaterThan(500)
  })

  it('counts what long holes leave over', async () => {
    const holed = withoutCandles(generateCandles({ candles: 1300, seed: 1 }), 300, 400)
    const training = trainModel(job({ candles: sliceCandles(holed, 0) }))
    await expect(training).rejects.toThrow(/Holes among them leave \d+ to learn from/)
  })

  it('refuses settings that make no sense before anything is computed', async () => {
    await expect(trainModel(job({ settings: { signalHorizon: 9 } }))).rejects.toMatchObject({ code: 'bad_input' })
  })
})
