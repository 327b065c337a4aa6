import { ProtobufWriter } from './protobuf-writer.ts'

/** TensorProto.DataType of onnx.proto3. */
const ELEMENT_TYPE = { float32: 1, int64: 7, bool: 9, float64: 11 } as const
export type ElementType = keyof typeof ELEMENT_TYPE

/** The opset that every graph declares, and the version of the contrib operators (`com.microsoft`). */
const OPSET = 17
const CONTRIB_OPSET = 1
/** IR version 8 came with opset 17 (onnx/docs/Versioning.md). */
const IR_VERSION = 8

export type Attribute =
  | { int: number }
  | { float: number }
  | { ints: readonly number[] }
  | { string: string }
  | { graph: OnnxGraph }

export interface OnnxNode {
  op: string
  /** Names; an empty one stands for an optional input or output that is left out. */
  inputs: readonly string[]
  outputs: readonly string[]
  attributes?: Record<string, Attribute>
  /** Empty for standard operators. */
  domain?: '' | 'com.microsoft'
}

export interface OnnxInitialiser {
  name: string
  shape: readonly number[]
  data: Float32Array | Float64Array | BigInt64Array
}

export interface OnnxPort {
  name: string
  type: ElementType
  /** A string names a dimension that is known only when the graph runs. */
  shape: readonly (number | string)[]
}

export interface OnnxGraph {
  nodes: readonly OnnxNode[]
  initialisers: readonly OnnxInitialiser[]
  inputs: readonly OnnxPort[]
  outputs: readonly OnnxPort[]
}

/** An ONNX file (ModelProto of onnx.proto3) of a graph whose nodes stand in the order of execution. */
export function encodeModel(graph: OnnxGraph): Uint8Array {
  const opset = (domain: string, version: number) => new ProtobufWriter().string(1, domain).int(2, version)
  const model = new ProtobufWriter().int(1, IR_VERSION).string(2, 'shapecast').message(7, encodeGraph(graph))
  model.message(8, opset('', OPSET))
  if (graph.nodes.some((node) => node.domain)) model.message(8, opset('com.microsoft', CONTRIB_OPSET))
  return model.finish().slice()
}

function encodeGraph(graph: OnnxGraph): ProtobufWriter {
  const body = new ProtobufWriter()
  for (const node of graph.nodes) body.message(1, encodeNode(node))
  body.string(2, 'shapecast')
  for (const tensor of graph.initialisers) body.message(5, encodeTensor(tensor))
  for (const port of graph.inputs) body.message(11, encodePort(port))
  for (const port of graph.outputs) body.message(12, encodePort(port))
  return body
}

function encodeNode(node: OnnxNode): ProtobufWriter {
  const message = new ProtobufWriter()
  for (const name of node.inputs) message.string(1, name)
  for (const name of node.outputs) message.string(2, name)
  message.string(4, node.op)
  for (const [name, value] of Object.entries(node.attributes ?? {})) message.message(5, encodeAttribute(name, value))
  if (node.domain) message.string(7, node.domain)
  return message
}

function encodeAttribute(name: string, value: Attribute): ProtobufWriter {
  const message = new ProtobufWriter().string(1, name)
  if ('float' in value) return message.float(2, value.float).int(20, 1)
  if ('int' in value) return message.int(3, value.int).int(20, 2)
  if ('string' in value) return message.string(4, value.string).int(20, 3)
  if ('graph' in value) return message.message(6, encodeGraph(value.graph)).int(20, 5)
  for (const int of value.ints) message.int(8, int)
  return message.int(20, 7)
}

function encodeTensor({ name, shape, data }: OnnxInitialiser): ProtobufWriter {
  const message = new ProtobufWriter()
  for (const dimension of shape) message.int(1, dimension)
  const type = data instanceof Float32Array ? 'float32' : data instanceof Float64Array ? 'float64' : 'int64'
  message.int(2, ELEMENT_TYPE[type]).string(8, name)
  return message.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

function encodePort({ name, type, shape }: OnnxPort): ProtobufWriter {
  const dimensions = new ProtobufWriter()
  for (const d of shape) {
    dimensions.message(1, typeof d === 'string' ? new ProtobufWriter().string(2, d) : new ProtobufWriter().int(1, d))
  }
  const tensor = new ProtobufWriter().int(1, ELEMENT_TYPE[type]).message(2, dimensions)
  return new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, tensor))
}
