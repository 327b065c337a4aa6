import type { WalkFold, WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { copyCandles, dailyCloses } from '@shapecast/engine/candles'
import { drawdownsPct } from '@shapecast/engine/indicators/drawdown'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { valuesAt } from '@shapecast/engine/search/search-space'
import { type Fold, foldsOf } from '@shapecast/engine/walk-forward/folds'
import type { FoldChoice, WalkResult } from '@shapecast/engine/walk-forward/walk-forward'
import { directionVerdict } from '@shapecast/ml/evaluate/accuracy'
import type { Thread } from '@shapecast/platform/threads/open-thread'
import { openThreads } from '@shapecast/platform/threads/open-threads'
import type { PartedWork, SharedWork } from '../ground/jobs/kind.ts'
import { threadsOfWorker } from '../ground/threads-of-worker.ts'
import type { Recipe } from '../models/recipes.ts'
import type { LabProgress } from '../search/lab-job.ts'
import { curveIndices, keptFrom, rounded, stretchOf } from '../search/search-candles.ts'
import { basisOf, cut, groundOf, ownCopy, seenOf } from '../search/search-ground.ts'
import { pointsIn, shownParameters } from '../search/search-order.ts'
import type { SearchWorkDeps } from '../search/search-work.ts'
import { openCandles } from '../trials/opened.ts'
import { createFoldTrainings, type ForecastFold, historyOfModel, joinSaid, judgeFolds, trainBy } from './fold-models.ts'
import type { WalkOrder } from './walk-kind.ts'
import type { WalkCalls } from './walk-thread.ts'

/** A fold: what it chose, or what its model said. */
type FoldPart = FoldChoice | ForecastFold

export const walkWork = (
  deps: Omit<SearchWorkDeps, 'db'>,
): SharedWork<WalkOrder, LabProgress, WalkForwardResult, WalkForwardResult> => ({
  open: ({ payload }, signal) => openWalk(deps, payload, signal),

  async complete(tx, { userId, payload: { venue, search } }, result, nowMs) {
    const { symbol, timeframe } = search.request
    const { from: fromMs, to: toMs } = result.walked
    const series = { venue, symbols: [symbol], timeframe }
    if (userId !== null) await openCandles(tx, { userId, series, fromMs, toMs }, nowMs)
    const { length } = result.folds
    return { result, progress: { current: length, total: length, leftS: 0 } }
  },
})

/** A walk in parts of one fold each. Throws `too_few_candles`, `model_not_trained`, and the reason of the signal. */
export async function openWalk(
  deps: Omit<SearchWorkDeps, 'db'>,
  { request, search: order, venue, recipe }: WalkOrder,
  signal: AbortSignal,
): Promise<PartedWork<FoldPart, LabProgress, WalkForwardResult>> {
  const { search: _, ...plan } = request
  const found = await groundOf(deps, order, signal, recipe && historyOfModel(recipe))
  const { whole, run, said } = found
  const locked = keptFrom(run.length, order.request.keptPct)
  const searched = cut(whole, locked)
  const folds = foldsOf(locked, request)
  // A policy moves a share and may close nothing for years.
  const minTrades = order.request.kind === 'policy' ? 0 : order.request.minTrades
  const most = recipe === undefined ? (deps.threads ?? threadsOfWorker()) : 1
  const threads = openThreads<WalkCalls>(new URL('./walk-thread.ts', import.meta.url), Math.min(most, folds.length))
  const begin = (thread: Thread<WalkCalls>, ground: SearchGround) =>
    thread.call('begin', { ground: ownCopy(ground), folds, minTrades })
  const series = { venue, symbol: order.request.symbol, timeframe: order.request.timeframe }
  const trainings = recipe && createFoldTrainings(trainBy(recipe, series, deps.now), deps.now)
  try {
    if (recipe === undefined) await Promise.all(threads.all.map((thread) => begin(thread, searched)))
  } catch (error) {
    await threads.close()
    throw error
  }

  return {
    basis: basisOf(found, [plan, locked, minTrades, recipe && { ...recipe, shown: null }]),
    count: folds.length,
    lanes: threads.all.length,
    run: (k) =>
      trainings === undefined
        ? threads.turn((thread) => thread.call('choose', k))
        : trainings.forecast(searched, folds[k]!, signal),
    close: threads.close,

    shown: (current) => ({
      current,
      total: folds.length,
      ...(trainings && { leftS: trainings.leftS(folds.length - current) }),
    }),

    async join(parts) {
      const models = recipe && (parts as ForecastFold[])
      const ground = models === undefined ? searched : { ...searched, forecast: joinSaid(searched, folds, models) }
      if (models !== undefined) await begin(threads.first, ground)
      const choices = models === undefined ? (parts as FoldChoice[]) : folds.map(() => NOTHING_CHOSEN)
      const walked = await threads.first.call('stitch', choices)
      const model =
        said === undefined ? null : { version: said.version, seenRatio: seenOf(copyCandles(run, 0, locked), said) }
      const result = resultOf(order, ground, folds, choices, walked)
      const kept = stretchOf(run, locked, run.length)
      return models === undefined
        ? { ...result, kept, model }
        : { ...retrainedOf(result, recipe!, models, judgeFolds(ground, folds, models)), kept, model }
    },
  }
}

/** Of a fold whose settings were given. */
const NOTHING_CHOSEN: FoldChoice = { place: 0, sharpe: 0, netReturnPct: 0, trades: 0 }

/** What a walk of a model that was trained again came to: nothing was promised, but what its trainings say of themselves. */
function retrainedOf<R extends Omit<WalkForwardResult, 'kept' | 'model'>>(
  result: R,
  { version, shown }: Recipe,
  models: readonly ForecastFold[],
  judged: ReturnType<typeof judgeFolds>,
): R {
  const { accuracy: heldOut, holdoutFrom: from, holdoutTo: to } = shown
  return {
    ...result,
    folds: result.folds.map((fold, k) => {
      const { hash, learntTo, heldOut: own, seconds } = models[k]!
      return { ...fold, inSample: null, model: { hash, learntTo, heldOut: own, seconds, ahead: judged.each[k]! } }
    }),
    inSampleSharpe: null,
    efficiency: null,
    retrained: {
      version,
      horizon: models[0]!.horizon,
      ahead: judged.all,
      direction: directionVerdict(judged.all),
      single: { heldOut, from, to },
    },
  }
}

function resultOf(
  order: WalkOrder['search'],
  ground: SearchGround,
  folds: readonly Fold[],
  choices: readonly FoldChoice[],
  found: WalkResult,
): Omit<WalkForwardResult, 'kept' | 'model'> {
  const ts = ground.candles.ts.subarray(ground.from)
  const range = (from: number, to: number) => ({ from: ts[from]!, to: ts[to - 1]! })
  const shown = folds.map(({ trainFrom, testFrom, testTo }, k): WalkFold => {
    const { place, sharpe, netReturnPct, trades } = choices[k]!
    return {
      train: range(trainFrom, testFrom),
      test: range(testFrom, testTo),
      values: place === null ? null : valuesAt(order.space, place),
      inSample: place === null ? null : { sharpe, netReturnPct, trades },
      outOfSample: found.folds[k]!,
    }
  })
  const places = choices.flatMap(({ place }) => place ?? [])
  return {
    walked: { ...range(0, ts.length), candles: ts.length },
    parameters: shownParameters(order),
    points: pointsIn(order.request),
    folds: shown,
    metrics: found.metrics,
    intervals: found.intervals,
    inSampleSharpe: found.inSampleSharpe,
    outOfSampleSharpe: found.outOfSampleSharpe,
    efficiency: found.efficiency,
    fundingAssumed: found.result.fundingAssumed,
    haltedAt: found.result.haltedAt,
    changes: places.filter((place, k) => k > 0 && place !== places[k - 1]).length,
    ...curvesOf(found, ground),
  }
}

/** The walk beside holding, at daily closes; and how far holding fell. */
function curvesOf({ candles, result }: WalkResult, { timeframe }: SearchGround) {
  const days = dailyCloses(candles, timeframe)
  const shown = curveIndices(days.length).map((k) => days[k]!)
  const start = candles.open[0]!
  const pct = (value: number, of: number) => rounded(100 * (value / of - 1))
  return {
    holdDrawdownPct: Math.max(0, ...drawdownsPct([...candles.close], start)),
    curves: {
      t: shown.map((i) => candles.ts[i]!),
      walk: shown.map((i) => pct(result.equity[i]!, result.settings.initialBalance)),
      hold: shown.map((i) => pct(candles.close[i]!, start)),
    },
  }
}
