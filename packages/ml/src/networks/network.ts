import type { Tensor } from '../graph/graph.ts'
import type { Tape } from '../graph/tape.ts'
import type { Parameter, Weights } from './parameters.ts'

/** The part of a network that turns a window of features into a vector. */
export interface Trunk {
  parameters: readonly Parameter[]
  /** Length of the vector that comes out. */
  width: number
  /** Widths of the dropout masks that `build` takes, in that order. */
  masks: readonly number[]
  /**
   * x [batch × steps × features] → [batch × width]. A mask [batch × its width] holds 0 for a dropped unit and
   * 1 / (1 − dropout) for a kept one; without masks nothing is dropped.
   */
  build(tape: Tape, weights: Weights, x: Tensor, masks?: readonly Tensor[]): Tensor
}

/** The part of a network that turns the trunk's vector into what is predicted, and what that is judged by. */
export interface Objective {
  parameters: readonly Parameter[]
  masks: readonly number[]
  /** Width of each target that the loss takes, by the name of its input. */
  targets: Readonly<Record<string, number>>
  /** hidden [batch × trunk width] → the named outputs. */
  outputs(tape: Tape, weights: Weights, hidden: Tensor, masks?: readonly Tensor[]): Record<string, Tensor>
  /** A scalar; targets are [batch × their width]. */
  loss(tape: Tape, outputs: Record<string, Tensor>, targets: Record<string, Tensor>): Tensor
}
