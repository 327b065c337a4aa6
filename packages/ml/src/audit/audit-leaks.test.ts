import { leakVerdict } from '@shapecast/contracts/leak-audit'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateCandles } from '../generated-candles.ts'
import { loadPredictor, type Predictor } from '../predict.ts'
import { trainModel } from '../train-model.ts'
import { directionsByLot } from './altered-candles.ts'
import { artifactPipeline, auditArtifact, checkRanges } from './audit-artifact.ts'
import { auditLeaks } from './audit-leaks.ts'
import type { AuditedPipeline } from './audited-pipeline.ts'

const history = generateCandles({ candles: 4000, seed: 41 })
const check = (audit: Awaited<ReturnType<typeof auditLeaks>>, name: string) =>
  audit.checks.find((one) => one.name === name)!

let predictor: Predictor
let honest: AuditedPipeline
beforeAll(async () => {
  const settings = { epochs: 2, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 12 }
  const { artifact } = await trainModel({
    candles: sliceCandles(history, 0, 2400),
    timeframe: '1h',
    settings,
    roundTripCostBps: 22,
    createdAtMs: 0,
    source: { venue: 'generated', symbol: 'TESTUSDT' },
  })
  predictor = await loadPredictor(artifact)
  honest = artifactPipeline(predictor)
})
afterAll(() => predictor.close())

/** A pipeline whose candles were joined with a column that is one candle late: volume tells the next candle's return. */
function leakingOneCandle(pipeline: AuditedPipeline): AuditedPipeline {
  const joined = (candles: Candles): Candles => ({
    ...candles,
    volume: candles.volume.map((_, i) =>
      i + 1 < candles.length ? 100 * Math.exp(40 * Math.log(candles.close[i + 1]! / candles.close[i]!)) : 100,
    ),
  })
  return {
    ...pipeline,
    inputs: (candles) => pipeline.inputs(joined(candles)),
    forecasts: (candles, from, to) => pipeline.forecasts(joined(candles), from, to),
    retrain: (candles, outcomeOf) => pipeline.retrain!(joined(candles), outcomeOf),
  }
}

describe('the leak audit of a model of ours', () => {
  it('is silent, with every check made, on all candles that it is given', async () => {
    const audit = await auditArtifact(predictor.artifact, history, { mode: 'full' })
    expect(audit.checks.filter(({ passed }) => !passed)).toEqual([])
    expect(audit.checks.map(({ name }) => name)).toEqual([
      'Ranges kept apart',
      'Inputs with the future cut off',
      'Inputs with the future changed',
      'Forecasts with the future cut off',
      'Forecasts with the future changed',
      'Labels shifted, directions drawn by lot',
      'Target shuffled',
    ])
    expect(audit).toMatchObject({ passed: true, mode: 'full', caveat: null })
    // Seven columns of forecasts, of which the fan has 40 numbers a candle: 46 over 24 candles before each of 3 cuts.
    expect(check(audit, 'Forecasts with the future cut off').detail).toBe(
      '3,312 numbers before 3 cuts stayed as they were.',
    )
    expect(check(audit, 'Labels shifted, directions drawn by lot').detail).toMatch(
      /^Taught what is already known: [89]\d/,
    )
  })

  it('trains nothing in fast mode', async () => {
    const audit = await auditArtifact(predictor.artifact, history, { mode: 'fast' })
    expect(audit.passed).toBe(true)
    expect(audit.checks).toHaveLength(5)
  })

  it('says how far the ranges lie apart, and speaks where an outcome reaches over', () => {
    const { card } = predictor.artifact
    expect(checkRanges(card)).toMatchObject({
      passed: true,
      detail: expect.stringContaining('9 candles from the last'),
    })
    const ranges = { ...card.ranges, train: { ...card.ranges.train, to: card.ranges.train.to + 3_600_000 } }
    expect(checkRanges({ ...card, ranges }).passed).toBe(false)
  })

  it('asks for candles where there are too few, and stops when aborted', async () => {
    const few = sliceCandles(history, 0, 599)
    await expect(auditLeaks(honest, few, { mode: 'fast' })).rejects.toMatchObject({ code: 'too_few_candles' })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(auditLeaks(honest, history, { mode: 'fast', signal })).rejects.toThrow('enough')
  })
})

