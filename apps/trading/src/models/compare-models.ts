import { type ConsensusConfig, ConsensusStrategy } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { ModelStage } from '@shapecast/contracts/ml'
import type { ModelComparison } from '@shapecast/contracts/model-comparison'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { consensusColumns } from '@shapecast/engine/consensus'
import { DECISION } from '@shapecast/engine/decisions'
import { correlation } from '@shapecast/ml/evaluate/correlation'
import { dieboldMariano } from '@shapecast/ml/evaluate/diebold-mariano'
import { effectiveOutcomes, wilsonInterval } from '@shapecast/ml/evaluate/intervals'
import type { ModelLosses, SharedOutcomes } from '@shapecast/ml/evaluate/judge-together'
import { accuracyOf, forecastUnseen, type JudgeDeps, mean, movedOf, pairedTest } from './judge-artifact.ts'
import type { OpenModel } from './predictors.ts'

const FEWEST_OUTCOMES = 100

interface Wanted {
  versions: string[]
  symbol: string
  timeframe: Timeframe
}

/**
 * Versions side by side on the candles that none of them has learnt from. Throws `not_found` and `model_not_trained` as
 * naming a version does, `unprocessable` where their signals are of different horizons, and `too_few_candles` where too
 * little has happened since they were trained.
 */
export async function compareModels(deps: JudgeDeps, wanted: Wanted): Promise<ModelComparison> {
  const { versions, symbol, timeframe } = wanted
  const stages: ModelStage[] = []
  for (const version of versions) {
    const owned = await deps.store.ownerOf(version)
    if (owned === undefined) throw new AppError('not_found', `No model is called ${version}. Choose one of the list.`)
    stages.push(owned.stage)
  }
  return withAll(deps, wanted, [], async (models) => {
    const horizon = models[0]!.predictor.traits.signalHorizon
    const other = models.find(({ predictor }) => predictor.traits.signalHorizon !== horizon)
    if (other !== undefined)
      throw new AppError(
        'unprocessable',
        `${models[0]!.version} gives its signal ${horizon === 1 ? 'one candle' : `${horizon} candles`} ahead and ${other.version} at another horizon. Compare versions of the same horizon.`,
      )
    const { candles, outcomes } = await forecastUnseen(
      deps.candles,
      wanted,
      models.map(({ predictor }) => predictor),
    )
    const judged = outcomes(horizon)
    if (judged.rows.length < FEWEST_OUTCOMES)
      throw new AppError(
        'too_few_candles',
        `Only ${judged.rows.length} outcomes are known that none of these versions has learnt from; ${FEWEST_OUTCOMES} are needed. Train them on candles that end earlier, or wait.`,
      )
    const { rows } = judged
    return {
      symbol,
      timeframe,
      horizon,
      from: candles.ts[rows[0]!]!,
      to: candles.ts[rows[rows.length - 1]!]!,
      outcomes: rows.length,
      effectiveOutcomes: effectiveOutcomes(rows.length, horizon),
      models: models.map((model, k) => figuresOf(model, stages[k]!, judged.models[k]!, judged, horizon)),
      baselines: baselinesOf(models[0]!, candles, judged, horizon),
      pairs: pairsOf(versions, judged),
      ensembles: ConsensusStrategy.options.map((strategy) => ensembleOf(strategy, judged, horizon)),
    }
  })
}

/** Borrows one predictor after the other, so that all are open at once. */
async function withAll<R>(
  deps: JudgeDeps,
  wanted: Wanted,
  open: OpenModel[],
  use: (models: OpenModel[]) => Promise<R>,
): Promise<R> {
  const version = wanted.versions[open.length]
  if (version === undefined) return use(open)
  return deps.predictors.use(version, wanted.symbol, wanted.timeframe, (model) =>
    withAll(deps, wanted, [...open, model], use),
  )
}

