import { attention } from '../graph/attention.ts'
import * as d from '../graph/differentiable.ts'
import type { Tensor } from '../graph/graph.ts'
import { LAYER_NORM_EPSILON, normLinear } from '../graph/norm-linear.ts'
import type { Shape } from '../graph/tensor-shape.ts'
import type { InferenceWriter } from './inference-writer.ts'
import type { Trunk } from './network.ts'
import { matrix, type Parameter, table, vector } from './parameters.ts'
import type { NetworkShape } from './shape.ts'

export interface TransformerSize {
  features: number
  lookback: number
  /** Width of a token; a multiple of `heads`. */
  width: number
  heads: number
  layers: number
}

/** The hidden layer of a feed-forward block, in widths of a token. */
const FEED_FORWARD = 2

/**
 * A Transformer encoder (Vaswani et al. 2017) with normalisation before each block (Xiong et al. 2020), learnt
 * positions and the mean over the steps as the vector. Dropout falls on the outcome of each block, with one mask for
 * all steps of a window (Gal and Ghahramani 2016): as regular, at a thirtieth of the random numbers.
 */
export function transformerTrunk(size: TransformerSize): Trunk {
  const { features, lookback, width, heads, layers } = size
  if (width % heads !== 0) throw new RangeError(`A width of ${width} does not divide into ${heads} heads.`)
  const names = Array.from({ length: layers }, (_, layer) => `layer${layer}`)
  return {
    parameters: [
      matrix('embed.matrix', features, width),
      vector('embed.bias', width),
      table('positions', [lookback, width], 0.1),
      ...names.flatMap((name) => layerParameters(name, width)),
    ],
    width,
    masks: new Array<number>(2 * layers + 1).fill(width),
    build(tape, weights, x, masks) {
      const batch = x.shape[0]!
      const windows: Shape = [width, batch, lookback]
      const columns: Shape = [width, batch * lookback]
      const kept = masks?.map((mask) => d.reshape(tape, d.transpose(tape, mask, [1, 0]), [width, batch, 1]))
      const dropped = (a: Tensor, mask: Tensor | undefined) =>
        mask ? d.reshape(tape, d.mul(tape, d.reshape(tape, a, windows), mask), columns) : a
      const normed = (a: Tensor, norm: string, dense: string) => {
        const [gain, shift] = [weights[`${norm}.gain`]!, weights[`${norm}.bias`]!]
        return normLinear(tape, a, {
          gain,
          shift,
          matrix: weights[`${dense}.matrix`]!,
          bias: weights[`${dense}.bias`]!,
        })
      }
      const dense = (a: Tensor, name: string) =>
        d.linearColumns(tape, a, weights[`${name}.matrix`]!, weights[`${name}.bias`]!)

      const rows = d.reshape(tape, x, [batch * lookback, features])
      const embedded = d.linearRowsToColumns(tape, rows, weights['embed.matrix']!, weights['embed.bias']!)
      const places = d.reshape(tape, d.transpose(tape, weights.positions!, [1, 0]), [width, 1, lookback])
      let h = d.reshape(tape, d.add(tape, d.reshape(tape, embedded, windows), places), columns)
      for (const [layer, name] of names.entries()) {
        const joined = normed(h, `${name}.norm1`, `${name}.qkv`)
        const attended = dense(attention(tape, joined, { heads, steps: lookback }), `${name}.out`)
        h = d.add(tape, h, dropped(attended, kept?.[2 * layer]))
        const inner = d.relu(tape, normed(h, `${name}.norm2`, `${name}.grow`))
        h = d.add(tape, h, dropped(dense(inner, `${name}.shrink`), kept?.[2 * layer + 1]))
      }
      const pooled = d.transpose(tape, d.mean(tape, d.reshape(tape, h, windows), 2), [1, 0])
      return masks ? d.mul(tape, pooled, masks[2 * layers]!) : pooled
    },
  }
}

function layerParameters(name: string, width: number): Parameter[] {
  const inner = FEED_FORWARD * width
  return [
    vector(`${name}.norm1.gain`, width, 1),
    vector(`${name}.norm1.bias`, width),
    { ...matrix(`${name}.qkv.matrix`, width, width), shape: [width, 3 * width] },
    vector(`${name}.qkv.bias`, 3 * width),
    matrix(`${name}.out.matrix`, width, width),
    vector(`${name}.out.bias`, width),
    vector(`${name}.norm2.gain`, width, 1),
    vector(`${name}.norm2.bias`, width),
    matrix(`${name}.grow.matrix`, width, inner),
    vector(`${name}.grow.bias`, inner),
    matrix(`${name}.shrink.matrix`, inner, width),
    vector(`${name}.shrink.bias`, width),
  ]
}

/** Tokens stay rows of one matrix, so that products take their bias along; windows appear where steps meet. */
export function inferTransformer(w: InferenceWriter, shape: NetworkShape): string {
  const { features, lookback, width, heads, layers } = shape
  const tokens = (a: string, columns: number) => w.node('Reshape', [a, w.integers([-1, columns])])
  const windows = (a: string) => w.node('Reshape', [a, w.integers([-1, lookback, width])])
  const embedded = windows(w.dense(tokens('x', features), 'embed', features, width))
  let h = tokens(w.node('Add', [embedded, w.weight('positions', [lookback, width])]), width)
  for (let layer = 0; layer < layers; layer++) {
    const name = `layer${layer}`
    const joined = w.dense(inferLayerNorm(w, h, `${name}.norm1`, width), `${name}.qkv`, width, 3 * width)
    const attended = w.dense(inferAttention(w, joined, { lookback, width, heads }), `${name}.out`, width, width)
    h = w.node('Add', [h, attended])
    const grown = w.dense(inferLayerNorm(w, h, `${name}.norm2`, width), `${name}.grow`, width, FEED_FORWARD * width)
    h = w.node('Add', [h, w.dense(w.node('Relu', [grown]), `${name}.shrink`, FEED_FORWARD * width, width)])
  }
  return w.node('ReduceMean', [windows(h)], { axes: { ints: [1] }, keepdims: { int: 0 } })
}

/** Written out as in the training graph: the LayerNormalization operator takes twice as long on rows this short. */
function inferLayerNorm(w: InferenceWriter, a: string, name: string, width: number): string {
  const average = (x: string) => w.node('ReduceMean', [x], { axes: { ints: [1] }, keepdims: { int: 1 } })
  const centred = w.node('Sub', [a, average(a)])
  const variance = average(w.node('Mul', [centred, centred]))
  const epsilon = w.constant('norm.epsilon', [], Float32Array.of(LAYER_NORM_EPSILON))
  const deviation = w.node('Sqrt', [w.node('Add', [variance, epsilon])])
  const normal = w.node('Div', [centred, deviation])
  const scaled = w.node('Mul', [normal, w.weight(`${name}.gain`, [width])])
  return w.node('Add', [scaled, w.weight(`${name}.bias`, [width])])
}

function inferAttention(
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
