import type { TripleBarrier } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'
import { z } from 'zod'
import { effectiveOutcomes, wilsonInterval } from '../evaluate/intervals.ts'
import type { FeatureTable } from '../features/feature-table.ts'

/** How a model did by the label that it was trained on: which of two barriers is reached first. */
export const BarrierReport = z.object({
  /** Judged candles, and how many of them reached one barrier alone. */
  rows: z.number().int(),
  outcomes: z.number().int(),
  accuracy: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  /** Of always the barrier that was more frequent before. */
  majority: z.number(),
})
export type BarrierReport = z.infer<typeof BarrierReport>

const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`

/** The same in words. */
export function barrierWords({ upSigma, downSigma, candles }: TripleBarrier, report: BarrierReport): string {
  const { rows, outcomes, accuracy, interval, majority } = report
  const asked = `Its own label: +${upSigma} σ before −${downSigma} σ within ${candles} candles.`
  if (outcomes === 0) return `${asked} None of the ${rows} judged candles reached either.`
  const [low, high] = interval
  const isApart = low > majority || high < majority
  return `${asked} Of ${outcomes} of ${rows} judged candles that reached one, it called ${percent(accuracy)} [${percent(low)}, ${percent(high)}]; always the more frequent one ${percent(majority)}: ${isApart ? (low > majority ? 'better' : 'worse') : 'indistinguishable'}.`
}

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
