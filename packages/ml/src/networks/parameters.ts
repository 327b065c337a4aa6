import type { Random } from '@shapecast/engine/random'
import type { Tensor } from '../graph/graph.ts'
import * as op from '../graph/operators.ts'
import type { Tape } from '../graph/tape.ts'
import { type Shape, sizeOf } from '../graph/tensor-shape.ts'

/** One weight tensor of a network: its name, its shape, and how it starts. */
export interface Parameter {
  name: string
  shape: Shape
  start: (values: Float32Array, random: Random) => void
  /** Weight decay shrinks matrices; biases, gains and positions stay free of it. */
  decays: boolean
}

/** The tensors of a network by name. */
export type Weights = Record<string, Tensor>

/** Uniform in ±√(6 / (inputs + outputs)) (Glorot and Bengio 2010). */
export function matrix(name: string, inputs: number, outputs: number): Parameter {
  const limit = Math.sqrt(6 / (inputs + outputs))
  const start = (values: Float32Array, random: Random) => {
    for (let i = 0; i < values.length; i++) values[i] = (2 * random.next() - 1) * limit
  }
  return { name, shape: [inputs, outputs], start, decays: true }
}

/** A vector whose values all start the same. */
export function vector(name: string, length: number, value = 0): Parameter {
  return { name, shape: [length], start: (values) => values.fill(value), decays: false }
}

/** Normal with the given standard deviation: learnt positions. */
export function table(name: string, shape: Shape, deviation: number): Parameter {
  const start = (values: Float32Array, random: Random) => {
    for (let i = 0; i < values.length; i++) values[i] = random.normal() * deviation
  }
  return { name, shape, start, decays: false }
}

/** How many numbers the parameters are in all. */
export function parameterCount(parameters: readonly Parameter[]): number {
  return parameters.reduce((sum, { shape }) => sum + sizeOf(shape), 0)
}

/** The starting values of all parameters, one after another. The same seed gives the same values. */
export function startingValues(parameters: readonly Parameter[], random: Random): Float32Array {
  const values = new Float32Array(parameterCount(parameters))
  for (const [parameter, slice] of slices(parameters, values)) parameter.start(slice, random)
  return values
}

/** The values of each parameter by name, as views of the joined vector. */
export function namedValues(parameters: readonly Parameter[], values: Float32Array): Record<string, Float32Array> {
  return Object.fromEntries(slices(parameters, values).map(([{ name }, slice]) => [name, slice]))
}

/** Cuts one vector that holds all parameters into tracked tensors. */
export function weightTensors(tape: Tape, parameters: readonly Parameter[], joined: Tensor): Weights {
  const sizes = parameters.map(({ shape }) => sizeOf(shape))
  const pieces = op.split(tape.graph, joined, sizes, 0)
  return Object.fromEntries(
    parameters.map(({ name, shape }, k) => [name, tape.track(op.reshape(tape.graph, pieces[k]!, shape))]),
  )
}

/** The gradients of all parameters joined into one vector, in the order of the parameters. */
export function joinedGradient(tape: Tape, loss: Tensor, parameters: readonly Parameter[], weights: Weights): Tensor {
  const gradients = tape.gradients(
    loss,
    parameters.map(({ name }) => weights[name]!),
  )
  const flat = gradients.map((gradient) => op.reshape(tape.graph, gradient, [sizeOf(gradient.shape)]))
  return op.concat(tape.graph, flat, 0)
}

function slices(parameters: readonly Parameter[], values: Float32Array): [Parameter, Float32Array][] {
  let from = 0
  return parameters.map((parameter) => {
    const size = sizeOf(parameter.shape)
    const slice = values.subarray(from, from + size)
    from += size
    return [parameter, slice]
  })
}
