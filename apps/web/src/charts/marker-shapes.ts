export interface Spot {
  readonly x: number
  readonly y: number
}

/** Corners of a triangle whose middle is at `at`: `up` points to the top of the screen. */
export function trianglePoints(at: Spot, sizePx: number, up: boolean): readonly [Spot, Spot, Spot] {
  const half = sizePx / 2
  const tip = up ? -half : half
  return [
    { x: at.x, y: at.y + tip },
    { x: at.x + half, y: at.y - tip },
    { x: at.x - half, y: at.y - tip },
  ]
}

/** Where an entry's triangle stands: below the low of its candle for a long, above the high for a short. */
export function entrySpot(x: number, highY: number, lowY: number, long: boolean, gapPx: number): Spot {
  return { x, y: long ? lowY + gapPx : highY - gapPx }
}
