import { adamStep } from '../graph/adam.ts'
import { type FloatType, Graph, type Tensor } from '../graph/graph.ts'
import * as op from '../graph/operators.ts'
import { Tape } from '../graph/tape.ts'
import { sizeOf } from '../graph/tensor-shape.ts'
import type { Objective, Trunk } from './network.ts'
import { joinedGradient, type Parameter, parameterCount, weightTensors } from './parameters.ts'

/** A trunk with its heads. */
export interface Network {
  trunk: Trunk
  objective: Objective
  lookback: number
  features: number
}

/** All parameters of a network in the order in which they lie in its weights. */
export function networkParameters({ trunk, objective }: Network): Parameter[] {
  return [...trunk.parameters, ...objective.parameters]
}

/** How many dropout factors a window takes. */
export function maskWidth({ trunk, objective }: Network): number {
  return [...trunk.masks, ...objective.masks].reduce((sum, width) => sum + width, 0)
}

export interface StepSettings {
  /** Windows in a step; fixed when the graph is built. */
  batch: number
  dropout: boolean
  /** What a step takes off each decaying weight, as a share of it: learning rate × weight decay. */
  decay: number
  type: FloatType
}

/**
 * One training step as an ONNX file: forward, backward and Adam. Inputs: weights, first, second [parameters] (the
 * state of `adamStep`), schedule [2], x [batch × lookback × features], the objective's targets, and, with dropout,
 * masks [batch × maskWidth]. Outputs: next_weights, next_first, next_second and loss.
 */
export function trainingStep(network: Network, { batch, dropout, decay, type }: StepSettings): Uint8Array {
  const g = new Graph(type)
  const tape = new Tape(g)
  const parameters = networkParameters(network)
  const count = parameterCount(parameters)
  const state = {
    weights: g.input('weights', [count]),
    first: g.input('first', [count]),
    second: g.input('second', [count]),
  }
  const schedule = g.input('schedule', [2])
  const weights = weightTensors(tape, parameters, state.weights)
  const masks = dropout ? maskTensors(g, network, batch) : undefined
  const outputs = forward(tape, network, weights, batch, masks)
  const widths = Object.entries(network.objective.targets)
  const targets = Object.fromEntries(widths.map(([name, width]) => [name, g.input(name, [batch, width])]))
  const loss = network.objective.loss(tape, outputs, targets)
  const gradient = joinedGradient(tape, loss, parameters, weights)
  const keep = decay > 0 ? g.constant([count], keptShares(parameters, decay)) : undefined
  const next = adamStep(g, state, gradient, schedule, keep)
  return g.finish({ next_weights: next.weights, next_first: next.first, next_second: next.second, loss })
}

/** The forward pass alone, without dropout: weights [parameters] and x [batch × lookback × features] → the outputs. */
export function forwardPass(network: Network, batch: number): Uint8Array {
  const g = new Graph()
  const parameters = networkParameters(network)
  const tape = new Tape(g)
  const weights = weightTensors(tape, parameters, g.input('weights', [parameterCount(parameters)]))
  return g.finish(forward(tape, network, weights, batch))
}

function forward(
  tape: Tape,
  { trunk, objective, lookback, features }: Network,
  weights: Record<string, Tensor>,
  batch: number,
  masks?: readonly Tensor[],
): Record<string, Tensor> {
  const x = tape.graph.input('x', [batch, lookback, features])
  const hidden = trunk.build(tape, weights, x, masks?.slice(0, trunk.masks.length))
  return objective.outputs(tape, weights, hidden, masks?.slice(trunk.masks.length))
}

function maskTensors(g: Graph, network: Network, batch: number): Tensor[] {
  const widths = [...network.trunk.masks, ...network.objective.masks]
  return op.split(g, g.input('masks', [batch, maskWidth(network)]), widths, 1)
}

function keptShares(parameters: readonly Parameter[], decay: number): number[] {
  return parameters.flatMap(({ shape, decays }) => new Array<number>(sizeOf(shape)).fill(decays ? 1 - decay : 1))
}
