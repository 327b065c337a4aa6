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
