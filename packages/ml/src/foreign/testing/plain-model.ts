import { type Attribute, encodeModel, type OnnxNode, type OnnxPort } from '../../graph/onnx-model.ts'

export interface PlainModel {
  lookback?: number
  inputs?: number
  /** Nodes between the windows' means, named `means` [batch × inputs], and what the heads read, named `seen`. */
  between?: OnnxNode[]
  input?: Partial<OnnxPort>
  quantiles?: Partial<OnnxPort>
  /** One horizon's quantiles around the mean. */
  fan?: readonly number[]
}

const FAN = [-1.6, -0.6, 0, 0.6, 1.6]
const mean: Record<string, Attribute> = { axes: { ints: [1] }, keepdims: { int: 0 } }

/** A small ONNX file for the tests: the mean of each input over the window, a fan around it, and a logit. */
export function plainModel(model: PlainModel = {}): Uint8Array {
  const {
    lookback = 4,
    inputs = 2,
    fan = FAN,
    between = [{ op: 'Identity', inputs: ['means'], outputs: ['seen'] }],
  } = model
  const weights = (name: string, columns: number) => ({
    name,
    shape: [inputs, columns],
    data: Float32Array.from({ length: inputs * columns }, (_, k) => 0.01 * ((k % 7) - 3)),
  })
  const integers = (name: string, values: readonly number[]) => ({
    name,
    shape: [values.length],
    data: BigInt64Array.from(values, (v) => BigInt(v)),
  })
  return encodeModel({
    nodes: [
      { op: 'ReduceMean', inputs: ['x'], outputs: ['means'], attributes: mean },
      ...between,
      { op: 'Gemm', inputs: ['seen', 'fan.matrix', 'fan.bias'], outputs: ['quantiles'] },
      { op: 'MatMul', inputs: ['seen', 'up.matrix'], outputs: ['up_logit'] },
    ],
    initialisers: [
      weights('fan.matrix', 8 * fan.length),
      {
        name: 'fan.bias',
        shape: [8 * fan.length],
        data: Float32Array.from({ length: 8 * fan.length }, (_, k) => fan[k % fan.length]!),
      },
      weights('up.matrix', 1),
      integers('large', [1500, 1500]),
      integers('huge', [15_000, 15_000]),
      integers('none', [0]),
      integers('one', [1]),
      integers('minus.one', [-1]),
      integers('end', [2 ** 31]),
      integers('sixty.four', [64]),
      { name: 'hair', shape: [1], data: Float32Array.of(1e-6) },
      { name: 'tell', shape: [2], data: Float32Array.of(-1000, 0) },
      integers('seven', [7]),
      integers('fives', [5, -1]),
      integers('crowd', [10_000, 1, 1]),
      integers('pairs', [-1, inputs]),
    ],
    inputs: [{ name: 'x', type: 'float32', shape: ['batch', lookback, inputs], ...model.input }],
    outputs: [
      { name: 'quantiles', type: 'float32', shape: ['batch', 8 * fan.length], ...model.quantiles },
      { name: 'up_logit', type: 'float32', shape: ['batch', 1] },
    ],
  })
}
