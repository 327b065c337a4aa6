import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'

export interface AttentionSize {
  heads: number
  /** Tokens of a window; columns are windows one after another. */
  steps: number
}

/**
 * Scaled dot-product attention in each head, softmax(qᵀ·k / √d) applied to v (Vaswani et al. 2017, section 3.2), over
 * columns: `joined` [3·width × windows·steps] holds queries, keys and values one above another, each divided into heads.
 * Returns [width × windows·steps].
 *
 * The softmax's gradient P ∘ (∂P − Σ P ∘ ∂P) takes the sum from the output, to which it is equal (Dao et al. 2022,
 * arXiv:2205.14135, appendix B), and subtracts it as one more row in the product that gives ∂P.
 */
export function attention(tape: Tape, joined: Tensor, { heads, steps }: AttentionSize): Tensor {
  const g = tape.graph
  const width = joined.shape[0]! / 3
  const windows = joined.shape[1]! / steps
  const each = width / heads
  const batch = heads * windows
  const alpha = 1 / Math.sqrt(each)
  const flat = (a: Tensor): Tensor => op.reshape(g, a, [batch, each, steps])
  const together = (a: Tensor): Tensor => {
    const turned = op.transpose(g, op.reshape(g, a, [heads, windows, each, steps]), [0, 2, 1, 3])
    return op.reshape(g, turned, [width, windows * steps])
  }

  const byHead = op.transpose(g, op.reshape(g, joined, [3 * heads, each, windows, steps]), [0, 2, 1, 3])
  const [q, k, v] = op.split(g, byHead, [heads, heads, heads], 0).map(flat) as [Tensor, Tensor, Tensor]
  const shares = op.softmax(g, op.matmul(g, q, k, { transA: true, alpha }))
  const mixed = op.matmul(g, v, shares, { transB: true })

  return tape.record(together(mixed), [joined], (grad, to) => {
    const apart = op.transpose(g, op.reshape(g, grad, [heads, each, windows, steps]), [0, 2, 1, 3])
    const toMixed = flat(apart)
    const sums = op.sum(g, op.mul(g, toMixed, mixed), [1], true)
    const minusOnes = g.constant(sums.shape, new Float64Array(batch * steps).fill(-1))
    const centred = op.matmul(g, op.concat(g, [toMixed, sums], 1), op.concat(g, [v, minusOnes], 1), { transA: true })
    const toScores = op.mul(g, shares, centred)
    const parts = [
      op.matmul(g, k, toScores, { transB: true, alpha }),
      op.matmul(g, q, toScores, { alpha }),
      op.matmul(g, toMixed, shares),
    ]
    to(joined, () => {
      const stacked = op.reshape(g, op.concat(g, parts, 0), [3 * heads, windows, each, steps])
      return op.reshape(g, op.transpose(g, stacked, [0, 2, 1, 3]), joined.shape)
    })
  })
}
