/**
 * Candles that share one column where they are narrower than a pixel: the groups are counted from index 0, not from the
 * edge of the screen, so that panning does not make them flicker.
 */
export function candlesPerColumn(spacingPx: number): number {
  return spacingPx >= 1 || spacingPx <= 0 ? 1 : Math.ceil(1 / spacingPx)
}

/** First index of the group in which `index` lies. */
export const groupStart = (index: number, perColumn: number): number => Math.floor(index / perColumn) * perColumn

const MAX_CANDLE_PX = 12

/** Width of a candle's body: seven tenths of the space of a candle, at least 1 px, at most 12. */
export function bodyWidthPx(spacingPx: number): number {
  return Math.min(MAX_CANDLE_PX, Math.max(1, spacingPx < 3 ? spacingPx - 0.5 : spacingPx * 0.72))
}
