import { candlesFromRows } from '@shapecast/engine/candles'
import { foldsOf } from '@shapecast/engine/walk-forward/folds'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFoldTrainings, type ForecastFold, joinSaid, judgeFolds, type TrainFold } from './fold-models.ts'

const HOUR = 3_600_000
const HISTORY = 7

/** Closes 100, 101, 100 and so on. */
const hours = (length: number) =>
  candlesFromRows(Array.from({ length }, (_, i) => [i * HOUR, 100, 200, 50, i % 3 === 1 ? 101 : 100, 1]))

/** A model that says 0.6 at every candle, and what its training and its forecasts were handed: the newest open times. */
function watched() {
  const trained: number[][] = []
  const asked: number[][] = []
  const train: TrainFold = async ({ ts }) => {
    trained.push([...ts])
    const fold = trained.length
    const report = { accuracy: 0.5, interval: [0.4, 0.6], outcomes: 10, effectiveOutcomes: 5 } as never
    const predictor = {
      historyCandles: 3,
      traits: { horizons: 1, signalHorizon: 1, climatology: 0.5, timeframe: '1h', seen: { from: 0, to: ts.at(-1)! } },
      predict: async ({ ts: given }: { ts: Float64Array }, { from, to }: { from: number; to: number }) => {
        asked.push([...given.subarray(from, to)])
        const column = (value: number) => new Float64Array(to - from).fill(value)
        return {
          pUp: column(0.5 + fold / 100),
          signal: new Int8Array(to - from),
          confidence: column(0.6),
          edgeBps: column(1),
          medians: { lstm: column(1) },
          quantilePrices: column(1),
          horizons: 1,
          quantiles: [0.5],
        }
      },
      close: async () => undefined,
    } as unknown as ModelPredictor
    return { hash: `${fold}`, heldOut: report, predictor }
  }
  return { trained, asked, train }
}

const { signal } = new AbortController()

const walkOf = async (length: number, plan: Parameters<typeof foldsOf>[1]) => {
  const walked = { candles: hours(HISTORY + length), from: HISTORY, timeframe: '1h' as const }
  const folds = foldsOf(length, plan)
  const watch = watched()
  const trainings = createFoldTrainings(watch.train, () => 0)
  const models: ForecastFold[] = []
  for (const fold of folds) models.push(await trainings.forecast(walked, fold, signal))
  return { walked, folds, ...watch, models }
}

describe('models that are trained before each stretch', () => {
  it('are handed 300 hours, and forecast from the close before the next 200 on', async () => {
    const { trained, asked } = await walkOf(1000, { train: 300, test: 200, anchored: false })
    const ends = (all: number[][]) => all.map((ts) => [ts[0]! / HOUR - HISTORY, ts.at(-1)! / HOUR - HISTORY])
    // 1000 = 100 that fill no fold + 300 + 3 × 200.
    expect(ends(trained)).toEqual([
      [100, 399],
      [300, 599],
      [500, 799],
    ])
    expect(ends(asked)).toEqual([
      [399, 598],
      [599, 798],
      [799, 998],
    ])
  })

  it('never see a candle of their stretch or a later one, whatever the plan', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: 60 }),
        fc.integer({ min: 5, max: 30 }),
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        async (train, test, count, rest, anchored) => {
          const { trained, asked, folds, walked } = await walkOf(train + count * test + (rest % test), {
            train,
            test,
            anchored,
          })
          const ts = (place: number) => walked.candles.ts[HISTORY + place]!
          for (const [k, { trainFrom, testFrom }] of folds.entries()) {
            expect(trained[k]![0]).toBe(ts(trainFrom))
            expect(Math.max(...trained[k]!)).toBe(ts(testFrom) - HOUR)
            expect(asked[k]).toHaveLength(test)
          }
          // One record: each close is forecast once, in order, without a hole.
          expect(asked.flat()).toEqual(Array.from({ length: count * test }, (_, i) => ts(folds[0]!.testFrom - 1 + i)))
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 15) },
    ))

  it('say nothing before the first, and each speaks for its own stretch', async () => {
    const { walked, folds, models } = await walkOf(20, { train: 10, test: 5, anchored: true })
    const { pUp } = joinSaid(walked, folds, models)
    expect([...pUp.subarray(HISTORY + 8, HISTORY + 20)]).toEqual([
      Number.NaN,
      ...Array(5).fill(0.51),
      ...Array(5).fill(0.52),
      Number.NaN,
    ])
  })

  it('are judged together by the outcomes that are known', async () => {
    const { walked, folds, models } = await walkOf(20, { train: 10, test: 5, anchored: true })
    const { each, all } = judgeFolds(walked, folds, models)
    // Closes of the ten hours from place 9 (hour 16) on go 101, 100, 100, 101, 100, 100, 101, 100, 100, 101, 100: 3 rises, 4 falls, 3 flat.
    expect([all.outcomes, all.accuracy, all.majorityBaseline]).toEqual([7, 3 / 7, 3 / 7])
    expect(each.map(({ outcomes }) => outcomes)).toEqual([3, 4])
  })
})

it('foretells the rest by the trainings so far, and says nothing before the first', async () => {
  const walked = { candles: hours(HISTORY + 20), from: HISTORY, timeframe: '1h' as const }
  const folds = foldsOf(20, { train: 10, test: 5, anchored: true })
  // Each look at the clock is 10 s later: a training takes 10.
  let clock = 0
  const trainings = createFoldTrainings(watched().train, () => (clock += 10_000))
  expect(trainings.leftS(4)).toBeNull()
  await trainings.forecast(walked, folds[0]!, new AbortController().signal)
  expect(trainings.leftS(3)).toBe(30)
})
