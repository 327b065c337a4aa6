import { AppError } from '@shapecast/contracts/errors'
import type { PairedTest } from '@shapecast/contracts/evaluation'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { type DieboldMariano, dieboldMariano } from '@shapecast/ml/evaluate/diebold-mariano'
import { judgeTogether, type SharedOutcomes } from '@shapecast/ml/evaluate/judge-together'
import type { ModelPredictor, ModelTraits } from '@shapecast/ml/forecast/model-traits'
import type { Predictions } from '@shapecast/ml/forecast/predictions'
import type { VenueCandles } from '../market/series-market.ts'
import { NO_FIGURES } from './active-artifacts.ts'
import type { NewArtifact } from './artifact-rows.ts'
import { withBeside } from './load-beside.ts'
import type { ModelStore } from './model-store.ts'
import { openPredictor } from './open-predictor.ts'
import type { Predictors } from './predictors.ts'

/** Fewer outcomes than these decide nothing. */
const FEWEST_OUTCOMES = 100
const MOST_CANDLES = 5000
const SIGNIFICANT = 0.05

export interface JudgeDeps {
  store: ModelStore
  predictors: Pick<Predictors, 'use'>
  candles: VenueCandles
}

/** The candles that no artifact has learnt from, after the latest of their hold-outs' beginnings, with forecasts of each. */
export async function forecastUnseen(
  source: VenueCandles,
  series: { symbol: string; timeframe: Timeframe },
  predictors: readonly ModelPredictor[],
): Promise<{ candles: Candles; outcomes(horizon: number): SharedOutcomes }> {
  const step = TIMEFRAME_MS[series.timeframe]
  const unseenFrom = Math.max(...predictors.map(({ traits }) => traits.unseenFrom))
  const history = Math.max(...predictors.map((predictor) => predictor.historyCandles))
  const candles = await source.load(series.symbol, series.timeframe, {
    fromMs: Math.max(0, unseenFrom - history * step),
    toMs: unseenFrom + MOST_CANDLES * step,
  })
  const range = { from: indexAtOrAfter(candles, unseenFrom), to: candles.length }
  const made: Predictions[] = []
  for (const predictor of predictors) made.push(await predictor.predict(candles, range))
  return { candles, outcomes: (horizon) => judgeTogether(candles, step, made, horizon) }
}

