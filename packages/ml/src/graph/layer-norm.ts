import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

export const LAYER_NORM_EPSILON = 1e-5

/**
 * (x − mean) / √(variance + ε) · gain + bias over the columns of x [rows × width] (Ba, Kiros and Hinton 2016,
 * arXiv:1607.06450). Both passes centre and average with matrix products by constants, which run about twice as fast
 * on one core as the runtime's own LayerNormalization and mean reductions over rows this short.
 */
export function layerNorm(tape: Tape, x: Tensor, gain: Tensor, bias: Tensor): Tensor {
  const g = tape.graph
  const width = x.shape[1]!
  const centring = g.constant([width, width], centringMatrix(width))
  const averaging = g.constant([width, 1], new Array<number>(width).fill(1 / width))
  const average = (a: Tensor): Tensor => op.gemm(g, a, averaging)

  const centred = op.gemm(g, x, centring)
  const variance = average(op.mul(g, centred, centred))
  const deviation = op.sqrt(g, op.add(g, variance, g.scalar(LAYER_NORM_EPSILON)))
  const inverse = op.div(g, g.scalar(1), deviation)
  const normal = op.mul(g, centred, inverse)
  const out = op.add(g, op.mul(g, normal, gain), bias)

  return tape.record(out, [x, gain, bias], (grad, to) => {
    to(gain, () => op.mul(g, grad, normal))
    to(bias, () => grad)
    to(x, () => {
      const inner = op.mul(g, grad, gain)
      const along = op.mul(g, normal, average(op.mul(g, inner, normal)))
      return op.mul(g, op.sub(g, op.gemm(g, inner, centring), along), inverse)
    })
  })
}

/** I − 1/n: takes the mean of a row from each of its values. */
function centringMatrix(n: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0) - 1 / n)
}
