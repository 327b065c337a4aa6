import { describe, expect, it } from 'vitest'
import { linear } from '../graph/differentiable.ts'
import type { Tensor } from '../graph/graph.ts'
import * as op from '../graph/operators.ts'
import type { Tape } from '../graph/tape.ts'
import { sizeOf } from '../graph/tensor-shape.ts'
import { gradientError, unrelatedNumbers } from '../testing/check-gradients.ts'
import { smallShape } from '../train/testing/small-job.ts'
import { buildNetwork } from './families.ts'
import { networkParameters } from './training-graph.ts'

const BATCH = 3

/** The loss of a whole network over given windows, targets and dropout masks, as a function of all its weights. */
async function wholeNetworkError(kind: 'lstm' | 'transformer'): Promise<number> {
  const shape = smallShape(kind)
  const network = buildNetwork(shape)
  const parameters = networkParameters(network)
  const fixed = (tape: Tape, dims: number[], seed: number, map = (v: number) => v): Tensor =>
    tape.graph.constant(dims, unrelatedNumbers(sizeOf(dims), seed).map(map))
  const masksOf = (tape: Tape, widths: readonly number[], seed: number) =>
    widths.map((width, k) => fixed(tape, [BATCH, width], seed + k, (v) => (v < -0.6 ? 0 : 1.25)))
  return gradientError({
    shapes: parameters.map(({ shape: dims }) => dims),
    build(tape, tensors) {
      const weights = Object.fromEntries(parameters.map(({ name }, k) => [name, tensors[k]!]))
      const x = fixed(tape, [BATCH, shape.lookback, shape.features], 41)
      const hidden = network.trunk.build(tape, weights, x, masksOf(tape, network.trunk.masks, 51))
      const outputs = network.objective.outputs(tape, weights, hidden, masksOf(tape, network.objective.masks, 61))
      const targets = fixed(tape, [BATCH, shape.horizons], 71)
      const up = fixed(tape, [BATCH, 1], 81, (v) => (v > 0 ? 1 : 0))
      return network.objective.loss(tape, outputs, { targets, up })
    },
  })
}

describe('the gradient of a whole network, with dropout, by all its weights', () => {
  it.each(['lstm', 'transformer'] as const)('%s agrees with central differences in float64', async (kind) => {
    expect(await wholeNetworkError(kind)).toBeLessThan(1e-6)
  })
})

describe('differentiation', () => {
  it('names the tensor that a loss does not depend on', async () => {
    const build = (tape: Tape, [a, b]: readonly Tensor[]) =>
      linear(tape, a!, op.reshape(tape.graph, a!, [2, 2]), op.sum(tape.graph, b!, [0]))
    await expect(
      gradientError({
        shapes: [
          [2, 2],
          [2, 2],
        ],
        build,
      }),
    ).rejects.toThrow('does not depend on tensor 1')
  })
})
