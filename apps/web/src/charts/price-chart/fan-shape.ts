import type { Spot } from '../marker-shapes.ts'
import { type FanStep, FUTURE_STEPS, type PriceFan } from './price-input.ts'

/** Outlines of a fan: each edge begins at the last known close and has one spot a step, in order of time. */
export interface FanShape {
  readonly outer: { readonly upper: readonly Spot[]; readonly lower: readonly Spot[] }
  readonly inner: { readonly upper: readonly Spot[]; readonly lower: readonly Spot[] }
  readonly median: readonly Spot[]
}

/** `index` is that of the fan's last known candle; `x` and `y` give pixels of an index and of a price. */
export function fanShape(
  fan: PriceFan,
  index: number,
  x: (index: number) => number,
  y: (price: number) => number,
): FanShape {
  const steps = fan.steps.slice(0, FUTURE_STEPS)
  const edge = (quantile: keyof FanStep): Spot[] => [
    { x: x(index), y: y(fan.price) },
    ...steps.map((step, i) => ({ x: x(index + 1 + i), y: y(step[quantile]) })),
  ]
  return {
    outer: { upper: edge('q95'), lower: edge('q05') },
    inner: { upper: edge('q75'), lower: edge('q25') },
    median: edge('q50'),
  }
}

/**
 * Slopes for a smooth curve through `spots` that never overshoots them (Fritsch and Carlson, Monotone Piecewise Cubic
 * Interpolation, SIAM J. Numer. Anal. 17, 1980; here with the harmonic mean of Fritsch and Butland, 1984). `spots`
 * ascend in x.
 */
export function monotoneSlopes(spots: readonly Spot[]): number[] {
  const last = spots.length - 1
  if (last < 1) return spots.map(() => 0)
  const secants = Array.from({ length: last }, (_, i) => {
    const [a, b] = [spots[i]!, spots[i + 1]!]
    return b.x === a.x ? 0 : (b.y - a.y) / (b.x - a.x)
  })
  return spots.map((_, i) => {
    if (i === 0) return secants[0]!
    if (i === last) return secants[last - 1]!
    const [left, right] = [secants[i - 1]!, secants[i]!]
    return left * right <= 0 ? 0 : (2 * left * right) / (left + right)
  })
}

/** The price range of the steps of a fan that the chart draws; null where it has none. */
export function fanRange(fan: PriceFan): { min: number; max: number } | null {
  const steps = fan.steps.slice(0, FUTURE_STEPS)
  if (steps.length === 0) return null
  return {
    min: Math.min(fan.price, ...steps.map((step) => step.q05)),
    max: Math.max(fan.price, ...steps.map((step) => step.q95)),
  }
}
