import type { Graph, Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

export const LAYER_NORM_EPSILON = 1e-5

/**
 * (x − mean) / √(variance + ε) · gain + bias over the columns of x [rows × width] (Ba, Kiros and Hinton 2016,
 * arXiv:1607.06450).
 */
export function layerNorm(tape: Tape, x: Tensor, gain: Tensor, bias: Tensor): Tensor {
  const g = tape.graph
  const average = (a: Tensor): Tensor => op.mean(g, a, [1], true)
  const { out, mean, inverse } = normalise(g, x, gain, bias)
  return tape.record(out, [x, gain, bias], (grad, to) => {
    const normal = op.mul(g, op.sub(g, x, mean), inverse)
    to(gain, () => op.mul(g, grad, normal))
    to(bias, () => grad)
    to(x, () => {
      const inner = op.mul(g, grad, gain)
      const along = op.mul(g, normal, average(op.mul(g, inner, normal)))
      return op.mul(g, op.sub(g, op.sub(g, inner, average(inner)), along), inverse)
    })
  })
}

/** The operator gives its statistics in float32 whatever it is fed, so that float64 takes the long way. */
function normalise(g: Graph, x: Tensor, gain: Tensor, bias: Tensor): { out: Tensor; mean: Tensor; inverse: Tensor } {
  if (g.type === 'float32') {
    const shapes = [x.shape, x.shape.with(1, 1), x.shape.with(1, 1)]
    const attributes = { axis: { int: -1 }, epsilon: { float: LAYER_NORM_EPSILON } }
    const [out, mean, inverse] = g.emitMany('LayerNormalization', [x, gain, bias], shapes, { attributes })
    return { out: out!, mean: mean!, inverse: inverse! }
  }
  const mean = op.mean(g, x, [1], true)
  const centred = op.sub(g, x, mean)
  const variance = op.mean(g, op.mul(g, centred, centred), [1], true)
  const inverse = op.div(g, g.scalar(1), op.sqrt(g, op.add(g, variance, g.scalar(LAYER_NORM_EPSILON))))
  const out = op.add(g, op.mul(g, op.mul(g, centred, inverse), gain), bias)
  return { out, mean, inverse }
}
