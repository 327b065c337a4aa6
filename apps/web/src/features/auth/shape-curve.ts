/**
 * The line of the landing page: a smooth periodic curve (the model) and a staircase that wanders around it (the
 * market). Pure: the same place gives the same height, so that the scene can drift for ever without a state.
 */

/** Heights of the curve, as shares of the scene from its top, every tenth of its width. */
const KNOTS = [
  0.841, 0.79, 0.655, 0.59, 0.612, 0.607, 0.6, 0.667, 0.712, 0.668, 0.573, 0.53, 0.56, 0.63, 0.66, 0.62, 0.58, 0.62,
  0.72, 0.81,
] as const
const KNOTS_A_WIDTH = 10
const STEPS_A_WIDTH = 280
/** After so many widths everything repeats. */
export const PERIOD = KNOTS.length / KNOTS_A_WIDTH
const STEPS = STEPS_A_WIDTH * PERIOD

const wrap = (index: number, length: number) => ((index % length) + length) % length
const knot = (index: number) => KNOTS[wrap(index, KNOTS.length)]!

/** Height of the curve at `u` widths from the start, by Catmull-Rom interpolation of the knots. */
export function curveAt(u: number): number {
  const position = u * KNOTS_A_WIDTH
  const index = Math.floor(position)
  const t = position - index
  const [a, b, c, d] = [knot(index - 1), knot(index), knot(index + 1), knot(index + 2)]
  return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
}

/** Residuals of the market, one a step: an autoregression of seeded noise with a few shocks. */
const residuals = (() => {
  const values = new Float64Array(STEPS)
  let state = 20_251_120
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  let level = 0
  // Twice around, so that the end meets the start.
  for (let index = 0; index < 2 * STEPS; index++) {
    const shock = noise() > 0.475 ? 5 : 1
    level = level * 0.88 + noise() * 0.026 * shock
    values[index % STEPS] = level
  }
  return values
})()

/** The step that `u` falls into: where it begins and ends in widths, and the height of the market there. */
export function stepAt(u: number): { from: number; to: number; height: number } {
  const index = Math.floor(u * STEPS_A_WIDTH)
  const from = index / STEPS_A_WIDTH
  const middle = (index + 0.5) / STEPS_A_WIDTH
  return { from, to: (index + 1) / STEPS_A_WIDTH, height: curveAt(middle) + residuals[wrap(index, STEPS)]! }
}

/** Half the width of a band of the fan, as a share of the scene's height, `ahead` widths past the last candle. */
export const fanHalfWidth = (ahead: number, band: number): number => band * 0.17 * (Math.max(0, ahead) / 0.265) ** 0.62
