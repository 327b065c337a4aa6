import type { AccuracyReport } from '@shapecast/contracts/evaluation'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { DEFAULT_LOOKBACK, HORIZONS } from '@shapecast/contracts/training-candles'
import type { FoldModel } from '@shapecast/contracts/walk-forward'
import { type Candles, copyCandles } from '@shapecast/engine/candles'
import type { RuleForecast } from '@shapecast/engine/rules/rule-columns'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import type { Fold } from '@shapecast/engine/walk-forward/folds'
import { accuracyReport, type DirectionCalls } from '@shapecast/ml/evaluate/accuracy'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import { historyCandles } from '@shapecast/ml/forecast/predict-range'
import { forecastRun } from '../backtests/predict-candles.ts'
import { ruleForecast, type SaidColumns } from '../deciders/rule.ts'
import { openPredictor } from '../models/open-predictor.ts'
import type { Recipe } from '../models/recipes.ts'
import { type TrainArtifactInput, trainArtifact } from '../models/train-artifact.ts'

/** How a model is trained on candles for a fold. */
export type TrainFold = (
  candles: Candles,
  signal: AbortSignal,
) => Promise<{ hash: string; heldOut: AccuracyReport; predictor: ModelPredictor }>

/** Trains by a recipe, as a training that is asked for does; nothing of it is kept. */
export const trainBy =
  ({ version, params }: Recipe, series: TrainArtifactInput['series'], now: () => number): TrainFold =>
  async (candles, signal) => {
    const made = await trainArtifact({ signal, series, version, candles, params, createdAtMs: now(), now })
    return { hash: made.hash, heldOut: made.shown.accuracy, predictor: await openPredictor(made) }
  }

/** What the model of a fold came to: plain data. */
export interface ForecastFold extends Omit<FoldModel, 'ahead'> {
  /** From the close before the stretch to the one before its last. */
  readonly said: SaidColumns
  readonly horizon: number
  /** Whether more closes rose than fell before its hold-out. */
  readonly rises: boolean
}

type Walked = Pick<SearchGround, 'candles' | 'from' | 'timeframe'>

/**
 * Trains a model on the training candles of a fold, of which its own hold-out are the newest 400, and lets it forecast the
 * stretch that follows, close by close. It is handed copies that end before what it may not see.
 */
async function forecastFold(
  { candles, from }: Walked,
  { trainFrom, testFrom, testTo }: Fold,
  train: TrainFold,
  now: () => number,
  signal: AbortSignal,
): Promise<ForecastFold> {
  const [start, first] = [now(), from + testFrom - 1]
  const { hash, heldOut, predictor } = await train(copyCandles(candles, from + trainFrom, first + 1), signal)
  const seconds = (now() - start) / 1000
  try {
    const stretch = {
      run: copyCandles(candles, first, from + testTo - 1),
      from: 'stored' as const,
      before: async (count: number) => copyCandles(candles, Math.max(0, first - count), first),
    }
    const { forecasts } = await forecastRun(stretch, predictor, { signal })
    const { pUp, volatility, edgeBps, medians } = forecasts
    const { signalHorizon: horizon, climatology, seen } = predictor.traits
    const said = { pUp, volatility, edgeBps, medians }
    return { hash, learntTo: seen.to, heldOut, seconds, said, horizon, rises: climatology >= 0.5 }
  } finally {
    await predictor.close()
  }
}

/** Trains and forecasts one fold after the other, in whatever order, and foretells how long the rest takes. */
export function createFoldTrainings(train: TrainFold, now: () => number) {
  const seconds: number[] = []
  return {
    async forecast(walked: Walked, fold: Fold, signal: AbortSignal): Promise<ForecastFold> {
      const made = await forecastFold(walked, fold, train, now, signal)
      seconds.push(made.seconds)
      return made
    },

    /** Seconds until so many folds more are done, by those that this process has trained; null before the first. */
    leftS: (folds: number): number | null =>
      seconds.length === 0 ? null : Math.ceil((folds * seconds.reduce((sum, each) => sum + each, 0)) / seconds.length),
  }
}

/** Candles before the first fold's on which forecasts of a model of this recipe rest. */
export const historyOfModel = ({ params }: Recipe): number =>
  historyCandles({ horizons: HORIZONS, lookback: params.lookback ?? DEFAULT_LOOKBACK })

/** What all models said, each of its own stretch; unknown before the first. */
export function joinSaid(
  { candles, from }: Walked,
  folds: readonly Fold[],
  models: readonly ForecastFold[],
): RuleForecast {
  const join = (of: (said: SaidColumns) => Float64Array) => {
    const whole = new Float64Array(candles.length - from).fill(Number.NaN)
    for (const [k, { testFrom }] of folds.entries()) whole.set(of(models[k]!.said), testFrom - 1)
    return whole
  }
  const said: SaidColumns = {
    pUp: join(({ pUp }) => pUp),
    volatility: join(({ volatility }) => volatility),
    edgeBps: join(({ edgeBps }) => edgeBps),
    medians: models[0]!.said.medians.map((_, h) => join(({ medians }) => medians[h]!)),
  }
  return ruleForecast(said, candles.length, from)
}

/** How many directions of the stretches were called right: by each model, and by all together. */
export function judgeFolds(walked: Walked, folds: readonly Fold[], models: readonly ForecastFold[]) {
  const { horizon } = models[0]!
  const calls = models.map((model, k) => callsOf(walked, folds[k]!, model))
  const all = (of: (calls: Columns) => Float64Array) => Float64Array.from(calls.flatMap((each) => [...of(each)]))
  return {
    each: calls.map((of, k) => accuracyReport({ ...of, majorityRises: models[k]!.rises, horizon })),
    all: accuracyReport({
      pUp: all(({ pUp }) => pUp),
      returns: all(({ returns }) => returns),
      before: all(({ before }) => before),
      majorityRises: calls.flatMap(({ pUp }, k) => Array<boolean>(pUp.length).fill(models[k]!.rises)),
      horizon,
    }),
  }
}
type Columns = Pick<DirectionCalls, 'pUp' | 'returns' | 'before'>

function callsOf({ candles, from, timeframe }: Walked, { testFrom }: Fold, { said, horizon }: ForecastFold): Columns {
  const { ts, close } = candles
  const first = from + testFrom - 1
  const span = horizon * TIMEFRAME_MS[timeframe]
  /** Unknown where candles are missing between, or past the last. */
  const moved = (to: number) =>
    ts[to]! - ts[to - horizon]! === span ? Math.log(close[to]! / close[to - horizon]!) : Number.NaN
  return {
    pUp: said.pUp,
    returns: said.pUp.map((_, k) => moved(first + k + horizon)),
    before: said.pUp.map((_, k) => moved(first + k)),
  }
}
