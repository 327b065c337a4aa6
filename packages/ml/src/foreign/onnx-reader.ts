import { type Field, readFields } from './protobuf-reader.ts'
import { TREE_OPS, type TreeNode } from './tree-ensemble.ts'

export interface OnnxPortInfo {
  name: string
  /** TensorProto.DataType; 1 is float32. */
  elementType: number
  /** A number, or null where it is known only when the graph runs; null altogether where no shape is declared. */
  shape: (number | null)[] | null
}

/** What an ONNX file says of itself, read without running it. */
export interface OnnxInfo {
  producer: string
  /** Opset by domain; '' are the standard operators. */
  opsets: Record<string, number>
  inputs: OnnxPortInfo[]
  outputs: OnnxPortInfo[]
  nodes: number
  /** Domains of the operators that are not standard. */
  customDomains: string[]
  /** Its operators that draw lots. */
  randomOps: string[]
  /** Whether weights lie in other files, which an upload does not have. */
  externalData: boolean
  /** Its tree ensembles, unchecked; `inside` where they lie in an inner graph or a function. */
  trees: (TreeNode & { inside: boolean })[]
  /** Outputs that a ZipMap makes into a map, which no runtime for JavaScript reads: by name the tensor before. */
  zipMaps: Map<string, string>
}

const text = new TextDecoder()
const LONGEST_PRODUCER = 80
const TREE_DOMAIN = 'ai.onnx.ml'
const RUNTIMES_OWN = 'ORTM'
const DEEPEST = 8
const EXTERNAL = 1n
const RANDOM_OPS = new Set([
  'RandomNormal',
  'RandomNormalLike',
  'RandomUniform',
  'RandomUniformLike',
  'Multinomial',
  'Bernoulli',
])
/** A graph of 20,000 nodes has some 400,000, without those of trees. Of more, 20 MB of crumbs would take seconds and a gigabyte. */
const MOST_FIELDS = 600_000

type Read = (message: Uint8Array) => Generator<Field>

/** Reads fields, in all no more than a file may have. */
function fieldReader(): Read {
  let left = MOST_FIELDS
  return function* read(message) {
    for (const field of readFields(message)) {
      if (--left < 0) throw new RangeError(`It has more than ${MOST_FIELDS} fields.`)
      yield field
    }
  }
}

function readShape(read: Read, bytes: Uint8Array): (number | null)[] {
  const shape: (number | null)[] = []
  for (const dimension of read(bytes)) {
    if (dimension.number !== 1 || dimension.bytes === undefined) continue
    let size: number | null = null
    for (const { number, int } of read(dimension.bytes))
      if (number === 1 && int !== undefined) size = Number(BigInt.asIntN(64, int))
    shape.push(size)
  }
  return shape
}

function readPort(read: Read, bytes: Uint8Array): OnnxPortInfo {
  const port: OnnxPortInfo = { name: '', elementType: 0, shape: null }
  for (const { number, bytes: value } of read(bytes)) {
    if (number === 1 && value) port.name = text.decode(value)
    if (number !== 2 || !value) continue
    for (const type of read(value)) {
      if (type.number !== 1 || !type.bytes) continue
      for (const part of read(type.bytes)) {
        if (part.number === 1 && part.int !== undefined) port.elementType = Number(part.int)
        if (part.number === 2 && part.bytes) port.shape = readShape(read, part.bytes)
      }
    }
  }
  return port
}

const isExternal = (read: Read, tensor: Uint8Array): boolean => {
  for (const { number, int } of read(tensor)) if (number === 13 || (number === 14 && int === EXTERNAL)) return true
  return false
}

/** Whether the values of a sparse tensor lie outside, or their places: tensors both. */
const isSparseExternal = (read: Read, sparse: Uint8Array): boolean => {
  for (const { number, bytes } of read(sparse))
    if ((number === 1 || number === 2) && bytes && isExternal(read, bytes)) return true
  return false
}

function readAttribute(read: Read, attribute: Uint8Array, info: OnnxInfo, depth: number): void {
  for (const { number, bytes } of read(attribute)) {
    if (!bytes) continue
    if (number === 5 || number === 10) info.externalData ||= isExternal(read, bytes)
    if (number === 22 || number === 23) info.externalData ||= isSparseExternal(read, bytes)
    if (number === 6 || number === 11) readGraph(read, bytes, info, depth + 1)
  }
}

