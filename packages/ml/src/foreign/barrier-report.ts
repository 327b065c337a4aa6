import type { TripleBarrier } from '@shapecast/contracts/foreign-card'
import { z } from 'zod'

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
