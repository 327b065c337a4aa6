/** Pixels of one notch of a wheel, and of one line where a browser counts lines. */
const NOTCH_PX = 100
const LINE_PX = 33

/** Zoom steps of a wheel event: a notch towards the screen is one step in. At most 4 at once. */
export function wheelSteps(deltaY: number, deltaMode: number): number {
  const px = deltaMode === 0 ? deltaY : deltaY * LINE_PX
  return Math.min(4, Math.max(-4, -px / NOTCH_PX))
}
