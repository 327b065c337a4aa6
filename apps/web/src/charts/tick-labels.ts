/** Closer than this, in px, a label of the axis would show behind a tag. */
const TAG_REACH_PX = 17

/**
 * Texts of the ticks of a price axis. A tick under a tag has no text. `y` gives the pixel of a price, null where it
 * has none.
 */
export function tickLabels(
  prices: readonly number[],
  tags: readonly number[],
  y: (price: number) => number | null,
  format: (price: number) => string,
): string[] {
  const tagged = tags.map(y).filter((at): at is number => at !== null)
  return prices.map((price) => {
    const at = y(price)
    return at !== null && tagged.some((tag) => Math.abs(tag - at) < TAG_REACH_PX) ? '' : format(price)
  })
}
