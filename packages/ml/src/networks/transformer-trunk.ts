import * as d from '../graph/differentiable.ts'
import type { Tensor } from '../graph/graph.ts'
import { layerNorm } from '../graph/layer-norm.ts'
import type { Tape } from '../graph/tape.ts'
import type { Trunk } from './network.ts'
import { matrix, type Parameter, table, vector, type Weights } from './parameters.ts'

export interface TransformerSize {
  features: number
  lookback: number
  /** Width of a token; a multiple of `heads`. */
  width: number
  heads: number
  layers: number
}

/** The hidden layer of a feed-forward block, in widths of a token. */
export const FEED_FORWARD = 2

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
      const rows = x.shape[0]! * lookback
      const dense = (a: Tensor, name: string) => d.linear(tape, a, weights[`${name}.matrix`]!, weights[`${name}.bias`]!)
      const normed = (a: Tensor, name: string) => layerNorm(tape, a, weights[`${name}.gain`]!, weights[`${name}.bias`]!)
      const dropped = (a: Tensor, mask: Tensor | undefined) => (mask ? maskWindows(tape, a, mask) : a)

      const embedded = dense(d.reshape(tape, x, [rows, features]), 'embed')
      let h = addPositions(tape, embedded, weights, size)
      for (const [layer, name] of names.entries()) {
        const attended = dense(attend(tape, dense(normed(h, `${name}.norm1`), `${name}.qkv`), size), `${name}.out`)
        h = d.add(tape, h, dropped(attended, masks?.[2 * layer]))
        const inner = d.relu(tape, dense(normed(h, `${name}.norm2`), `${name}.grow`))
        h = d.add(tape, h, dropped(dense(inner, `${name}.shrink`), masks?.[2 * layer + 1]))
      }
      const pooled = d.mean(tape, d.reshape(tape, h, [x.shape[0]!, lookback, width]), 1)
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

/**
 * Scaled dot-product attention in each head: softmax(q·kᵀ / √d)·v. `joined` [batch·steps × 3·width] holds queries,
 * keys and values side by side, each divided into heads.
 */
function attend(tape: Tape, joined: Tensor, { lookback, width, heads }: TransformerSize): Tensor {
  const batch = joined.shape[0]! / lookback
  const each = width / heads
  const byHead = d.transpose(tape, d.reshape(tape, joined, [batch, lookback, 3, heads, each]), [2, 0, 3, 1, 4])
  const [q, k, v] = d
    .split(tape, byHead, [1, 1, 1], 0)
    .map((part) => d.reshape(tape, part, [batch * heads, lookback, each]))
  const attention = d.softmax(tape, d.matmul(tape, q!, k!, { transB: true, alpha: 1 / Math.sqrt(each) }))
  const mixed = d.reshape(tape, d.matmul(tape, attention, v!), [batch, heads, lookback, each])
  return d.reshape(tape, d.transpose(tape, mixed, [0, 2, 1, 3]), [batch * lookback, width])
}

function addPositions(tape: Tape, embedded: Tensor, weights: Weights, { lookback, width }: TransformerSize): Tensor {
  const windows = d.reshape(tape, embedded, [embedded.shape[0]! / lookback, lookback, width])
  return d.reshape(tape, d.add(tape, windows, weights.positions!), embedded.shape)
}

/** Multiplies every step of a window by the window's mask. */
function maskWindows(tape: Tape, a: Tensor, mask: Tensor): Tensor {
  const [batch, width] = [mask.shape[0]!, mask.shape[1]!]
  const windows = d.reshape(tape, a, [batch, a.shape[0]! / batch, width])
  return d.reshape(tape, d.mul(tape, windows, d.reshape(tape, mask, [batch, 1, width])), a.shape)
}
