import type { TripleBarrier } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'
import { effectiveOutcomes } from '../evaluate/effective-outcomes.ts'
import { wilsonInterval } from '../evaluate/intervals.ts'
import type { FeatureTable } from '../features/feature-table.ts'
import type { BarrierReport } from './barrier-report.ts'

/**
 * Which barrier each candle's price reaches first within so many candles (López de Prado, Advances in Financial Machine
 * Learning, 3.4): 1 the upper, 0 the lower. NaN where it reaches neither, both in one candle, or a hole lies between.
 * Barriers lie at close · e^{±k σ √candles}, σ being the EWMA volatility at the close.
 */
export function barrierLabels(
  { close, high, low, length }: Candles,
  { sigma, continuity: { gapsUpTo } }: Pick<FeatureTable, 'sigma' | 'continuity'>,
  { upSigma, downSigma, candles }: TripleBarrier,
): Float64Array {
  const labels = new Float64Array(length).fill(Number.NaN)
  for (let i = 0; i < length; i++) {
    const unit = sigma[i]! * Math.sqrt(candles)
    const [upper, lower] = [close[i]! * Math.exp(upSigma * unit), close[i]! * Math.exp(-downSigma * unit)]
    for (let j = i + 1; j <= i + candles && j < length && gapsUpTo[j] === gapsUpTo[i]; j++) {
      const [isUp, isDown] = [high[j]! >= upper, low[j]! <= lower]
      if (isUp !== isDown) labels[i] = isUp ? 1 : 0
      if (isUp || isDown) break
    }
  }
  return labels
}

/**
 * How often P(up) called the barrier that was reached first, beside always the one that was more frequent before.
 * @param pUp by row
 * @param before rows before the hold-out
 */
export function judgeBarriers(
  labels: Float64Array,
  barrier: TripleBarrier,
  { rows, pUp, before }: { rows: Int32Array; pUp: readonly number[]; before: Int32Array },
): BarrierReport {
  const known = [...before].map((i) => labels[i]!).filter((label) => !Number.isNaN(label))
  const majorityUp = known.filter((label) => label === 1).length * 2 >= known.length
  const calls = [...rows]
    .map((i, k) => ({ label: labels[i]!, isUp: pUp[k]! > 0.5 }))
    .filter(({ label }) => !Number.isNaN(label))
  const share = (isRight: (call: { label: number; isUp: boolean }) => boolean): number =>
    calls.filter(isRight).length / Math.max(1, calls.length)
  const accuracy = share(({ label, isUp }) => isUp === (label === 1))
  return {
    rows: rows.length,
    outcomes: calls.length,
    accuracy,
    interval: wilsonInterval(accuracy, effectiveOutcomes(calls.length, barrier.candles)),
    majority: share(({ label }) => majorityUp === (label === 1)),
  }
}
