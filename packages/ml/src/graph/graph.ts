import { type Attribute, encodeModel, type OnnxInitialiser, type OnnxNode, type OnnxPort } from './onnx-model.ts'
import { type Shape, sizeOf } from './tensor-shape.ts'

/** Floating point numbers of a whole graph: float32 to train with, float64 to prove gradients with. */
export type FloatType = 'float32' | 'float64'

/** A value in a graph under construction: what an input, a constant or a node gives. */
export interface Tensor {
  readonly name: string
  readonly shape: Shape
}

export interface EmitOptions {
  attributes?: Record<string, Attribute>
  domain?: '' | 'com.microsoft'
}

/** Collects the nodes of one ONNX graph with static shapes, in the order in which they are to run. */
export class Graph {
  readonly type: FloatType
  readonly #nodes: OnnxNode[] = []
  readonly #initialisers: OnnxInitialiser[] = []
  readonly #inputs: OnnxPort[] = []
  readonly #shared = new Map<string, Tensor>()
  #names = 0

  constructor(type: FloatType = 'float32') {
    this.type = type
  }

  /** A value that is fed at every run under `name`. */
  input(name: string, shape: Shape): Tensor {
    this.#inputs.push({ name, type: this.type, shape })
    return { name, shape }
  }

  /** Numbers that never change, row-major. */
  constant(shape: Shape, values: ArrayLike<number>): Tensor {
    if (values.length !== sizeOf(shape)) {
      throw new RangeError(`A constant of shape [${shape}] needs ${sizeOf(shape)} values, not ${values.length}.`)
    }
    const data = this.type === 'float32' ? Float32Array.from(values) : Float64Array.from(values)
    return this.#initialise(shape, data)
  }

  /** One number, shared by all who ask for the same. */
  scalar(value: number): Tensor {
    return this.#once(`scalar ${value}`, () => this.constant([], [value]))
  }

  /** Axes, sizes or a shape: the 64-bit integers that some operators take as an input. */
  integers(values: readonly number[]): Tensor {
    const data = () => BigInt64Array.from(values, (value) => BigInt(value))
    return this.#once(`integers ${values}`, () => this.#initialise([values.length], data()))
  }

  /** Appends a node with one output of the given shape. */
  emit(op: string, inputs: readonly Tensor[], shape: Shape, options: EmitOptions = {}): Tensor {
    return this.emitMany(op, inputs, [shape], options)[0]!
  }

  /** Appends a node with several outputs. */
  emitMany(op: string, inputs: readonly Tensor[], shapes: readonly Shape[], options: EmitOptions = {}): Tensor[] {
    const outputs = shapes.map((shape) => ({ name: this.#name(), shape }))
    this.#nodes.push({ op, inputs: inputs.map((t) => t.name), outputs: outputs.map((t) => t.name), ...options })
    return outputs
  }

  /**
   * The ONNX file that computes `outputs`, each under the name that it is given here. A node's output takes the name itself:
   * the runtime would not do without a copy that only renames where other nodes read it too.
   */
  finish(outputs: Record<string, Tensor>): Uint8Array {
    const made = new Set(this.#nodes.flatMap((node) => node.outputs))
    const renamed = new Map<string, string>()
    const copies: OnnxNode[] = []
    for (const [name, tensor] of Object.entries(outputs)) {
      if (made.delete(tensor.name)) renamed.set(tensor.name, name)
      else copies.push({ op: 'Identity', inputs: [tensor.name], outputs: [name] })
    }
    const known = (name: string): string => renamed.get(name) ?? name
    const nodes = [...this.#nodes, ...copies].map((node) => ({
      ...node,
      inputs: node.inputs.map(known),
      outputs: node.outputs.map(known),
    }))
    return encodeModel({
      nodes,
      initialisers: this.#initialisers,
      inputs: this.#inputs,
      outputs: Object.entries(outputs).map(([name, { shape }]) => ({ name, type: this.type, shape })),
    })
  }

  #initialise(shape: Shape, data: OnnxInitialiser['data']): Tensor {
    const name = this.#name()
    this.#initialisers.push({ name, shape, data })
    return { name, shape }
  }

  #once(key: string, make: () => Tensor): Tensor {
    const known = this.#shared.get(key)
    if (known) return known
    const made = make()
    this.#shared.set(key, made)
    return made
  }

  #name(): string {
    return `t${this.#names++}`
  }
}
