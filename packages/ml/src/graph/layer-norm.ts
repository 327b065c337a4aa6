import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

export const LAYER_NORM_EPSILON = 1e-5

/**
 * (x − mean) / √(variance + ε) · gain + bias over the columns of x [rows × width] (Ba, Kiros and Hinton 2016,
 * arXiv:1607.06450). Written out because the backward pass needs the normal form anyway, and because the runtime's own
 * operator takes twice as long on rows this short.
 */
export function layerNorm(tape: Tape, x: Tensor, gain: Tensor, bias: Tensor): Tensor {
  const g = tape.graph
  const average = (a: Tensor): Tensor => op.mean(g, a, [1], true)
  const centred = op.sub(g, x, average(x))
  const variance = average(op.mul(g, centred, centred))
  const inverse = op.div(g, g.scalar(1), op.sqrt(g, op.add(g, variance, g.scalar(LAYER_NORM_EPSILON))))
  const normal = op.mul(g, centred, inverse)
  const out = op.add(g, op.mul(g, normal, gain), bias)
  return tape.record(out, [x, gain, bias], (grad, to) => {
    to(gain, () => op.mul(g, grad, normal))
    to(bias, () => grad)
    to(x, () => {
      const inner = op.mul(g, grad, gain)
      const along = op.mul(g, normal, average(op.mul(g, inner, normal)))
      return op.mul(g, op.sub(g, op.sub(g, inner, average(inner)), along), inverse)
    })
  })
}
