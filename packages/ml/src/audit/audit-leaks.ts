import { AppError } from '@shapecast/contracts/errors'
import type { LeakAudit, LeakCheck } from '@shapecast/contracts/leak-audit'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import type { AuditedPipeline } from './audited-pipeline.ts'
import { checkForecasts, checkInputs } from './future-checks.ts'
import { checkSkill } from './skill-checks.ts'

export type { AuditedPipeline } from './audited-pipeline.ts'

export interface AuditOptions {
  mode: LeakAudit['mode']
  seed?: number
  /** Heeded between two checks: its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** Candles after the oldest cut; the cuts lie among them. */
const CUT_RANGE = 400
const CUTS = 3
/** Candles that the small trainings are given. */
const RETRAIN_CANDLES = 2400
const FEWEST_CANDLES = 600
const NOT_TRAINED_HERE =
  'It was trained elsewhere and cannot be trained anew here. Whether its weights have seen these candles, only its live record can show.'

/** Cuts by lot among the newest candles, oldest first, each with some candles after it. */
function drawCuts(length: number, seed: number): number[] {
  const random = createRandom(seed)
  const part = Math.floor(CUT_RANGE / CUTS)
  return Array.from({ length: CUTS }, (_, k) => length - CUT_RANGE + k * part + 8 + random.below(part - 16))
}

/**
 * Runs a model's pipeline on candles whose future is cut off and changed: its inputs and forecasts must not move. In full
 * mode also trains it anew, small, where there is nothing to find (directions drawn by lot, labels shifted, target
 * shuffled): its skill must vanish. Takes the newest candles that it needs; the more, the better it sees.
 * Throws AppError `too_few_candles`, and the signal's reason where it is aborted.
 */
export async function auditLeaks(pipeline: AuditedPipeline, given: Candles, options: AuditOptions): Promise<LeakAudit> {
  const { mode, seed = 1, signal } = options
  const candles = sliceCandles(given, Math.max(0, given.length - pipeline.historyCandles - CUT_RANGE))
  if (candles.length < FEWEST_CANDLES)
    throw new AppError(
      'too_few_candles',
      `An audit takes at least ${FEWEST_CANDLES} candles; there are ${given.length}.`,
    )
  const cuts = drawCuts(candles.length, seed)
  const checks: LeakCheck[] = checkInputs(pipeline, candles, cuts)
  signal?.throwIfAborted()
  checks.push(...(await checkForecasts(pipeline, candles, cuts)))
  signal?.throwIfAborted()
  if (mode === 'full' && pipeline.retrain !== undefined) {
    const random = createRandom(seed)
    const newest = sliceCandles(given, Math.max(0, given.length - RETRAIN_CANDLES))
    checks.push(...(await checkSkill(pipeline, newest, random)))
  }
  signal?.throwIfAborted()
  return {
    mode,
    passed: checks.every(({ passed }) => passed),
    checks,
    caveat: pipeline.retrain === undefined ? NOT_TRAINED_HERE : null,
    candles: { count: candles.length, from: candles.ts[0]!, to: candles.ts[candles.length - 1]! },
  }
}
