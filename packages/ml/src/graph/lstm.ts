import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

export interface LstmWeights {
  /** [features × 4·hidden], gates in the order of the ONNX operator: input, output, forget, cell. */
  input: Tensor
  /** [hidden × 4·hidden]. */
  recurrent: Tensor
  /** [4·hidden]. */
  bias: Tensor
}

/** What a step leaves for the way back. */
interface Step {
  /** State before the step, inputs and a row of ones (whose weights are the bias), one above another: what gates read. */
  read: Tensor
  /** What a gradient is multiplied by on its way to the gates' inputs: of the cell, except for the output gate's rows. */
  toGates: Tensor
  /** And from the state to the cell. */
  toCell: Tensor
  forget: Tensor
}

/**
 * The last state h [hidden × windows] of an LSTM (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al.
 * 2000) that starts from zeros and reads x [steps × features × windows], which gets no gradient.
 *
 * One rule for the whole sequence instead of one an operation, made for a runtime whose every node costs about as much as
 * a thousand multiplications. Windows are columns, so that the gates of all windows lie one above another and are cut and
 * joined in one piece. tanh(a) of the cell gate is 2σ(2a) − 1, so that one product and one σ give all four gates; doubling
 * its weights is exact. With v = σ of a gate, the gates' derivatives are (1 − v) times products that the step forms anyway.
 */
export function lstm(tape: Tape, x: Tensor, weights: LstmWeights): Tensor {
  const g = tape.graph
  const [steps, features, windows] = x.shape as [number, number, number]
  const { input, recurrent, bias } = weights
  const hidden = recurrent.shape[0]!
  const gates = 4 * hidden
  const doubleCell = g.constant(
    [gates],
    Float64Array.from({ length: gates }, (_, row) => (row < 3 * hidden ? 1 : 2)),
  )
  const joined = op.concat(g, [recurrent, input, op.reshape(g, bias, [1, gates])], 0)
  // Multiplied last, because the runtime would fold a transposition into every product that follows it.
  const matrix = op.mul(g, op.transpose(g, joined, [1, 0]), op.reshape(g, doubleCell, [gates, 1]))
  const inputs = op.split(g, op.reshape(g, x, [steps * features, windows]), new Array<number>(steps).fill(features), 0)
  const ones = g.constant([1, windows], new Float64Array(windows).fill(1))
  const zero = g.constant([hidden, windows], new Float64Array(hidden * windows))

  const taken: Step[] = []
  let state = zero
  let cell = zero
  for (const inputsNow of inputs) {
    const read = op.concat(g, [state, inputsNow, ones], 0)
    // The factor 0 takes nothing from the step before but has its derivatives worked out while they are in the cache: the
    // runtime orders nodes by what they wait for, and would leave them to the way back.
    const before = taken.at(-1)
    const values = op.sigmoid(g, op.gemm(g, matrix, read, before ? { c: before.toGates, beta: 0 } : {}))
    const [i, o, f, c] = op.split(g, values, [hidden, hidden, hidden, hidden], 0) as [Tensor, Tensor, Tensor, Tensor]
    const raised = op.mul(g, i, op.add(g, c, c))
    const fresh = op.sub(g, raised, i)
    const kept = before ? op.mul(g, f, cell) : zero
    cell = before ? op.add(g, fresh, kept) : fresh
    const squashed = op.tanh(g, cell)
    state = op.mul(g, o, squashed)
    const products = op.concat(g, [fresh, state, kept, raised], 0)
    taken.push({
      read,
      toGates: op.mul(g, products, op.sub(g, g.scalar(1), values)),
      toCell: op.sub(g, o, op.mul(g, state, squashed)),
      forget: f,
    })
  }

  return tape.record(state, [input, recurrent, bias], (gradient, to) => {
    const back = op.mul(g, recurrent, doubleCell)
    const ofGates: Tensor[] = []
    let ofState = gradient
    let carried: Tensor | undefined
    for (const [t, step] of [...taken.entries()].reverse()) {
      const through = op.mul(g, ofState, step.toCell)
      const ofCell = carried ? op.add(g, through, carried) : through
      ofGates[t] = op.mul(g, op.concat(g, [ofCell, ofState, ofCell, ofCell], 0), step.toGates)
      if (t === 0) break
      carried = op.mul(g, ofCell, step.forget)
      ofState = op.gemm(g, back, ofGates[t]!)
    }
    // Step by step, each while it is in the cache: joining all steps for one product would copy more than it saves.
    let product: Tensor | undefined
    for (const [t, { read }] of [...taken.entries()].reverse()) {
      product = op.gemm(g, read, ofGates[t]!, { transB: true, ...(product && { c: product }) })
    }
    const total = op.mul(g, product!, doubleCell)
    const [ofRecurrent, ofInput, ofBias] = op.split(g, total, [hidden, features, 1], 0)
    to(recurrent, () => ofRecurrent!)
    to(input, () => ofInput!)
    to(bias, () => op.reshape(g, ofBias!, [gates]))
  })
}
