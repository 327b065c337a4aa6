import { indexAtOrBefore } from '../candle-index.ts'
import type { ValueSpan } from '../primitives/level-line-primitive.ts'
import type { Point } from './backtest-chart-data.ts'

/** Smallest and largest value of the points between two candle indices, both ends included; null where there is none. */
export function spanOfPoints(
  points: readonly Point[],
  times: readonly number[],
): (from: number, to: number) => ValueSpan | null {
  const pointTimes = points.map((point) => point.t)
  return (from, to) => {
    const first = times[Math.max(0, Math.ceil(from))]
    const last = times[Math.min(times.length - 1, Math.floor(to))]
    if (first === undefined || last === undefined) return null
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let i = indexAtOrBefore(pointTimes, first - 1) + 1; i < points.length && points[i]!.t <= last; i++) {
      min = Math.min(min, points[i]!.value)
      max = Math.max(max, points[i]!.value)
    }
    return min > max ? null : { min, max }
  }
}
