import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

export const LAYER_NORM_EPSILON = 1e-5

export interface NormLinearWeights {
  /** Of the normalisation, [width]. */
  gain: Tensor
  /** Of the normalisation, [width]. */
  shift: Tensor
  /** [width × outputs]. */
  matrix: Tensor
  /** [outputs]. */
  bias: Tensor
}

/**
 * A layer normalisation (Ba, Kiros and Hinton 2016, arXiv:1607.06450) and the linear layer that reads it, over the columns
 * of x [width × columns]: matrixᵀ·((x − mean) / √(variance + ε) · gain + shift) + bias, [outputs × columns].
 *
 * Gain and shift are folded into the matrix and its bias, and so is the gradient's centring: what they would do to every
 * column they do once to the weights. Written out because the runtime's own operator takes several times as long on columns
 * this short.
 */
export function normLinear(tape: Tape, x: Tensor, weights: NormLinearWeights): Tensor {
  const g = tape.graph
  const { gain, shift, matrix, bias } = weights
  const [width, outputs] = matrix.shape as [number, number]
  const average = (a: Tensor): Tensor => op.mean(g, a, [0], true)
  const upright = (a: Tensor): Tensor => op.reshape(g, a, [a.shape[0]!, 1])

  const centred = op.sub(g, x, average(x))
  const variance = average(op.mul(g, centred, centred))
  const inverse = op.div(g, g.scalar(1), op.sqrt(g, op.add(g, variance, g.scalar(LAYER_NORM_EPSILON))))
  const normal = op.mul(g, centred, inverse)
  const gains = upright(gain)
  const folded = op.mul(g, matrix, gains)
  const offset = op.gemm(g, matrix, upright(shift), { transA: true, c: upright(bias) })
  const out = op.gemm(g, folded, normal, { transA: true, c: offset })

  return tape.record(out, [x, gain, shift, matrix, bias], (grad, to) => {
    const toFolded = op.gemm(g, normal, grad, { transB: true })
    const toOffset = op.sum(g, grad, [1])
    to(gain, () => op.sum(g, op.mul(g, toFolded, matrix), [1]))
    to(shift, () => op.reshape(g, op.gemm(g, matrix, upright(toOffset)), [width]))
    to(matrix, () => {
      const throughShift = op.gemm(g, upright(shift), op.reshape(g, toOffset, [1, outputs]))
      return op.add(g, op.mul(g, toFolded, gains), throughShift)
    })
    to(bias, () => toOffset)
    to(x, () => {
      const inner = op.gemm(g, op.sub(g, folded, average(folded)), grad)
      const along = op.mul(g, normal, average(op.mul(g, inner, normal)))
      return op.mul(g, op.sub(g, inner, along), inverse)
    })
  })
}
