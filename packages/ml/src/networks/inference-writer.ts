import { type Attribute, encodeModel, type OnnxInitialiser, type OnnxNode } from '../graph/onnx-model.ts'

/** Writes an inference file node by node: standard operators, a batch that is known only when it runs. */
export class InferenceWriter {
  readonly #nodes: OnnxNode[] = []
  readonly #initialisers: OnnxInitialiser[] = []
  readonly #values: Record<string, Float32Array>

  /** `values` are the trained weights by name. */
  constructor(values: Record<string, Float32Array>) {
    this.#values = values
  }

  /** Appends a node and returns the name of its first output, which is named after the node's place. */
  node(op: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    const output = `n${this.#nodes.length}`
    this.#nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  /** Appends a node with several outputs; an empty name leaves one out. */
  nodes(op: string, inputs: readonly string[], outputs: readonly string[], attributes: Record<string, Attribute> = {}) {
    this.#nodes.push({ op, inputs, outputs, attributes })
  }

  /** The values of a trained weight. Throws where the network has none of that name. */
  values(name: string): Float32Array {
    const values = this.#values[name]
    if (!values) throw new Error(`The network has no weight named ${name}.`)
    return values
  }

  /** A trained weight as a constant of the given shape. */
  weight(name: string, shape: readonly number[]): string {
    return this.constant(name, shape, this.values(name))
  }

  /** Puts values into the file as an initialiser; returns its name. */
  constant(name: string, shape: readonly number[], values: Float32Array): string {
    return this.#initialise({ name, shape, data: values })
  }

  /** 64-bit integers: axes, sizes, or a shape in which 0 copies a dimension and −1 is worked out. */
  integers(values: readonly number[]): string {
    const name = `i${values}`
    return this.#initialise({ name, shape: [values.length], data: BigInt64Array.from(values, (v) => BigInt(v)) })
  }

  /** a · weight + bias for a matrix. */
  dense(a: string, name: string, inputs: number, outputs: number): string {
    const weights = [this.weight(`${name}.matrix`, [inputs, outputs]), this.weight(`${name}.bias`, [outputs])]
    return this.node('Gemm', [a, ...weights])
  }

  /** The file: x [batch × lookback × features] → `outputs` [batch × their width], by name. */
  finish(input: { lookback: number; features: number }, outputs: Record<string, { from: string; width: number }>) {
    const named = Object.entries(outputs)
    const renames = named.map(([name, { from }]): OnnxNode => ({ op: 'Identity', inputs: [from], outputs: [name] }))
    return encodeModel({
      nodes: [...this.#nodes, ...renames],
      initialisers: this.#initialisers,
      inputs: [{ name: 'x', type: 'float32', shape: ['batch', input.lookback, input.features] }],
      outputs: named.map(([name, { width }]) => ({ name, type: 'float32', shape: ['batch', width] })),
    })
  }

  #initialise(tensor: OnnxInitialiser): string {
    if (!this.#initialisers.some(({ name }) => name === tensor.name)) this.#initialisers.push(tensor)
    return tensor.name
  }
}
