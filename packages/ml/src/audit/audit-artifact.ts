import type { LeakAudit, LeakCheck } from '@shapecast/contracts/leak-audit'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from '../artifact.ts'
import type { ModelCard } from '../card.ts'
import { featureNames } from '../features/feature-columns.ts'
import { buildFeatureTable } from '../features/feature-table.ts'
import { harInputNames } from '../har/har-inputs.ts'
import { loadPredictor, type Predictor } from '../predict.ts'
import { type AuditOptions, auditLeaks } from './audit-leaks.ts'
import type { AuditedPipeline, NamedColumns } from './audited-pipeline.ts'
import { forecastColumns } from './forecast-columns.ts'
import { retrainSmall } from './retrain-small.ts'

/** Everything that a model of ours is given: features, inputs of the volatility model, and the scales. */
export function modelInputs(candles: Candles, timeframe: Timeframe): NamedColumns {
  const table = buildFeatureTable(candles, timeframe)
  const named = (names: readonly string[], columns: readonly Float64Array[], prefix = '') =>
    names.map((name, c): [string, Float64Array] => [`${prefix}${name}`, columns[c]!])
  return Object.fromEntries([
    ...named(featureNames(timeframe), table.features),
    ...named(harInputNames(timeframe), table.harInputs, 'volatility input '),
    ['sigma', table.sigma],
    ['atr', table.atr],
  ])
}

/** The way of an opened artifact from candles to forecasts. */
export function artifactPipeline(predictor: Predictor, signal?: AbortSignal): AuditedPipeline {
  const { settings, source } = predictor.artifact.card
  const { timeframe } = source
  return {
    timeframeMs: TIMEFRAME_MS[timeframe],
    signalHorizon: settings.signalHorizon,
    historyCandles: predictor.historyCandles,
    tolerance: 0,
    inputs: (candles) => modelInputs(candles, timeframe),
    forecasts: async (candles, from, to) => forecastColumns(await predictor.predict(candles, { from, to })),
    retrain: (candles, outcomeOf) => retrainSmall(candles, timeframe, settings, outcomeOf, signal),
  }
}

/** No outcome that was learnt from may reach into validation, and none of validation into the hold-out. */
export function checkRanges({
  ranges,
  horizons,
  source,
}: Pick<ModelCard, 'ranges' | 'horizons' | 'source'>): LeakCheck {
  const stepMs = TIMEFRAME_MS[source.timeframe]
  const gap = (before: { to: number }, after: { from: number }): number => (after.from - before.to) / stepMs
  const [toValidation, toHoldout] = [gap(ranges.train, ranges.validation), gap(ranges.validation, ranges.holdout)]
  return {
    name: 'Ranges kept apart',
    // A row's outcome ends `horizons` candles after it; the first judged row's own outcome begins with its close.
    passed: toValidation > horizons && toHoldout >= horizons,
    detail: `${toValidation} candles from the last row trained on to the first validated on, ${toHoldout} from there to the hold-out; outcomes reach ${horizons} ahead.`,
  }
}

/**
 * Audits an opened artifact for knowledge of the future, on candles of its series: the newest few thousand are looked at.
 * Fast mode takes under a second of processor time, full mode some seconds. Throws `too_few_candles` below 600 candles
 * (fast) or fewer than a training needs (full).
 */
export async function auditPredictor(
  predictor: Predictor,
  candles: Candles,
  options: AuditOptions,
): Promise<LeakAudit> {
  const audit = await auditLeaks(artifactPipeline(predictor, options.signal), candles, options)
  const checks = [checkRanges(predictor.artifact.card), ...audit.checks]
  return { ...audit, checks, passed: checks.every(({ passed }) => passed) }
}

/** `auditPredictor` on an artifact that is opened for it. Throws `unprocessable` where it cannot be. */
export async function auditArtifact(
  artifact: ModelArtifactFile,
  candles: Candles,
  options: AuditOptions,
): Promise<LeakAudit> {
  const predictor = await loadPredictor(artifact)
  try {
    return await auditPredictor(predictor, candles, options)
  } finally {
    await predictor.close()
  }
}
