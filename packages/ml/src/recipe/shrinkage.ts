export interface Calibration {
  /** Share of rising outcomes that the training data speaks for. */
  climatology: number
  /** How much of the forecast's distance from climatology is kept, 0 … 1. */
  weight: number
}

/** Flat-market outcomes that the prior of ½ is worth: a share of 51 % in 4,000 outcomes is mostly chance. */
const PRIOR_OUTCOMES = 10_000
/** Never all the way: the order of forecasts, and so the strongest third, stays known. */
const SMALLEST_WEIGHT = 0.05
const EDGE = 1e-6

/** The share of ups, drawn towards ½ by a prior (the mean of a beta posterior). Labels: 1 up, 0 down, ½ flat. */
export function climatologyOf(labels: Float32Array, rows: Int32Array): number {
  const ups = rows.reduce((sum, row) => sum + labels[row]!, 0)
  return (ups + PRIOR_OUTCOMES / 2) / (rows.length + PRIOR_OUTCOMES)
}

/** The forecast drawn towards climatology: c + w (p − c). */
export const calibrate = ({ climatology, weight }: Calibration, p: number): number =>
  climatology + weight * (p - climatology)

/** Mean −log of the probability given to what happened; a label of ½ counts half each way. */
export function logLoss(p: ArrayLike<number>, labels: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < p.length; i++) {
    const q = Math.min(1 - EDGE, Math.max(EDGE, p[i]!))
    sum -= labels[i]! * Math.log(q) + (1 - labels[i]!) * Math.log(1 - q)
  }
  return sum / p.length
}

/**
 * The weight in [0.05, 1] with the smallest log loss on validation. The loss is convex in the weight, so golden-section
 * search finds it (Kiefer, 1953). One number is all that a few hundred outcomes can teach; isotonic regression on as many
 * turned skill into loss.
 */
export function fitShrinkage(p: Float64Array, labels: Float32Array, climatology: number): Calibration {
  const loss = (weight: number): number =>
    logLoss(
      p.map((value) => calibrate({ climatology, weight }, value)),
      labels,
    )
  const ratio = (Math.sqrt(5) - 1) / 2
  let [low, high] = [SMALLEST_WEIGHT, 1]
  for (let step = 0; step < 40; step++) {
    const a = high - ratio * (high - low)
    const b = low + ratio * (high - low)
    if (loss(a) <= loss(b)) high = b
    else low = a
  }
  return { climatology, weight: (low + high) / 2 }
}