/** Nodes with the graphs and tensors in their attributes, however deep. */
function readNode(read: Read, bytes: Uint8Array, info: OnnxInfo, depth: number, inside = depth > 0): void {
  info.nodes++
  const node = { op: '', domain: '', inputs: [] as string[], outputs: [] as string[], attributes: [] as Uint8Array[] }
  for (const { number, bytes: value } of read(bytes)) {
    if (!value) continue
    if (number === 1) node.inputs.push(text.decode(value))
    if (number === 2) node.outputs.push(text.decode(value))
    if (number === 4) node.op = text.decode(value)
    if (number === 5) node.attributes.push(value)
    if (number === 7) node.domain = text.decode(value)
  }
  const { op, domain, inputs, outputs, attributes } = node
  if (RANDOM_OPS.has(op) && !info.randomOps.includes(op)) info.randomOps.push(op)
  const isTree = domain === TREE_DOMAIN && TREE_OPS.some((known) => known === op)
  if (isTree) info.trees.push({ op, inputs, attributes, inside })
  else for (const attribute of attributes) readAttribute(read, attribute, info, depth)
  const isZipMap = domain === TREE_DOMAIN && op === 'ZipMap' && !inside
  if (isZipMap) info.zipMaps.set(outputs[0] ?? '', inputs[0] ?? '')
  const isKnown = domain === '' || domain === 'ai.onnx' || isTree || isZipMap
  const named = domain === TREE_DOMAIN ? `${domain} (${op})` : domain
  if (!isKnown && !info.customDomains.includes(named)) info.customDomains.push(named)
}

function readGraph(read: Read, bytes: Uint8Array, info: OnnxInfo, depth: number): void {
  if (depth > DEEPEST) throw new RangeError(`Graphs lie more than ${DEEPEST} deep in each other.`)
  const weights = new Set<string>()
  const inputs: OnnxPortInfo[] = []
  for (const { number, bytes: value } of read(bytes)) {
    if (!value) continue
    if (number === 1) readNode(read, value, info, depth)
    if (number === 5) {
      info.externalData ||= isExternal(read, value)
      for (const part of read(value)) if (part.number === 8 && part.bytes) weights.add(text.decode(part.bytes))
    }
    if (number === 15) info.externalData ||= isSparseExternal(read, value)
    if (number === 11 && depth === 0) inputs.push(readPort(read, value))
    if (number === 12 && depth === 0) info.outputs.push(readPort(read, value))
  }
  // Old files list their weights among the inputs.
  if (depth === 0) info.inputs = inputs.filter(({ name }) => !weights.has(name))
}

/** Text of an uploaded file as it is kept and shown: its beginning, without what is invisible or cannot be stored. */
const shownText = (bytes: Uint8Array, most: number): string =>
  text.decode(bytes.subarray(0, most)).replace(/\p{C}/gu, '').trim()

/** Reads an ONNX file's own account (onnx.proto3) without loading it. Throws a RangeError where it is none. */
export function readOnnx(file: Uint8Array): OnnxInfo {
  const info: OnnxInfo = {
    producer: '',
    opsets: {},
    inputs: [],
    outputs: [],
    nodes: 0,
    customDomains: [],
    randomOps: [],
    externalData: false,
    trees: [],
    zipMaps: new Map(),
  }
  // The runtime would take it for its own format, whatever else it can be read as.
  if (text.decode(file.subarray(4, 8)) === RUNTIMES_OWN) throw new RangeError('It is a file of the runtime, ORT.')
  const read = fieldReader()
  let graphs = 0
  for (const { number, bytes } of read(file)) {
    if (number === 2 && bytes) info.producer = shownText(bytes, LONGEST_PRODUCER)
    if (number === 7 && bytes) {
      graphs++
      readGraph(read, bytes, info, 0)
    }
    // Functions of the file's own: nodes within are nodes like others, and attributes may have values to begin with.
    if (number === 25 && bytes)
      for (const part of read(bytes)) {
        if (part.number === 7 && part.bytes) readNode(read, part.bytes, info, 0, true)
        if (part.number === 11 && part.bytes) readAttribute(read, part.bytes, info, 0)
      }
    if (number !== 8 || !bytes) continue
    let [domain, version] = ['', 0]
    for (const part of read(bytes)) {
      if (part.number === 1 && part.bytes) domain = text.decode(part.bytes)
      if (part.number === 2 && part.int !== undefined) version = Number(part.int)
    }
    info.opsets[domain === 'ai.onnx' ? '' : domain] = version
  }
  if (graphs !== 1) throw new RangeError(`It holds ${graphs} graphs.`)
  return info
}
