import type { Graph, Tensor } from './graph.ts'
import * as op from './operators.ts'

export const ADAM_BETA = { first: 0.9, second: 0.999 } as const

export interface AdamState {
  weights: Tensor
  /** Running mean of the gradient. */
  first: Tensor
  /** Running mean of its square. */
  second: Tensor
}

/**
 * One step of Adam (Kingma and Ba 2015, arXiv:1412.6980, in the form at the end of section 2 that folds the bias
 * correction into the step size) with decoupled weight decay (Loshchilov and Hutter 2019, arXiv:1711.05101).
 * `schedule` holds what `adamSchedule` gives for this step; `keep` is what decay leaves of each weight.
 */
export function adamStep(g: Graph, from: AdamState, gradient: Tensor, schedule: Tensor, keep?: Tensor): AdamState {
  const { first: b1, second: b2 } = ADAM_BETA
  const blend = (old: Tensor, value: Tensor, beta: number): Tensor =>
    op.add(g, op.mul(g, old, g.scalar(beta)), op.mul(g, value, g.scalar(1 - beta)))
  const [size, epsilon] = op.split(g, schedule, [1, 1], 0)
  const first = blend(from.first, gradient, b1)
  const second = blend(from.second, op.mul(g, gradient, gradient), b2)
  const change = op.div(g, op.mul(g, first, size!), op.add(g, op.sqrt(g, second), epsilon!))
  const kept = keep ? op.mul(g, from.weights, keep) : from.weights
  return { weights: op.sub(g, kept, change), first, second }
}

/** The two numbers that `adamStep` takes at step t (counted from 1): step size and ε, both corrected for bias. */
export function adamSchedule(step: number, learningRate: number, epsilon: number): [size: number, epsilon: number] {
  const correction = Math.sqrt(1 - ADAM_BETA.second ** step)
  return [(learningRate * correction) / (1 - ADAM_BETA.first ** step), epsilon * correction]
}
