import { ModelComparison } from '@shapecast/contracts/model-comparison'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { candlesFromRows, sliceCandles } from '@shapecast/engine/candles'
import type { ModelPredictor, ModelTraits } from '@shapecast/ml/forecast/model-traits'
import type { Predictions } from '@shapecast/ml/forecast/predictions'
import { beforeAll, describe, expect, it } from 'vitest'
import { compareModels } from './compare-models.ts'
import { pairedTest } from './judge-artifact.ts'

const HOUR = TIMEFRAME_MS['1h']
/** 205 candles whose closes go 100, 110, 100, 99, 99 and begin again: ups, downs and one flat in five. */
const CLOSES = [100, 110, 100, 99, 99]
const MARKET = candlesFromRows(
  Array.from({ length: 205 }, (_, i) => [i * HOUR, 100, 120, 90, CLOSES[i % CLOSES.length]!, 1]),
)
/** Candles that some version has learnt from: the 104 from 100 on have an outcome that none knew. */
const UNSEEN = 100

interface Called {
  pUp: number
  signal: number
}
/** What a version says of the candle whose close is the k-th of the five. */
type Says = (k: number) => Called

const predictorOf = (
  says: Says,
  { unseenFrom = UNSEEN, signalHorizon = 1, historyCandles = 10 } = {},
): ModelPredictor => ({
  historyCandles,
  traits: { unseenFrom: unseenFrom * HOUR, signalHorizon, climatology: 0.4 } as ModelTraits,
  close: async () => {},
  async predict(candles, { from, to } = { from: 0, to: candles.length }) {
    const rows = Array.from({ length: to - from }, (_, k) => from + k)
    const said = rows.map((i) => says((candles.ts[i]! / HOUR) % 5))
    return {
      from,
      to,
      pUp: Float64Array.from(said, ({ pUp }) => pUp),
      signal: Int8Array.from(said, ({ signal }) => signal),
      confidence: Float64Array.from(said, ({ pUp }) => Math.max(pUp, 1 - pUp)),
      horizons: 1,
      quantiles: [0.05, 0.95],
      // 5 % on either side: an up from 100 to 110 and a down from 110 to 100 lie outside.
      quantilePrices: Float64Array.from(rows.flatMap((i) => [0.95, 1.05].map((x) => x * candles.close[i]!))),
    } as Partial<Predictions> as Predictions
  },
})
let loaded: { fromMs?: number | undefined; toMs?: number | undefined }
const compare = (models: Record<string, ModelPredictor>, market = MARKET) =>
  compareModels(
    {
      store: { ownerOf: async () => ({ stage: 'staging', createdBy: null }) } as unknown as Parameters<
        typeof compareModels
      >[0]['store'],
      predictors: {
        use: (version, _symbol, _timeframe, use) =>
          use({ version, artifactId: version, hash: version, predictor: models[version]! }),
      },
      candles: {
        venue: 'replay',
        async load(_symbol, _timeframe, { fromMs = 0, toMs = 0 }) {
          loaded = { fromMs, toMs }
          return sliceCandles(market, fromMs / HOUR, Math.min(market.length, toMs / HOUR + 1))
        },
      },
    },
    { versions: Object.keys(models), symbol: 'BTCUSDT', timeframe: '1h' },
  )

/** Right of the up, of one of the two downs, wrong of the other; calls a direction on the flat one too. */
const bold = predictorOf(
  (k) =>
    [
      { pUp: 0.8, signal: 1 },
      { pUp: 0.2, signal: -1 },
      { pUp: 0.6, signal: 1 },
    ][k] ?? { pUp: 0.9, signal: 1 },
)
/** Always a little down, and says so where it has just risen. */
const shy = predictorOf((k) => ({ pUp: 0.4, signal: k === 1 ? -1 : 0 }), { unseenFrom: 90, historyCandles: 4 })

it('models have no accuracy where no outcome rose or fell: null as in the record, never 0', async () => {
  const flat = candlesFromRows(Array.from({ length: 205 }, (_, i) => [i * HOUR, 100, 100, 100, 100, 1]))
  const found = await compare({ bold, shy }, flat)
  expect(found.outcomes).toBe(104)
  for (const model of found.models) expect(model).toMatchObject({ accuracy: null, accuracyInterval: null })
  expect(found.baselines).toEqual({ majority: null, reversal: null })
  for (const rule of found.ensembles) expect(rule).toMatchObject({ calls: 0, accuracy: null, bestSingle: null })
  expect(ModelComparison.shape.pairs.safeParse(found.pairs).success).toBe(true)
})

