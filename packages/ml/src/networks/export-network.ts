import { LAYER_NORM_EPSILON } from '../graph/norm-linear.ts'
import { buildNetwork } from './build-network.ts'
import { NECK } from './forecast.ts'
import { InferenceWriter } from './inference-writer.ts'
import { namedValues } from './parameters.ts'
import type { NetworkShape } from './shape.ts'
import { networkParameters } from './training-graph.ts'
import { FEED_FORWARD } from './transformer-trunk.ts'

/**
 * The inference file of a trained network: standard operators of opset 17, x [batch × lookback × features] →
 * quantiles [batch × horizons·levels], rising in each horizon, and up_logit [batch × 1]. `weights` is the joined vector that training gives.
 */
export function exportNetwork(shape: NetworkShape, weights: Float32Array): Uint8Array {
  const parameters = networkParameters(buildNetwork(shape))
  const w = new InferenceWriter(namedValues(parameters, weights))
  const [vector, width] =
    shape.kind === 'lstm' ? [lstmVector(w, shape), shape.hidden] : [encoder(w, shape), shape.width]
  const forecasts = shape.horizons * shape.quantiles.length
  const neck = w.node('Relu', [w.dense(vector, 'neck', width, NECK)])
  const raw = w.dense(neck, 'quantiles', NECK, forecasts)
  return w.finish(shape, {
    quantiles: { from: sorted(w, raw, shape), width: forecasts },
    up_logit: { from: w.dense(neck, 'up', NECK, 1), width: 1 },
  })
}

/** The LSTM operator wants its matrices as [directions × gates × inputs], and a bias for input and state apart. */
function lstmVector(w: InferenceWriter, { features, hidden }: NetworkShape): string {
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

/** Tokens stay rows of one matrix, so that products take their bias along; windows appear where steps meet. */
function encoder(w: InferenceWriter, shape: NetworkShape): string {
  const { features, lookback, width, heads, layers } = shape
  const tokens = (a: string, columns: number) => w.node('Reshape', [a, w.integers([-1, columns])])
  const windows = (a: string) => w.node('Reshape', [a, w.integers([-1, lookback, width])])
  const embedded = windows(w.dense(tokens('x', features), 'embed', features, width))
  let h = tokens(w.node('Add', [embedded, w.weight('positions', [lookback, width])]), width)
  for (let layer = 0; layer < layers; layer++) {
    const name = `layer${layer}`
    const joined = w.dense(layerNorm(w, h, `${name}.norm1`, width), `${name}.qkv`, width, 3 * width)
    const attended = w.dense(attention(w, joined, { lookback, width, heads }), `${name}.out`, width, width)
    h = w.node('Add', [h, attended])
    const grown = w.dense(layerNorm(w, h, `${name}.norm2`, width), `${name}.grow`, width, FEED_FORWARD * width)
    h = w.node('Add', [h, w.dense(w.node('Relu', [grown]), `${name}.shrink`, FEED_FORWARD * width, width)])
  }
  return w.node('ReduceMean', [windows(h)], { axes: { ints: [1] }, keepdims: { int: 0 } })
}

/** Written out as in the training graph: the LayerNormalization operator takes twice as long on rows this short. */
function layerNorm(w: InferenceWriter, a: string, name: string, width: number): string {
  const average = (x: string) => w.node('ReduceMean', [x], { axes: { ints: [1] }, keepdims: { int: 1 } })
  const centred = w.node('Sub', [a, average(a)])
  const variance = average(w.node('Mul', [centred, centred]))
  const epsilon = w.constant('norm.epsilon', [], Float32Array.of(LAYER_NORM_EPSILON))
  const deviation = w.node('Sqrt', [w.node('Add', [variance, epsilon])])
  const normal = w.node('Div', [centred, deviation])
  const scaled = w.node('Mul', [normal, w.weight(`${name}.gain`, [width])])
  return w.node('Add', [scaled, w.weight(`${name}.bias`, [width])])
}

function attention(
  w: InferenceWriter,
  joined: string,
  { lookback, width, heads }: Pick<NetworkShape, 'lookback' | 'width' | 'heads'>,
): string {
  const each = width / heads
  const apart = w.node('Reshape', [joined, w.integers([-1, lookback, 3, heads, each])])
  const byHead = w.node('Transpose', [apart], { perm: { ints: [2, 0, 3, 1, 4] } })
  const parts = ['q', 'k', 'v'].map((part) => `${part}_of_${joined}`)
  w.nodes('Split', [byHead, w.integers([1, 1, 1])], parts, { axis: { int: 0 } })
  const [q, k, v] = parts.map((part) => w.node('Squeeze', [part, w.integers([0])]))
  const keys = w.node('Transpose', [k!], { perm: { ints: [0, 1, 3, 2] } })
  const scale = w.constant('attention.scale', [], Float32Array.of(1 / Math.sqrt(each)))
  const scores = w.node('Mul', [w.node('MatMul', [q!, keys]), scale])
  const mixed = w.node('MatMul', [w.node('Softmax', [scores], { axis: { int: -1 } }), v!])
  const stepsFirst = w.node('Transpose', [mixed], { perm: { ints: [0, 2, 1, 3] } })
  return w.node('Reshape', [stepsFirst, w.integers([-1, width])])
}

/** The quantiles of each horizon in rising order, however the outputs crossed. */
function sorted(w: InferenceWriter, raw: string, { horizons, quantiles }: NetworkShape): string {
  const levels = quantiles.length
  const fan = w.node('Reshape', [raw, w.integers([-1, horizons, levels])])
  const smallestFirst = { axis: { int: -1 }, largest: { int: 0 }, sorted: { int: 1 } }
  w.nodes('TopK', [fan, w.integers([levels])], ['rising', 'rising_from'], smallestFirst)
  return w.node('Reshape', ['rising', w.integers([-1, horizons * levels])])
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]!)
}
