import * as d from '../graph/differentiable.ts'
import type { Tensor } from '../graph/graph.ts'
import { binaryCrossEntropy, pinballLoss } from '../graph/losses.ts'
import type { Tape } from '../graph/tape.ts'
import type { Objective } from './network.ts'
import { matrix, vector } from './parameters.ts'

/** Width of the layer between the trunk and the heads. */
export const NECK = 32
/** What cross entropy weighs in the loss beside the pinball loss. */
export const UP_WEIGHT = 0.5

export interface ForecastSize {
  horizons: number
  quantiles: readonly number[]
}

/**
 * The forecast that a model gives: quantiles [batch × horizons·levels] of the scaled return for each horizon, and the
 * logit [batch × 1] of an up move. Loss: pinball + 0.5 × binary cross entropy.
 *
 * Quantiles never cross: the middle one is free, and the others lie away from it by sums of positive steps
 * (softplus), so that no sorting is needed afterwards.
 */
export function forecastObjective(trunkWidth: number, { horizons, quantiles }: ForecastSize): Objective {
  const levels = quantiles.length
  return {
    parameters: [
      matrix('neck.matrix', trunkWidth, NECK),
      vector('neck.bias', NECK),
      matrix('quantiles.matrix', NECK, horizons * levels),
      vector('quantiles.bias', horizons * levels),
      matrix('up.matrix', NECK, 1),
      vector('up.bias', 1),
    ],
    masks: [NECK],
    targets: { targets: horizons, up: 1 },
    outputs(tape, weights, hidden, masks) {
      const dense = (a: Tensor, name: string) => d.linear(tape, a, weights[`${name}.matrix`]!, weights[`${name}.bias`]!)
      const neck = d.relu(tape, dense(hidden, 'neck'))
      const kept = masks ? d.mul(tape, neck, masks[0]!) : neck
      return { quantiles: ordered(tape, dense(kept, 'quantiles'), horizons, levels), up_logit: dense(kept, 'up') }
    },
    loss(tape, outputs, targets) {
      const batch = outputs.quantiles!.shape[0]!
      const fan = d.reshape(tape, outputs.quantiles!, [batch, horizons, levels])
      const realised = d.reshape(tape, targets.targets!, [batch, horizons, 1])
      const pinball = pinballLoss(tape, fan, realised, quantiles)
      return d.add(tape, pinball, d.scale(tape, binaryCrossEntropy(tape, outputs.up_logit!, targets.up!), UP_WEIGHT))
    },
  }
}

/**
 * Three constants that turn raw outputs into rising quantiles, for the training graph and for the exported one:
 * (raw ∘ middle + softplus(raw) ∘ others) · mix, where `mix` [n × n] adds steps up on one side of the middle of each
 * horizon and takes them off on the other.
 */
export function orderingConstants(horizons: number, levels: number) {
  const n = horizons * levels
  const centre = levels >> 1
  const middle = Float32Array.from({ length: n }, (_, i) => (i % levels === centre ? 1 : 0))
  const mix = new Float32Array(n * n)
  for (let i = 0; i < n; i++) {
    const first = i - (i % levels)
    const level = i % levels
    mix[(first + centre) * n + i] = 1
    for (let step = centre + 1; step <= level; step++) mix[(first + step) * n + i] = 1
    for (let step = level; step < centre; step++) mix[(first + step) * n + i] = -1
  }
  return { middle, others: middle.map((x) => 1 - x), mix }
}

function ordered(tape: Tape, raw: Tensor, horizons: number, levels: number): Tensor {
  const g = tape.graph
  const n = horizons * levels
  const { middle, others, mix } = orderingConstants(horizons, levels)
  const steps = d.mul(tape, d.softplus(tape, raw), g.constant([n], others))
  const parts = d.add(tape, d.mul(tape, raw, g.constant([n], middle)), steps)
  return d.matmul(tape, parts, g.constant([n, n], mix))
}