describe('versions side by side', () => {
  let found: Awaited<ReturnType<typeof compare>>
  beforeAll(async () => {
    found = await compare({ bold, shy })
  })

  it('are judged from the later of their hold-outs on, with the history that forecasts need', () => {
    expect(loaded).toEqual({ fromMs: (UNSEEN - 10) * HOUR, toMs: (UNSEEN + 5000) * HOUR })
    expect(found).toMatchObject({ from: 100 * HOUR, to: 203 * HOUR, outcomes: 104 })
    expect(found.effectiveOutcomes).toBeCloseTo((104 * 233) / 400, 9)
  })

  // Of the 104 outcomes, 100 … 203: 21 ups (k = 0), 21 and 21 downs (k = 1 and 2), 21 flat (k = 3), 20 ups (k = 4, 99 to 100).
  it('have their accuracy over the 83 outcomes that moved', () => {
    const [first, second] = found.models
    expect(first!.accuracy).toBeCloseTo((21 + 21 + 20) / 83, 12)
    expect(second!.accuracy).toBeCloseTo(42 / 83, 12)
    expect(first!.signals).toEqual({ buy: 83, sell: 21, hold: 0 })
    expect(second!.signals).toEqual({ buy: 0, sell: 21, hold: 83 })
    const n = (83 * 233) / 400
    const p = 42 / 83
    const reach = (1.959964 * Math.sqrt((p * (1 - p)) / n + 1.959964 ** 2 / (4 * n * n))) / (1 + 1.959964 ** 2 / n)
    const [low, high] = second!.accuracyInterval!
    expect((high - low) / 2).toBeCloseTo(reach, 6)
  })

  it('have the losses of what they said, a flat outcome being half an up', () => {
    const [first, second] = found.models
    const brier = [0.2 ** 2, 0.2 ** 2, 0.6 ** 2, 0.4 ** 2, 0.1 ** 2]
    const share = [21, 21, 21, 21, 20]
    const mean = (of: readonly number[]) => of.reduce((sum, value, k) => sum + value * share[k]!, 0) / 104
    expect(first!.brier).toBeCloseTo(mean(brier), 9)
    expect(second!.brier).toBeCloseTo(mean([0.6 ** 2, 0.4 ** 2, 0.4 ** 2, 0.1 ** 2, 0.6 ** 2]), 9)
    const logs = [0.8, 0.8, 0.4, Math.sqrt(0.9 * 0.1), 0.9].map((p) => -Math.log(p))
    expect(first!.logLoss).toBeCloseTo(mean(logs), 6)
    // Of 100 → 110 and 110 → 100 none lies within 5 %, of the others all.
    expect(first!.coverage90).toMatchObject([{ horizon: 1, coverage: 62 / 104 }])
  })

  it('stand beside always calling a fall, as 60 % of the past did, and beside the opposite of the last move', () => {
    // Before the up: flat to up (k = 0 follows 99 → 100, an up: calls down, wrong). k = 1 calls down, right; k = 2 calls
    // up, wrong; k = 4 follows a flat one and calls as the majority does: down, wrong. k = 3 is flat and left out.
    expect(found.baselines.majority).toBeCloseTo(42 / 83, 12)
    expect(found.baselines.reversal).toBeCloseTo(21 / 83, 12)
  })

  it('are held against each other in pairs', () => {
    const [pair] = found.pairs
    expect(pair).toMatchObject({ a: 'bold', b: 'shy', logLoss: { outcomes: 104 } })
    expect(pair!.logLoss.meanDifference).toBeCloseTo(found.models[0]!.logLoss - found.models[1]!.logLoss, 12)
    expect(pair!.pinball.meanDifference).toBe(0)
    // Errors −0.2, 0.2, 0.6, 0.4, −0.1 against −0.6, 0.4, 0.4, −0.1, −0.6.
    expect(pair!.errorCorrelation).toBeCloseTo(0.82, 4)
  })

  it('vote together: both call a direction right after the up alone, and the best is right of itself there', () => {
    const rule = (name: string) => found.ensembles.find(({ strategy }) => strategy === name)!
    // They agree on SELL at k = 1, which is right each time.
    expect(rule('unanimous')).toMatchObject({ calls: 21, accuracy: 1, bestSingle: 1 })
    const n = (21 * 233) / 400
    expect(rule('unanimous').interval![0]).toBeCloseTo(1 / (1 + 1.959964 ** 2 / n), 6)
    // Surer than 0.6 is bold everywhere but at k = 2, where both are: 21 + 21 of k = 0 and 1, 20 of k = 4, all right.
    expect(rule('confidence_threshold')).toMatchObject({ calls: 62, accuracy: 1 })
  })
})

describe('versions that cannot be compared', () => {
  it('have signals of different horizons, or fewer than 100 outcomes that are new to all', async () => {
    const far = predictorOf(() => ({ pUp: 0.5, signal: 0 }), { signalHorizon: 2 })
    await expect(compare({ bold, far })).rejects.toThrow('bold gives its signal one candle ahead and far at another')
    const newer = (unseenFrom: number) => predictorOf(() => ({ pUp: 0.5, signal: 0 }), { unseenFrom })
    expect((await compare({ bold, newer: newer(104) })).outcomes).toBe(100)
    await expect(compare({ bold, newer: newer(105) })).rejects.toThrow('Only 99 outcomes are known')
  })

  it('have no accuracy together when none calls a direction', async () => {
    const still = predictorOf(() => ({ pUp: 0.5, signal: 0 }))
    const { ensembles } = await compare({ one: still, two: still })
    for (const rule of ensembles)
      expect(rule).toMatchObject({ calls: 0, accuracy: null, interval: null, bestSingle: null })
  })
})

describe('a paired test in words', () => {
  const found = {
    outcomes: 9,
    meanDifference: -0.1,
    interval: [-0.2, 0] as [number, number],
    statistic: -2,
    pValue: 0.049,
  }
  it.each([
    [{}, 'a is better (p = 0.049)'],
    [{ meanDifference: 0.1 }, 'b is better (p = 0.049)'],
    [{ pValue: 0.05 }, 'no difference beyond chance (p = 0.050)'],
    [{ pValue: 0.0009 }, 'a is better (p < 0.001)'],
    [{ pValue: 0.001 }, 'a is better (p = 0.001)'],
  ])('with %j: %s', (over, verdict) => expect(pairedTest({ ...found, ...over }, 'a', 'b').verdict).toBe(verdict))
})