/** A paired test in the words that a person reads; losses of `a` less those of `b`. */
export function pairedTest(found: DieboldMariano, a: string, b: string): PairedTest {
  const { outcomes, meanDifference, interval, statistic, pValue } = found
  const better = meanDifference < 0 ? a : b
  const chance = pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`
  return {
    outcomes,
    meanDifference,
    interval,
    statistic,
    pValue,
    verdict: pValue < SIGNIFICANT ? `${better} is better (${chance})` : `no difference beyond chance (${chance})`,
  }
}

export const mean = (values: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return values.length === 0 ? Number.NaN : sum / values.length
}

/** How many rows rose or fell; flat ones are neither right nor wrong. */
export const movedOf = (returns: Float64Array): number => returns.filter((r) => r !== 0).length

/** Share of the rows that rose or fell which did as P(up) called; null where none did. */
export function accuracyOf(pUp: Float64Array, returns: Float64Array): number | null {
  const moved = movedOf(returns)
  return moved === 0 ? null : returns.filter((r, k) => r !== 0 && pUp[k]! > 0.5 === r > 0).length / moved
}

/** What else than the horizon shapes the signals of two models differently, as a sentence; null where nothing does. */
function otherSignal(fresh: ModelTraits, old: ModelTraits): string | null {
  const found = (threshold: number | null) => (threshold === null ? 'found in training' : `${threshold}`)
  if (fresh.askedThreshold !== old.askedThreshold)
    return `Its signal threshold is ${found(fresh.askedThreshold)}, that of the active one ${found(old.askedThreshold)}.`
  if (fresh.roundTripCostBps !== old.roundTripCostBps)
    return `It reckons with costs of ${fresh.roundTripCostBps} bps, the active one with ${old.roundTripCostBps}.`
  return null
}

/**
 * Holds a new artifact against the active one of its version and series, on candles that neither has learnt from. It may
 * take over where its mean log loss there is lower beyond chance, and what shapes its signal is the same: a tie leaves the
 * old one. Null where the series has no active artifact.
 */
export async function judgeArtifact(deps: JudgeDeps, candidate: NewArtifact): Promise<ArtifactComparison | null> {
  const { store, predictors, candles } = deps
  const series = { symbol: candidate.symbol, timeframe: candidate.timeframe as Timeframe }
  if ((await store.active(candidate.version, series.symbol, series.timeframe)) === undefined) return null
  const undecided = (againstId: string, verdict: string): ArtifactComparison => ({
    ...NO_FIGURES,
    againstId,
    takesOver: false,
    waits: false,
    verdict: `${verdict} The active artifact stays until a manager promotes this one.`,
  })
  const fresh = withBeside(await openPredictor(candidate), candles, series.symbol)
  try {
    const { version } = candidate
    return await predictors.use(version, series.symbol, series.timeframe, async ({ artifactId, predictor: old }) => {
      const horizon = fresh.traits.signalHorizon
      if (old.traits.signalHorizon !== horizon)
        return undecided(
          artifactId,
          'The two give their signal at different horizons, so their losses cannot be compared.',
        )
      const found = await forecastUnseen(candles, series, [fresh, old])
      const judged = found.outcomes(horizon)
      if (judged.rows.length < FEWEST_OUTCOMES)
        return undecided(
          artifactId,
          `Only ${judged.rows.length} outcomes are known that neither has learnt from; ${FEWEST_OUTCOMES} are needed.`,
        )
      return comparisonOf(artifactId, found.candles, judged, otherSignal(fresh.traits, old.traits))
    })
  } catch (error) {
    // The one that was active has been deleted meanwhile.
    if (error instanceof AppError && error.code === 'model_not_trained') return null
    throw error
  } finally {
    await fresh.close()
  }
}

/** What was found of a new model's losses beside those of the active one; `other` is what else shapes its signal. */
export function comparisonOf(
  againstId: string,
  candles: Candles,
  { rows, returns, models }: SharedOutcomes,
  other: string | null,
): ArtifactComparison {
  const [candidate, active] = [models[0]!, models[1]!]
  const both = (figure: (model: typeof candidate) => number) => ({
    candidate: figure(candidate),
    active: figure(active),
  })
  const logLoss = both((model) => mean(model.logLoss))
  const test = pairedTest(dieboldMariano(candidate.logLoss, active.logLoss), 'the new one', 'the active one')
  const isBeyondChance = test.pValue < SIGNIFICANT
  const isBetter = logLoss.candidate < logLoss.active
  const takesOver = other === null && isBetter && isBeyondChance
  const found = isBeyondChance ? (isBetter ? 'It is better.' : 'It is worse.') : 'The two are equally good.'
  const figures = `log loss ${logLoss.candidate.toFixed(5)} against ${logLoss.active.toFixed(5)} on ${rows.length} unseen outcomes; ${test.verdict}`
  return {
    againstId,
    from: candles.ts[rows[0]!]!,
    to: candles.ts[rows[rows.length - 1]!]!,
    outcomes: rows.length,
    logLoss,
    brier: both((model) => mean(model.brier)),
    accuracy: movedOf(returns) === 0 ? null : both((model) => accuracyOf(model.pUp, returns)!),
    test,
    takesOver,
    waits: false,
    verdict: takesOver
      ? `Better than the one before it, so it predicts now: ${figures}.`
      : `${other ?? found} The active artifact stays until a manager promotes this one: ${figures}.`,
  }
}
