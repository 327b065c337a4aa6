/**
 * What 400 candles count for at these horizons: how much an accuracy over 400 candles varied over 203 rolling windows of
 * real candles (1m to 4h) against what independent outcomes would vary. Overlap of the horizons and changing markets both
 * take their share.
 */
const MEASURED = [
  { horizon: 1, share: 233 / 400 },
  { horizon: 4, share: 99 / 400 },
  { horizon: 8, share: 71 / 400 },
] as const

/** The share of outcomes that counts, between the measured horizons by straight lines in logarithms. */
function effectiveShare(horizon: number): number {
  const above = MEASURED.findIndex((point) => point.horizon >= horizon)
  if (above === 0) return MEASURED[0].share
  const right = above < 0 ? MEASURED.length - 1 : above
  const [a, b] = [MEASURED[right - 1]!, MEASURED[right]!]
  const slope = Math.log(b.share / a.share) / Math.log(b.horizon / a.horizon)
  return b.share * (horizon / b.horizon) ** slope
}

/** How many independent outcomes `outcomes` successive candles are worth at a horizon. */
export const effectiveOutcomes = (outcomes: number, horizon: number): number => outcomes * effectiveShare(horizon)

/** Two-sided 95 % of a normal. */
export const Z95 = 1.959963984540054

/**
 * 95 % score interval of a share (Wilson, JASA 22, 1927) over `n` outcomes, which may be an effective, broken number;
 * [0, 1] if there are none.
 */
export function wilsonInterval(share: number, n: number): [low: number, high: number] {
  if (!(n > 0)) return [0, 1]
  const z2 = (Z95 * Z95) / n
  const centre = (share + z2 / 2) / (1 + z2)
  const reach = (Z95 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n))) / (1 + z2)
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)]
}