function figuresOf(
  model: OpenModel,
  stage: ModelStage,
  losses: ModelLosses,
  { returns }: SharedOutcomes,
  horizon: number,
): ModelComparison['models'][number] {
  const accuracy = accuracyOf(losses.pUp, returns)
  const count = (code: number) => losses.signal.filter((signal) => signal === code).length
  return {
    version: model.version,
    artifactId: model.artifactId,
    hash: model.hash,
    stage,
    accuracy,
    accuracyInterval: accuracy === null ? null : wilsonInterval(accuracy, effectiveOutcomes(movedOf(returns), horizon)),
    brier: mean(losses.brier),
    logLoss: mean(losses.logLoss),
    pinballBps: mean(losses.pinballBps),
    coverage90: losses.fan.map(({ outcomes, covered }, k) => {
      const coverage = covered / Math.max(1, outcomes)
      return { horizon: k + 1, coverage, interval: wilsonInterval(coverage, effectiveOutcomes(outcomes, k + 1)) }
    }),
    signals: { buy: count(DECISION.BUY), sell: count(DECISION.SELL), hold: count(DECISION.HOLD) },
  }
}

/** The accuracies of always calling the past's majority, and the opposite of the last move. */
function baselinesOf(
  { predictor }: OpenModel,
  { close }: Candles,
  { rows, returns }: SharedOutcomes,
  horizon: number,
): ModelComparison['baselines'] {
  const rises = predictor.traits.climatology >= 0.5 ? 1 : 0
  const reversal = Float64Array.from(rows, (i) => {
    const before = close[i - horizon] ?? close[i]!
    return before === close[i]! ? rises : before > close[i]! ? 1 : 0
  })
  return {
    majority: accuracyOf(new Float64Array(rows.length).fill(rises), returns),
    reversal: accuracyOf(reversal, returns),
  }
}

function pairsOf(versions: string[], { models, labels }: SharedOutcomes): ModelComparison['pairs'] {
  const pairs: ModelComparison['pairs'] = []
  for (let i = 0; i < versions.length; i++)
    for (let j = i + 1; j < versions.length; j++) {
      const [a, b] = [models[i]!, models[j]!]
      const [nameA, nameB] = [versions[i]!, versions[j]!]
      const errors = (model: ModelLosses) => model.pUp.map((p, k) => p - labels[k]!)
      pairs.push({
        a: nameA,
        b: nameB,
        logLoss: pairedTest(dieboldMariano(a.logLoss, b.logLoss), nameA, nameB),
        pinball: pairedTest(dieboldMariano(a.pinballBps, b.pinballBps), nameA, nameB),
        errorCorrelation: correlation(errors(a), errors(b)),
      })
    }
  return pairs
}

/** Calls of BUY and SELL, and how many of them the price went along with; flat outcomes are left out. */
function callsOf(signals: Int8Array, returns: Float64Array): { calls: number; right: number } {
  let [calls, right] = [0, 0]
  signals.forEach((signal, k) => {
    if (signal === DECISION.HOLD || returns[k] === 0) return
    calls++
    if ((signal === DECISION.BUY) === returns[k]! > 0) right++
  })
  return { calls, right }
}

function ensembleOf(
  strategy: ConsensusConfig['strategy'],
  { models, returns }: SharedOutcomes,
  horizon: number,
): ModelComparison['ensembles'][number] {
  const votes = models.map(({ signal, confidence }) => ({ signals: signal, confidences: confidence }))
  const config: ConsensusConfig = { strategy, minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' }
  const { calls, right } = callsOf(consensusColumns(votes, config).decisions, returns)
  const singles = models
    .map(({ signal }) => callsOf(signal, returns))
    .filter((single) => single.calls > 0)
    .map((single) => single.right / single.calls)
  return {
    strategy,
    calls,
    accuracy: calls === 0 ? null : right / calls,
    interval: calls === 0 ? null : wilsonInterval(right / calls, effectiveOutcomes(calls, horizon)),
    bestSingle: singles.length === 0 ? null : Math.max(...singles),
  }
}
