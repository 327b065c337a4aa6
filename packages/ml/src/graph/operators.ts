import type { Graph, Tensor } from './graph.ts'
import { broadcastAxes, broadcastShape, type Shape, sameShape, sizeOf } from './tensor-shape.ts'

/** ONNX operators with their shape rules (onnx/docs/Operators.md, opset 17). None of them records a gradient. */

type Binary = (g: Graph, a: Tensor, b: Tensor) => Tensor
type Unary = (g: Graph, a: Tensor) => Tensor
const binary =
  (op: string): Binary =>
  (g, a, b) =>
    g.emit(op, [a, b], broadcastShape(a.shape, b.shape))
const unary =
  (op: string): Unary =>
  (g, a) =>
    g.emit(op, [a], a.shape)

export const add: Binary = binary('Add')
export const sub: Binary = binary('Sub')
export const mul: Binary = binary('Mul')
export const div: Binary = binary('Div')
export const sqrt: Unary = unary('Sqrt')
export const sigmoid: Unary = unary('Sigmoid')
export const tanh: Unary = unary('Tanh')
export const relu: Unary = unary('Relu')

/** log(1 + eˣ), in a form that does not overflow: max(x, 0) + log(1 + e^−|x|). float64 has no kernel of its own. */
export function softplus(g: Graph, a: Tensor): Tensor {
  if (g.type === 'float32') return g.emit('Softplus', [a], a.shape)
  const tail = unary('Exp')(g, unary('Neg')(g, unary('Abs')(g, a)))
  return add(g, relu(g, a), unary('Log')(g, add(g, g.scalar(1), tail)))
}

/** 1 where a < 0, else 0. */
export function isNegative(g: Graph, a: Tensor): Tensor {
  const flags = g.emit('Less', [a, g.scalar(0)], a.shape)
  return g.emit('Cast', [flags], a.shape, { attributes: { to: { int: g.type === 'float32' ? 1 : 11 } } })
}

/**
 * b where a > 0, else 0. In float32 b times 0 or 1, which a steep ramp cut off at both gives: a third of the time of a
 * comparison and a choice. (An a below 1e-38 would give a share of b.)
 */
export function whereAbove(g: Graph, a: Tensor, b: Tensor): Tensor {
  if (g.type === 'float32') {
    const attributes = { alpha: { float: 1e38 }, beta: { float: 0 } }
    return mul(g, b, g.emit('HardSigmoid', [a], a.shape, { attributes }))
  }
  const flags = g.emit('Greater', [a, g.scalar(0)], a.shape)
  return g.emit('Where', [flags, b, g.scalar(0)], a.shape)
}

/** Over the last axis. */
export const softmax: Unary = (g, a) => g.emit('Softmax', [a], a.shape, { attributes: { axis: { int: -1 } } })

/** The same values in another shape of the same size; free where it is the shape already. */
export function reshape(g: Graph, a: Tensor, shape: Shape): Tensor {
  if (sizeOf(a.shape) !== sizeOf(shape)) throw new RangeError(`[${a.shape}] does not reshape to [${shape}].`)
  return sameShape(a.shape, shape) ? a : g.emit('Reshape', [a, g.integers(shape)], shape)
}

/** Axis k of the result is axis `order[k]` of a. */
export function transpose(g: Graph, a: Tensor, order: readonly number[]): Tensor {
  const shape = order.map((axis) => a.shape[axis]!)
  return g.emit('Transpose', [a], shape, { attributes: { perm: { ints: order } } })
}

/** Cuts a into pieces of the given lengths along an axis. */
export function split(g: Graph, a: Tensor, lengths: readonly number[], axis: number): Tensor[] {
  const shapes = lengths.map((length) => a.shape.with(axis, length))
  return g.emitMany('Split', [a, g.integers(lengths)], shapes, { attributes: { axis: { int: axis } } })
}

