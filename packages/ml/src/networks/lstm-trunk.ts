import { mul, transpose } from '../graph/differentiable.ts'
import { lstm } from '../graph/lstm.ts'
import * as op from '../graph/operators.ts'
import type { Trunk } from './network.ts'
import { matrix, type Parameter, vector } from './parameters.ts'

export interface LstmSize {
  features: number
  hidden: number
}

/** One LSTM layer; its last state, with dropout, is the vector. Gates stand in ONNX order: input, output, forget, cell. */
export function lstmTrunk({ features, hidden }: LstmSize): Trunk {
  return {
    parameters: [
      matrix('lstm.input', features, 4 * hidden),
      matrix('lstm.recurrent', hidden, 4 * hidden),
      openForgetGate('lstm.bias', hidden),
    ],
    width: hidden,
    masks: [hidden],
    build(tape, weights, x, masks) {
      const stepsFirst = op.transpose(tape.graph, x, [1, 2, 0])
      const last = lstm(tape, stepsFirst, {
        input: weights['lstm.input']!,
        recurrent: weights['lstm.recurrent']!,
        bias: weights['lstm.bias']!,
      })
      const state = transpose(tape, last, [1, 0])
      return masks ? mul(tape, state, masks[0]!) : state
    },
  }
}

/** A forget gate that starts open (bias 1) remembers from the first step on (Jozefowicz et al. 2015, section 2.2). */
function openForgetGate(name: string, hidden: number): Parameter {
  return { ...vector(name, 4 * hidden), start: (values) => values.fill(0).fill(1, 2 * hidden, 3 * hidden) }
}
