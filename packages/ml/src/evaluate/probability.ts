import type { Evaluation } from '@shapecast/contracts/evaluation'
import { logLoss } from '../recipe/shrinkage.ts'
import { effectiveOutcomes } from './effective-outcomes.ts'
import { Z95 } from './intervals.ts'

const BINS = 5

/** Mean squared distance of the probability from what happened (Brier, Monthly Weather Review 78, 1950). */
export function brierScore(p: ArrayLike<number>, labels: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < p.length; i++) sum += (p[i]! - labels[i]!) ** 2
  return sum / p.length
}

/**
 * Reliability diagram in bins of equal count: mean forecast, observed share, and the band in which 95 % of observed shares
 * of a perfectly reliable forecast would lie (Bröcker and Smith, Weather and Forecasting 22, 2007), by the normal
 * approximation over the effective outcomes.
 */
export function reliability(
  p: Float64Array,
  labels: Float32Array,
  horizon: number,
): Evaluation['probability']['reliability'] {
  const order = Array.from(p.keys()).sort((a, b) => p[a]! - p[b]! || a - b)
  const bins = Math.min(BINS, order.length)
  return Array.from({ length: bins }, (_, bin) => {
    const members = order.slice(Math.floor((bin * order.length) / bins), Math.floor(((bin + 1) * order.length) / bins))
    const predicted = members.reduce((sum, i) => sum + p[i]!, 0) / members.length
    const observed = members.reduce((sum, i) => sum + labels[i]!, 0) / members.length
    const reach = Z95 * Math.sqrt((predicted * (1 - predicted)) / effectiveOutcomes(members.length, horizon))
    return {
      predicted,
      observed,
      outcomes: members.length,
      band: [Math.max(0, predicted - reach), Math.min(1, predicted + reach)],
    }
  })
}

/** Share of the baseline's loss that is saved; 0 where the baseline loses nothing. */
const skill = (loss: number, baseline: number): number => (baseline > 0 ? 1 - loss / baseline : 0)

/** Scores of the probabilities beside those of climatology; a skill is the share of the baseline's loss that is saved. */
export function probabilityReport(
  p: Float64Array,
  labels: Float32Array,
  climatology: number,
  horizon: number,
): Evaluation['probability'] {
  const constant = p.map(() => climatology)
  const [brier, loss] = [brierScore(p, labels), logLoss(p, labels)]
  return {
    climatology,
    brier,
    brierSkill: skill(brier, brierScore(constant, labels)),
    logLoss: loss,
    logLossSkill: skill(loss, logLoss(constant, labels)),
    reliability: reliability(p, labels, horizon),
  }
}
