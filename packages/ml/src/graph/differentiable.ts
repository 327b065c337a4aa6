import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'
import type { Shape } from './tensor-shape.ts'

/** Operations that record their gradient. Rules: Goodfellow, Bengio and Courville, Deep Learning, section 6.5. */

export function add(tape: Tape, a: Tensor, b: Tensor): Tensor {
  return tape.record(op.add(tape.graph, a, b), [a, b], (grad, to) => {
    to(a, () => grad)
    to(b, () => grad)
  })
}

/** a × b elementwise, broadcast; d(ab) = b da + a db. */
export function mul(tape: Tape, a: Tensor, b: Tensor): Tensor {
  const g = tape.graph
  return tape.record(op.mul(g, a, b), [a, b], (grad, to) => {
    to(a, () => op.mul(g, grad, b))
    to(b, () => op.mul(g, grad, a))
  })
}

/** a times a number. */
export function scale(tape: Tape, a: Tensor, factor: number): Tensor {
  return mul(tape, a, tape.graph.scalar(factor))
}

/** max(a, 0); no gradient where a ≤ 0. */
export function relu(tape: Tape, a: Tensor): Tensor {
  const g = tape.graph
  const out = op.relu(g, a)
  return tape.record(out, [a], (grad, to) => to(a, () => op.whereAbove(g, out, grad)))
}

/** The same values in another shape. */
export function reshape(tape: Tape, a: Tensor, shape: Shape): Tensor {
  const out = op.reshape(tape.graph, a, shape)
  if (out === a) return a
  return tape.record(out, [a], (grad, to) => to(a, () => op.reshape(tape.graph, grad, a.shape)))
}

/** Axis k of the result is axis `order[k]` of a. */
export function transpose(tape: Tape, a: Tensor, order: readonly number[]): Tensor {
  const back = order.map((_, axis) => order.indexOf(axis))
  return tape.record(op.transpose(tape.graph, a, order), [a], (grad, to) => {
    to(a, () => op.transpose(tape.graph, grad, back))
  })
}

/** Mean over one axis, which goes. */
export function mean(tape: Tape, a: Tensor, axis: number): Tensor {
  const g = tape.graph
  const length = a.shape[axis]!
  return tape.record(op.mean(g, a, [axis]), [a], (grad, to) => {
    // A product that broadcasts takes a third of the time of the runtime's own way to repeat values.
    const shares = g.constant(
      [length, ...a.shape.slice(axis + 1).map(() => 1)],
      new Float64Array(length).fill(1 / length),
    )
    to(a, () => op.mul(g, op.reshape(g, grad, a.shape.with(axis, 1)), shares))
  })
}

/** x·w + b for x [rows × inputs], w [inputs × outputs], b [outputs]. */
export function linear(tape: Tape, x: Tensor, w: Tensor, b: Tensor): Tensor {
  const g = tape.graph
  return tape.record(op.gemm(g, x, w, { c: b }), [x, w, b], (grad, to) => {
    to(x, () => op.gemm(g, grad, w, { transB: true }))
    to(w, () => op.gemm(g, x, grad, { transA: true }))
    to(b, () => grad)
  })
}

/** wᵀ·x + b for each column of x [inputs × columns], w [inputs × outputs], b [outputs]. */
export function linearColumns(tape: Tape, x: Tensor, w: Tensor, b: Tensor): Tensor {
  const g = tape.graph
  const bias = op.reshape(g, b, [b.shape[0]!, 1])
  return tape.record(op.gemm(g, w, x, { transA: true, c: bias }), [x, w, b], (grad, to) => {
    to(x, () => op.gemm(g, w, grad))
    to(w, () => op.gemm(g, x, grad, { transB: true }))
    to(b, () => op.sum(g, grad, [1]))
  })
}

/** wᵀ·xᵀ + b, a column for each row of x [rows × inputs], w [inputs × outputs], b [outputs]. */
export function linearRowsToColumns(tape: Tape, x: Tensor, w: Tensor, b: Tensor): Tensor {
  const g = tape.graph
  const bias = op.reshape(g, b, [b.shape[0]!, 1])
  return tape.record(op.gemm(g, w, x, { transA: true, transB: true, c: bias }), [x, w, b], (grad, to) => {
    to(x, () => op.gemm(g, grad, w, { transA: true, transB: true }))
    to(w, () => op.transpose(g, op.gemm(g, grad, x), [1, 0]))
    to(b, () => op.sum(g, grad, [1]))
  })
}
