import { solveSymmetric } from './cholesky.ts'

export interface LogisticModel {
  weights: number[]
  intercept: number
}

const MOST_STEPS = 50
const SMALLEST_STEP = 1e-10

/** 1 / (1 + e⁻ˣ). */
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/**
 * L2-penalised logistic regression by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani and
 * Friedman, The Elements of Statistical Learning, 4.4): minimises ½ Σ w² + C Σ log loss, as scikit-learn does, with a free
 * intercept. A label may lie between 0 and 1: a flat outcome counts as half up.
 * @param features row-major [all rows × width]; only `rows` are looked at
 * @param labels by row
 */
export function fitLogistic(
  features: Float32Array,
  width: number,
  rows: Int32Array,
  labels: Float32Array,
  c: number,
): LogisticModel {
  const size = width + 1
  let w: Float64Array = new Float64Array(size)
  for (let step = 0; step < MOST_STEPS; step++) {
    const gradient = new Float64Array(size)
    const hessian = new Float64Array(size * size)
    const x = new Float64Array(size)
    x[width] = 1
    for (const row of rows) {
      let score = w[width]!
      for (let k = 0; k < width; k++) {
        x[k] = features[row * width + k]!
        score += w[k]! * x[k]!
      }
      const p = sigmoid(score)
      const error = c * (p - labels[row]!)
      const curvature = c * p * (1 - p)
      for (let a = 0; a < size; a++) {
        gradient[a]! += error * x[a]!
        const scaled = curvature * x[a]!
        for (let b = 0; b <= a; b++) hessian[a * size + b]! += scaled * x[b]!
      }
    }
    for (let a = 0; a < width; a++) {
      gradient[a]! += w[a]!
      hessian[a * size + a]! += 1
    }
    // One class alone pushes the free intercept towards infinity; this keeps its curvature from vanishing.
    hessian[size * size - 1]! += 1e-9
    const [change] = solveSymmetric(hessian, size, [gradient])
    w = w.map((value, k) => value - change![k]!)
    if (change!.every((value) => Math.abs(value) < SMALLEST_STEP)) break
  }
  return { weights: Array.from(w.subarray(0, width)), intercept: w[width]! }
}

/** Probability of "up" at each of the rows from … to−1. */
export function predictLogistic(
  { weights, intercept }: LogisticModel,
  features: Float32Array,
  from: number,
  to: number,
): Float64Array {
  const width = weights.length
  const p = new Float64Array(to - from)
  for (let i = from; i < to; i++) {
    let score = intercept
    for (let k = 0; k < width; k++) score += weights[k]! * features[i * width + k]!
    p[i - from] = sigmoid(score)
  }
  return p
}
