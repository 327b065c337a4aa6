import { Graph, type Tensor } from '../graph/graph.ts'
import * as op from '../graph/operators.ts'
import { Tape } from '../graph/tape.ts'
import { type Shape, sizeOf } from '../graph/tensor-shape.ts'
import { openSession, tensorOf } from '../runtime/onnx-runtime.ts'

/** Numbers in (−1, 1) without pattern, the same every time. */
export function unrelatedNumbers(count: number, seed = 1): Float64Array {
  let state = seed >>> 0
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2_147_483_648 - 1
  })
}

export interface GradientCheck {
  /** Shapes of the inputs that the gradient is taken of; values are drawn unless `values` gives them. */
  shapes: readonly Shape[]
  values?: readonly Float64Array[]
  build(tape: Tape, inputs: readonly Tensor[]): Tensor
}

/**
 * The largest difference between the gradient that the graph computes and central differences, both in float64, over
 * every element of every input, relative to the size of the gradient. The result of `build` is first weighted by
 * unrelated numbers, so that no error cancels in the sum.
 */
export async function gradientError(check: GradientCheck): Promise<number> {
  const values = check.shapes.map((shape, k) => check.values?.[k]?.slice() ?? unrelatedNumbers(sizeOf(shape), k + 7))
  const graph = new Graph('float64')
  const tape = new Tape(graph)
  const inputs = check.shapes.map((shape, k) => tape.track(graph.input(`x${k}`, shape)))
  const out = check.build(tape, inputs)
  const weights = graph.constant(out.shape, unrelatedNumbers(sizeOf(out.shape), 99))
  const axes = out.shape.map((_, axis) => axis)
  const weighted = op.mul(graph, out, weights)
  const total = axes.length === 0 ? weighted : op.sum(graph, weighted, axes)
  const loss = tape.record(total, [out], (grad, to) => to(out, () => op.mul(graph, grad, weights)))
  const gradients = tape.gradients(loss, inputs)
  const outputs = Object.fromEntries(gradients.map((tensor, k) => [`d${k}`, tensor]))
  const whole = await openSession(graph.finish({ loss, ...outputs }), { optimise: false })
  // Of the differences, which are thousands, only the loss is wanted.
  const forward = await openSession(graph.finish({ loss }), { optimise: false })
  const feeds = () => Object.fromEntries(values.map((v, k) => [`x${k}`, tensorOf(v, check.shapes[k]!)]))
  const lossNow = async () => Number((await forward.run(feeds())).loss!.data[0])

  let worst = 0
  const analytic = await whole.run(feeds())
  await whole.release()
  const step = 1e-5
  for (const [k, value] of values.entries()) {
    const claimed = analytic[`d${k}`]!.data as Float64Array
    if (claimed.length !== value.length) throw new Error(`Gradient ${k} has ${claimed.length} values.`)
    const scale = claimed.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-3)
    for (const [i, x] of value.entries()) {
      value[i] = x + step
      const above = await lossNow()
      value[i] = x - step
      const below = await lossNow()
      value[i] = x
      worst = Math.max(worst, Math.abs((above - below) / (2 * step) - claimed[i]!) / scale)
    }
  }
  await forward.release()
  return worst
}
