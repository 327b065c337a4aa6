/** Beyond it the series for the middle takes too many terms, and the fraction for the tail few. */
const TAIL = 3
const FRACTION_TERMS = 100

const density = (x: number): number => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI)

/**
 * Φ(x), the standard normal distribution, to 1e-15: the series of Marsaglia, Evaluating the Normal Distribution, J. Stat.
 * Softw. 11, 2004; in the tails Laplace's continued fraction (Abramowitz and Stegun 26.2.14), which keeps relative accuracy.
 */
export function normalProbability(x: number): number {
  if (Number.isNaN(x)) return x
  if (x > TAIL) return 1 - upperTail(x)
  if (x < -TAIL) return upperTail(-x)
  let sum = x
  for (let term = x, odd = 3; Math.abs(term) > 1e-17; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + sum * density(x)
}

function upperTail(x: number): number {
  let fraction = x
  for (let k = FRACTION_TERMS; k > 0; k--) fraction = x + k / fraction
  return density(x) / fraction
}

/**
 * Φ⁻¹(p) for p in (0, 1); −∞ at 0 and ∞ at 1. Starts at Abramowitz and Stegun 26.2.23 (off by 4.5e-4 at most) and takes
 * Halley's step twice, which brings it to the accuracy of Φ.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no probability.`)
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p > 0.5) return p === 1 ? Number.POSITIVE_INFINITY : -normalQuantile(1 - p)
  const t = Math.sqrt(-2 * Math.log(p))
  let x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
  for (let step = 0; step < 2; step++) {
    const off = (normalProbability(x) - p) / density(x)
    x -= off / (1 + 0.5 * x * off)
  }
  return x
}
