import { noiseAt, normalOf } from './hash-noise.ts'

/** Minutes of a block: what is computed at once. */
export const BLOCK_LEVEL = 10
export const BLOCK = 1 << BLOCK_LEVEL
/** The tree's root spans 2^20 minutes, about two years. */
const ROOT_LEVEL = 20
const HALF_ROOT = 2 ** (ROOT_LEVEL / 2)

/** How much the volatility of the two halves of a stretch differs: its logarithm moves by ± this at each halving. */
const VOLATILITY_STEP = 0.15
// E[m²] = 1, so that the volatility of the whole does not depend on the depth.
const CALMER = Math.exp(-VOLATILITY_STEP) / Math.sqrt(Math.cosh(2 * VOLATILITY_STEP))
const WILDER = Math.exp(VOLATILITY_STEP) / Math.sqrt(Math.cosh(2 * VOLATILITY_STEP))
/** Levels 0–20 of the stream place the path; the volatility takes its noise from the bits of another stream. */
const VOLATILITY_STREAM = 0x3c6ef372

const volatilityStep = (stream: number, level: number, index: number): number =>
  noiseAt(stream ^ VOLATILITY_STREAM, level, index) & 1 ? WILDER : CALMER

/** The displacement of the middle of the stretch `index` on `level` of a Brownian path with variance 1 a minute. */
const displacement = (stream: number, level: number, index: number): number =>
  normalOf(noiseAt(stream, level, index)) * 0.5 * 2 ** (level / 2)

const anchor = (stream: number, root: number): number =>
  normalOf(noiseAt(stream, ROOT_LEVEL + 1, root)) * HALF_ROOT * Math.SQRT1_2

/**
 * A random path that can be asked for at any minute without the minutes before it: fixed points every 2^20 minutes, and
 * between two points the middle displaced at random, again and again (midpoint displacement: P. Lévy's construction of
 * Brownian motion). The size of the displacements is a multiplicative cascade over the same tree, which makes the
 * volatility cluster on every scale and the returns fat-tailed (B. Mandelbrot, A. Fisher, L. Calvet, "A multifractal
 * model of asset returns", 1997).
 *
 * Fills `path` (BLOCK + 1 values, the path at each minute of `block` and at its end) and `volatility` (BLOCK values,
 * relative to the average). On average the variance of the path is 1 a minute.
 */
export function fillLogPath(stream: number, block: number, path: Float64Array, volatility: Float64Array): void {
  let left = anchor(stream, block >> (ROOT_LEVEL - BLOCK_LEVEL))
  let right = anchor(stream, (block >> (ROOT_LEVEL - BLOCK_LEVEL)) + 1)
  let size = 1
  for (let level = ROOT_LEVEL; level > BLOCK_LEVEL; level--) {
    const index = block >> (level - BLOCK_LEVEL)
    const middle = (left + right) / 2 + displacement(stream, level, index) * size
    const half = block >> (level - 1 - BLOCK_LEVEL)
    if (half & 1) left = middle
    else right = middle
    size *= volatilityStep(stream, level - 1, half)
  }
  path[0] = left
  path[BLOCK] = right
  volatility[0] = size
  let stretches = 1
  for (let level = BLOCK_LEVEL; level > 0; level--) {
    const span = 1 << level
    const first = block * stretches
    for (let i = stretches - 1; i >= 0; i--) {
      const at = i * span
      const v = volatility[i]!
      path[at + span / 2] = (path[at]! + path[at + span]!) / 2 + displacement(stream, level, first + i) * v
      volatility[2 * i + 1] = v * volatilityStep(stream, level - 1, 2 * (first + i) + 1)
      volatility[2 * i] = v * volatilityStep(stream, level - 1, 2 * (first + i))
    }
    stretches *= 2
  }
}
