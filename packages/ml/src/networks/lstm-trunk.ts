import { mul, transpose } from '../graph/differentiable.ts'
import { lstm } from '../graph/lstm.ts'
import * as op from '../graph/operators.ts'
import type { InferenceWriter } from './inference-writer.ts'
import type { Trunk } from './network.ts'
import { matrix, type Parameter, vector } from './parameters.ts'
import type { NetworkShape } from './shape.ts'

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

/** The LSTM operator wants its matrices as [directions × gates × inputs], and a bias for input and state apart. */
export function inferLstm(w: InferenceWriter, { features, hidden }: NetworkShape): string {
  const gates = 4 * hidden
  const input = transposed(w.values('lstm.input'), features, gates)
  const recurrent = transposed(w.values('lstm.recurrent'), hidden, gates)
  const bias = new Float32Array(2 * gates)
  bias.set(w.values('lstm.bias'))
  const stepsFirst = w.node('Transpose', ['x'], { perm: { ints: [1, 0, 2] } })
  const weights = [
    w.constant('lstm.W', [1, gates, features], input),
    w.constant('lstm.R', [1, gates, hidden], recurrent),
    w.constant('lstm.B', [1, 2 * gates], bias),
  ]
  w.nodes('LSTM', [stepsFirst, ...weights], ['', 'lstm_state'], { hidden_size: { int: hidden } })
  return w.node('Squeeze', ['lstm_state', w.integers([0])])
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]!)
}
