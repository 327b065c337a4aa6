import type { Graph, Tensor } from './graph.ts'
import { add, sumTo } from './operators.ts'

/** Adds to the gradient of an input, made only where that input needs one. */
export type Contribute = (input: Tensor, gradient: () => Tensor) => void

/**
 * Reverse-mode differentiation (Griewank and Walther, Evaluating Derivatives, ch. 3): each differentiable operation
 * records how the gradient of its outputs becomes the gradient of its inputs, and `gradients` plays that backwards,
 * appending the nodes of the backward pass to the same graph.
 */
export class Tape {
  readonly graph: Graph
  readonly #tracked = new Set<Tensor>()
  readonly #steps: { outputs: readonly Tensor[]; backward: Backward }[] = []

  constructor(graph: Graph) {
    this.graph = graph
  }

  /** Marks a tensor as one whose gradient is wanted. */
  track(tensor: Tensor): Tensor {
    this.#tracked.add(tensor)
    return tensor
  }

  /** Records an operation with one output. Nothing is recorded where none of the inputs is tracked. */
  record(output: Tensor, inputs: readonly Tensor[], backward: (gradient: Tensor, to: Contribute) => void): Tensor {
    this.recordMany([output], inputs, ([gradient], to) => {
      if (gradient) backward(gradient, to)
    })
    return output
  }

  /** Records an operation with several outputs; an output that nothing depends on has no gradient. */
  recordMany(outputs: readonly Tensor[], inputs: readonly Tensor[], backward: Backward): void {
    if (!inputs.some((input) => this.#tracked.has(input))) return
    for (const output of outputs) this.#tracked.add(output)
    this.#steps.push({ outputs, backward })
  }

  /**
   * Gradients of a scalar with respect to `wanted`, in that order and of their shapes. Throws where the scalar does
   * not depend on one of them, because such a weight would never learn.
   */
  gradients(scalar: Tensor, wanted: readonly Tensor[]): Tensor[] {
    const g = this.graph
    const gradients = new Map<Tensor, Tensor>([[scalar, g.scalar(1)]])
    const contribute: Contribute = (input, gradient) => {
      if (!this.#tracked.has(input)) return
      const made = sumTo(g, gradient(), input.shape)
      const sofar = gradients.get(input)
      gradients.set(input, sofar ? add(g, sofar, made) : made)
    }
    for (const step of this.#steps.toReversed()) {
      const given = step.outputs.map((output) => gradients.get(output))
      if (given.some((gradient) => gradient)) step.backward(given, contribute)
    }
    return wanted.map((tensor, index) => {
      const gradient = gradients.get(tensor)
      if (!gradient) throw new Error(`The loss does not depend on tensor ${index} of shape [${tensor.shape}].`)
      return gradient
    })
  }
}

type Backward = (gradients: readonly (Tensor | undefined)[], to: Contribute) => void
