import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

/**
 * The last state h [batch × hidden] of an LSTM (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al.
 * 2000) that starts from zeros. `drive` [steps·batch × 4·hidden], step after step, is what the inputs and the bias
 * give to the gates, in the order of the ONNX operator: input, output, forget, cell. `recurrent` is
 * [hidden × 4·hidden].
 *
 * One rule for the whole sequence instead of one an operation: everything that does not depend on the gradient of a
 * later step is computed for all steps at once, and the gradient of `recurrent` is one product over all steps.
 */
export function lstm(tape: Tape, drive: Tensor, recurrent: Tensor, steps: number): Tensor {
  const g = tape.graph
  const hidden = recurrent.shape[0]!
  const batch = drive.shape[0]! / steps
  const rows = new Array<number>(steps).fill(batch)
  const gates: Tensor[] = []
  const forgets: Tensor[] = []
  const candidates: Tensor[] = []
  const inputs: Tensor[] = []
  const outputs: Tensor[] = []
  const cells: Tensor[] = []
  const squashed: Tensor[] = []
  const states: Tensor[] = []

  for (const [t, driven] of op.split(g, drive, rows, 0).entries()) {
    const previous = states[t - 1]
    const pre = previous ? op.gemm(g, previous, recurrent, { c: driven }) : driven
    const [gatesPre, candidatePre] = op.split(g, pre, [3 * hidden, hidden], 1)
    const gate = op.sigmoid(g, gatesPre!)
    const candidate = op.tanh(g, candidatePre!)
    const [input, output, forget] = op.split(g, gate, [hidden, hidden, hidden], 1)
    const fresh = op.mul(g, input!, candidate)
    const cell = t === 0 ? fresh : op.add(g, fresh, op.mul(g, forget!, cells[t - 1]!))
    const squash = op.tanh(g, cell)
    gates.push(gate)
    forgets.push(forget!)
    candidates.push(candidate)
    inputs.push(input!)
    outputs.push(output!)
    cells.push(cell)
    squashed.push(squash)
    states.push(op.mul(g, output!, squash))
  }

  return tape.record(states.at(-1)!, [drive, recurrent], (gradient, to) => {
    const zero = g.constant([batch, hidden], new Float64Array(batch * hidden))
    const one = g.scalar(1)
    const slope = (a: Tensor): Tensor => op.sub(g, one, op.mul(g, a, a))
    const effects: Tensor[] = []
    const cellToState: Tensor[] = []
    for (let t = 0; t < steps; t++) {
      const gate = gates[t]!
      const gateSlope = op.sub(g, gate, op.mul(g, gate, gate))
      const gateEffect = op.mul(g, op.concat(g, [candidates[t]!, squashed[t]!, cells[t - 1] ?? zero], 1), gateSlope)
      effects.push(op.concat(g, [gateEffect, op.mul(g, inputs[t]!, slope(candidates[t]!))], 1))
      cellToState.push(op.mul(g, outputs[t]!, slope(squashed[t]!)))
    }

    const driveGradients: Tensor[] = []
    let state = gradient
    let carried: Tensor | undefined
    for (let t = steps - 1; t >= 0; t--) {
      const here = op.mul(g, state, cellToState[t]!)
      const cell = carried ? op.add(g, here, carried) : here
      const pre = op.mul(g, op.concat(g, [cell, state, cell, cell], 1), effects[t]!)
      driveGradients[t] = pre
      if (t === 0) break
      carried = op.mul(g, cell, forgets[t]!)
      state = op.gemm(g, pre, recurrent, { transB: true })
    }
    const driven = op.concat(g, driveGradients, 0)
    to(drive, () => driven)
    to(recurrent, () => op.gemm(g, op.concat(g, [zero, ...states.slice(0, -1)], 0), driven, { transA: true }))
  })
}
