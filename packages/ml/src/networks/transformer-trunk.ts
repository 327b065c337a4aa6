import { attention } from '../graph/attention.ts'
import * as d from '../graph/differentiable.ts'
import type { Tensor } from '../graph/graph.ts'
import { normLinear } from '../graph/norm-linear.ts'
import type { Shape } from '../graph/tensor-shape.ts'
import type { Trunk } from './network.ts'
import { matrix, type Parameter, table, vector } from './parameters.ts'

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