describe('the leak audit of a pipeline that sees one candle ahead', () => {
  it('speaks at the inputs, the forecasts and the labels, and says that it is one candle', async () => {
    const audit = await auditLeaks(leakingOneCandle(honest), history, { mode: 'full' })
    expect(audit.passed).toBe(false)
    for (const name of ['Inputs with the future cut off', 'Inputs with the future changed']) {
      expect(check(audit, name)).toMatchObject({ passed: false, detail: expect.stringMatching(/volume_z/) })
      expect(check(audit, name).detail).toContain('up to 1 candle ahead')
    }
    for (const name of ['Forecasts with the future cut off', 'Forecasts with the future changed'])
      expect(check(audit, name)).toMatchObject({
        passed: false,
        detail: expect.stringContaining('up to 1 candle ahead'),
      })
    const labels = check(audit, 'Labels shifted, directions drawn by lot')
    expect(labels.passed).toBe(false)
    expect(labels.detail).toMatch(/Its own outcome: [6-9]\d\.\d% right/)
    // With other candles' outcomes as the target there is nothing that the leak could tell.
    expect(check(audit, 'Target shuffled').passed).toBe(true)
  })

  it('speaks where all is scaled by a mean that the future is part of', async () => {
    const scaled: AuditedPipeline = {
      ...honest,
      inputs(candles) {
        const mean = candles.close.reduce((sum, price) => sum + price, 0) / candles.length
        return { 'price over its mean': candles.close.map((price) => price / mean) }
      },
    }
    const audit = await auditLeaks(scaled, history, { mode: 'fast' })
    expect(check(audit, 'Inputs with the future cut off')).toMatchObject({ passed: false })
    expect(check(audit, 'Forecasts with the future cut off')).toMatchObject({ passed: true })
  })

  it('speaks where forecasts do not look at the candles at all', async () => {
    const deaf: AuditedPipeline = {
      ...honest,
      forecasts: async (_, from, to) => ({ 'P(up)': new Float64Array(to - from).fill(0.5) }),
    }
    const audit = await auditLeaks(deaf, history, { mode: 'fast' })
    expect(check(audit, 'Forecasts with the future changed')).toMatchObject({
      passed: false,
      detail: 'Nothing moves when candles change: this pipeline does not look at them.',
    })
    // It did not see a leak: it could not have.
    expect(leakVerdict(audit)).toBe('unknown')
  })

  it('speaks where judged rows were trained on: a shuffled target is known', async () => {
    const memorising: AuditedPipeline = {
      ...honest,
      async retrain(candles, outcomeOf) {
        const made = await honest.retrain!(candles, outcomeOf)
        const known = (i: number): boolean => {
          const j = outcomeOf[i]!
          return j >= 0 && candles.close[Math.min(candles.length - 1, j + 1)]! > candles.close[j]!
        }
        return { ...made, pUp: Float64Array.from(made.rows, (i) => (known(i) ? 0.6 : 0.4)) }
      },
    }
    const audit = await auditLeaks(memorising, history, { mode: 'full' })
    expect(check(audit, 'Target shuffled').passed).toBe(false)
    expect(check(audit, 'Target shuffled').detail).toContain('Direction: 100.0% right')
  })
})

describe('a check that speaks by chance', () => {
  /** Trains nothing: its P(up) is the known outcome itself in the trainings numbered `lucky`, and the opposite else. */
  const lucky = (...trainings: number[]): AuditedPipeline => {
    let trained = 0
    return {
      ...honest,
      async retrain(candles, outcomeOf) {
        const now = ++trained
        const rows = Int32Array.from({ length: 400 }, (_, k) => candles.length - 450 + k)
        // The first of each four is taught what is already known, and finds it.
        const finds = now % 4 === 1 || trainings.includes(now)
        const pUp = Float64Array.from(rows, (i) => {
          const j = outcomeOf[i]!
          return candles.close[j + 1]! > candles.close[j]! === finds ? 0.6 : 0.4
        })
        return { rows, pUp, expectedMove: new Float64Array(rows.length).fill(1) }
      },
    }
  }

  it('is made again with other lots and does not count where it is silent then', async () => {
    const audit = await auditLeaks(lucky(2), history, { mode: 'full' })
    expect(check(audit, 'Labels shifted, directions drawn by lot')).toMatchObject({
      passed: true,
      detail: expect.stringMatching(/Its own outcome: 0\.0% right.* the first time: .*Its own outcome: 100\.0% right/),
    })
    expect(leakVerdict(audit)).toBe('passed')
  })

  it('counts where it speaks again', async () => {
    const audit = await auditLeaks(lucky(2, 6), history, { mode: 'full' })
    expect(check(audit, 'Labels shifted, directions drawn by lot').passed).toBe(false)
    expect(leakVerdict(audit)).toBe('failed')
  })
})

describe('directions drawn by lot', () => {
  const drawn = directionsByLot(history, createRandom(5))
  const moves = ({ close }: Candles): Float64Array => close.slice(1).map((price, i) => Math.log(price / close[i]!))

  it('keep the size of every move and turn about half of them', () => {
    const [before, after] = [moves(history), moves(drawn)]
    let turned = 0
    before.forEach((move, i) => {
      expect(Math.abs(after[i]!)).toBeCloseTo(Math.abs(move), 12)
      if (after[i]! * move < 0) turned++
    })
    expect(turned / before.length).toBeCloseTo(0.5, 1)
  })

  it('keep candles in order: the low below, the high above', () => {
    for (let i = 0; i < drawn.length; i++) {
      expect(drawn.high[i]! * (1 + 1e-12)).toBeGreaterThanOrEqual(Math.max(drawn.open[i]!, drawn.close[i]!))
      expect(drawn.low[i]! * (1 - 1e-12)).toBeLessThanOrEqual(Math.min(drawn.open[i]!, drawn.close[i]!))
    }
  })
})
