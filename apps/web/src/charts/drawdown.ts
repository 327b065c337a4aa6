/** The fall from the highest equity so far at each point, percent, 0 or negative. */
export function drawdownsOf(points: readonly { t: number; equity: number }[]): { t: number; pct: number }[] {
  let peak = Number.NEGATIVE_INFINITY
  return points.map(({ t, equity }) => {
    peak = Math.max(peak, equity)
    return { t, pct: peak > 0 ? (100 * (equity - peak)) / peak : 0 }
  })
}
