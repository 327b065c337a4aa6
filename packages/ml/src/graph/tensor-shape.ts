export type Shape = readonly number[]

/** How many values a tensor of this shape holds; 1 for a scalar. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((product, dimension) => product * dimension, 1)
}

/** Whether both have the same dimensions in the same order. */
export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dimension, axis) => dimension === b[axis])
}

/**
 * The shape that two operands broadcast to (onnx/docs/Broadcasting.md, multidirectional).
 * Throws when they do not fit.
 */
export function broadcastShape(a: Shape, b: Shape): number[] {
  const rank = Math.max(a.length, b.length)
  return Array.from({ length: rank }, (_, axis) => {
    const x = a[a.length - rank + axis] ?? 1
    const y = b[b.length - rank + axis] ?? 1
    if (x !== y && x !== 1 && y !== 1) throw new RangeError(`Shapes [${a}] and [${b}] do not broadcast.`)
    return x === 1 ? y : x
  })
}

/** The axes of `from` over which a gradient is summed so that it fits the operand of shape `to`. */
export function broadcastAxes(from: Shape, to: Shape): number[] {
  const lead = from.length - to.length
  return from.flatMap((dimension, axis) => (axis < lead || (to[axis - lead] === 1 && dimension !== 1) ? [axis] : []))
}
