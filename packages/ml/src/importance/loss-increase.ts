import type { LossIncrease } from '@shapecast/contracts/importance'
import { varianceOfMean } from '../evaluate/diebold-mariano.ts'
import { twoSidedQuantile } from '../evaluate/student-t.ts'

/**
 * The mean growth of a loss and its 95 % interval, which covers both that other shuffles would have come to something
 * else and that other outcomes would have: the errors of both, each at its Student's t, added in squares. With one shuffle
 * and all outcomes an input that the model leans on in vain would look important on these very candles.
 * @param before losses by outcome, in order of time
 * @param after the same with shuffled inputs, one list a repeat; at least two
 */
export function lossIncrease(before: Float64Array, after: readonly Float64Array[]): LossIncrease {
  const [outcomes, repeats] = [before.length, after.length]
  if (repeats < 2) throw new RangeError('An interval takes at least two repeats.')
  if (outcomes < 2) return { mean: 0, interval: [0, 0] }
  const means = after.map((losses) => losses.reduce((sum, loss, t) => sum + loss - before[t]!, 0) / outcomes)
  const mean = means.reduce((sum, value) => sum + value, 0) / repeats
  const spread = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (repeats - 1) / repeats
  const growth = before.map((loss, t) => after.reduce((sum, losses) => sum + (losses[t]! - loss) / repeats, 0))
  const chance = varianceOfMean(growth)
  const reach = Math.hypot(
    twoSidedQuantile(0.05, repeats - 1) * Math.sqrt(spread),
    twoSidedQuantile(0.05, chance.degrees) * Math.sqrt(chance.variance),
  )
  return { mean, interval: [mean - reach, mean + reach] }
}

/** Whether an interval lies above 0, below it, or holds it. */
const sideOf = ({ interval: [low, high] }: LossIncrease): 'worse' | 'better' | 'none' =>
  low > 0 ? 'worse' : high < 0 ? 'better' : 'none'

/** What both losses say of an input, as a sentence. */
export function importanceVerdict(pinball: LossIncrease, logLoss: LossIncrease): string {
  const sides = { fan: sideOf(pinball), direction: sideOf(logLoss) }
  const parts = (side: string): string =>
    Object.entries(sides)
      .filter(([, found]) => found === side)
      .map(([part]) => `the ${part}`)
      .join(' and ')
  const [needed, spoilt] = [parts('worse'), parts('better')]
  if (needed === '' && spoilt === '') return 'Indistinguishable from none.'
  return [
    needed === '' ? '' : `Matters for ${needed}.`,
    spoilt === '' ? '' : `Without it ${spoilt} would have been better here.`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}
