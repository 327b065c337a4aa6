/** ln Γ(x) for x > 0 by Lanczos' series (g = 7, nine terms), about 15 digits. */
function logGamma(x: number): number {
  const terms = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const shifted = x - 1
  const t = shifted + 7.5
  const sum = terms.reduce((total, term, k) => total + (k === 0 ? term : term / (shifted + k)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum)
}

const TINY = 1e-300
const STEPS = 300

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz' method. */
function betaFraction(x: number, a: number, b: number): number {
  const kept = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let change = 1
    for (const step of [even, odd]) {
      d = 1 / kept(1 + step * d)
      c = kept(1 + step / c)
      change = c * d
      fraction *= change
    }
    if (Math.abs(change - 1) < 1e-15) break
  }
  return fraction
}

/** The regularised incomplete beta function I_x(a, b), for x in [0, 1] (DLMF 8.17). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** The chance that Student's t with `degrees` of freedom lies as far from 0 as `t`, on either side. */
export const twoSidedP = (t: number, degrees: number): number =>
  incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)

/** The value that |t| exceeds with probability `p`, by bisection. */
export function twoSidedQuantile(p: number, degrees: number): number {
  let [low, high] = [0, 1e4]
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2
    if (twoSidedP(middle, degrees) > p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