/** Joins tensors along an axis. */
export function concat(g: Graph, parts: readonly Tensor[], axis: number): Tensor {
  const length = parts.reduce((sum, part) => sum + part.shape[axis]!, 0)
  return g.emit('Concat', parts, parts[0]!.shape.with(axis, length), { attributes: { axis: { int: axis } } })
}

/** Sum over some axes, which stay with length 1 where `keep` is set. */
export function sum(g: Graph, a: Tensor, axes: readonly number[], keep = false): Tensor {
  const attributes = { keepdims: { int: keep ? 1 : 0 } }
  return g.emit('ReduceSum', [a, g.integers(axes)], reducedShape(a.shape, axes, keep), { attributes })
}

/** Mean over some axes, which stay with length 1 where `keep` is set. */
export function mean(g: Graph, a: Tensor, axes: readonly number[], keep = false): Tensor {
  const attributes = { axes: { ints: axes }, keepdims: { int: keep ? 1 : 0 } }
  return g.emit('ReduceMean', [a], reducedShape(a.shape, axes, keep), { attributes })
}

/** Sums a gradient over the axes that its operand was broadcast along. */
export function sumTo(g: Graph, a: Tensor, shape: Shape): Tensor {
  const axes = broadcastAxes(a.shape, shape)
  return axes.length === 0 ? a : reshape(g, sum(g, a, axes), shape)
}

/** a·b (+ c) of two matrices, either of them transposed first; c broadcasts. */
export function gemm(
  g: Graph,
  a: Tensor,
  b: Tensor,
  how: { transA?: boolean; transB?: boolean; c?: Tensor; beta?: number } = {},
): Tensor {
  const [m, inner] = matrixShape(a.shape, how.transA)
  const [innerB, n] = matrixShape(b.shape, how.transB)
  if (inner !== innerB) throw new RangeError(`[${a.shape}] and [${b.shape}] do not multiply.`)
  const attributes = {
    transA: { int: how.transA ? 1 : 0 },
    transB: { int: how.transB ? 1 : 0 },
    beta: { float: how.beta ?? 1 },
  }
  return g.emit('Gemm', how.c ? [a, b, how.c] : [a, b], [m, n], { attributes })
}

/** alpha · a·b over the last two axes, either of them transposed first; the leading axes are equal. */
export function matmul(
  g: Graph,
  a: Tensor,
  b: Tensor,
  how: { transA?: boolean; transB?: boolean; alpha?: number } = {},
): Tensor {
  const [m, inner] = matrixShape(a.shape, how.transA)
  const [innerB, n] = matrixShape(b.shape, how.transB)
  if (inner !== innerB) throw new RangeError(`[${a.shape}] and [${b.shape}] do not multiply.`)
  const shape = [...a.shape.slice(0, -2), m, n]
  const alpha = how.alpha ?? 1
  if (g.type === 'float32') {
    const attributes = {
      transA: { int: how.transA ? 1 : 0 },
      transB: { int: how.transB ? 1 : 0 },
      alpha: { float: alpha },
    }
    return g.emit('FusedMatMul', [a, b], shape, { attributes, domain: 'com.microsoft' })
  }
  const left = how.transA ? swapLast(g, a) : a
  const right = how.transB ? swapLast(g, b) : b
  return mul(g, g.emit('MatMul', [left, right], shape), g.scalar(alpha))
}

function swapLast(g: Graph, a: Tensor): Tensor {
  const order = a.shape.map((_, axis) => axis)
  return transpose(g, a, [...order.slice(0, -2), order.at(-1)!, order.at(-2)!])
}

function matrixShape(shape: Shape, transposed = false): [number, number] {
  const rows = shape.at(-2)!
  const columns = shape.at(-1)!
  return transposed ? [columns, rows] : [rows, columns]
}

function reducedShape(shape: Shape, axes: readonly number[], keep: boolean): number[] {
  return shape.flatMap((dimension, axis) => (!axes.includes(axis) ? [dimension] : keep ? [1] : []))
}
