import { AppError } from '@shapecast/contracts/errors'
import { LARGEST_ONNX_BYTES_OF_MANAGERS } from '@shapecast/contracts/uploads'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import { type OnnxInfo, type OnnxPortInfo, readOnnx } from './onnx-reader.ts'
import type { NetworkPorts } from './sandbox.ts'
import { checkTrees, MOST_TREE_NODES } from './tree-ensemble.ts'

const [OLDEST_OPSET, NEWEST_OPSET] = [11, 22] as const
/** Files of trees alone declare older ones, and CatBoost none. */
const OLDEST_BESIDE_TREES = 7
const NEWEST_TREE_OPSET = 3
const MOST_NODES = 20_000
const MOST_CLASSES = 100
const FLOAT32 = 1

/** A reason may quote names of the uploaded file, which are as long as they like. */
const LONGEST_REASON = 300

/** Throws `unprocessable` that names the file as what does not fit. */
export const refuseFile = (reason: string, cause?: unknown): never => {
  const told = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : `${reason}.`
  throw new AppError('unprocessable', `This ONNX file cannot be used: ${told}`, { field: 'onnx', cause })
}

const shapeText = ({ shape }: OnnxPortInfo): string =>
  shape === null ? 'without a shape' : `[${shape.map((size) => size ?? 'batch').join(', ')}]`

/** A declared shape fits where each known size is the wanted one; the first must be open, as batches differ. */
function checkShape(port: OnnxPortInfo, wanted: readonly (readonly number[])[]): void {
  if (port.elementType !== FLOAT32) refuseFile(`${port.name} is not float32`)
  if (port.shape === null) return
  const fits = wanted.some(
    (sizes) =>
      port.shape!.length === sizes.length + 1 &&
      sizes.every((size, k) => port.shape![k + 1] === null || port.shape![k + 1] === size),
  )
  const asked = wanted.map((sizes) => `[batch, ${sizes.join(', ')}]`).join(' or ')
  if (!fits) refuseFile(`${port.name} is ${shapeText(port)} and should be ${asked}`)
  if (port.shape[0] !== null)
    refuseFile(`${port.name} is for a batch of ${port.shape[0]} only; export it with a batch size that is left open`)
}

function readInfo(onnx: Uint8Array): OnnxInfo {
  try {
    return readOnnx(onnx)
  } catch (error) {
    if (error instanceof RangeError)
      return refuseFile(`it is not an ONNX file. ${error.message.replace(/\.$/, '')}`, error)
    throw error
  }
}

function checkOpsets({ opsets, trees }: OnnxInfo): void {
  const opset = opsets['']
  const oldest = trees.length > 0 ? OLDEST_BESIDE_TREES : OLDEST_OPSET
  if (opset === undefined ? trees.length === 0 : opset < oldest || opset > NEWEST_OPSET)
    refuseFile(`its opset is ${opset ?? 'not given'}; ${oldest} to ${NEWEST_OPSET} are taken`)
  const ofTrees = opsets['ai.onnx.ml'] ?? 1
  if (ofTrees > NEWEST_TREE_OPSET)
    refuseFile(`its opset of ai.onnx.ml is ${ofTrees}; 1 to ${NEWEST_TREE_OPSET} are taken`)
}

/** Its trees, which read the row that the file is given itself: so what they look at is known to exist. */
function checkEnsembles({ trees }: OnnxInfo, x: OnnxPortInfo, features: number): void {
  let nodes = 0
  for (const tree of trees) {
    if (tree.inside || tree.inputs.length !== 1 || tree.inputs[0] !== x.name)
      refuseFile('its trees do not read its input itself')
    try {
      nodes += checkTrees(tree, features)
    } catch (error) {
      if (error instanceof RangeError) refuseFile(`its trees are not sound: ${error.message}`, error)
      throw error
    }
    if (nodes > MOST_TREE_NODES) refuseFile(`its trees have more than ${MOST_TREE_NODES} nodes`)
  }
}

/** Which of a file's outputs is read: those of a fan by their names, else its only output of floats. */
function findPorts(info: OnnxInfo, x: OnnxPortInfo, card: ForeignCard): NetworkPorts {
  const rank = x.shape?.length ?? (info.trees.length > 0 ? 2 : 3)
  const input = { x: x.name, isFlat: rank === 2 }
  if (card.output === 'fan') {
    const named = (name: string): OnnxPortInfo =>
      info.outputs.find((port) => port.name === name) ?? refuseFile(`it has no output named ${name}`)
    const levels = card.quantiles.length
    checkShape(named('quantiles'), [[card.horizons * levels], [card.horizons, levels]])
    checkShape(named('up_logit'), [[1]])
    return { ...input, numbers: 'quantiles', upLogit: 'up_logit' }
  }
  const floats = info.outputs.filter(({ name, elementType }) => elementType === FLOAT32 || info.zipMaps.has(name))
  const [output] = floats
  if (output === undefined || floats.length > 1)
    return refuseFile(`it has ${floats.length} outputs of float32 and should have one`)
  const numbers = info.zipMaps.get(output.name)
  if (numbers !== undefined) return { ...input, numbers, upLogit: null }
  const sizes = card.output === 'return' ? [[1]] : Array.from({ length: MOST_CLASSES - 1 }, (_, k) => [k + 2])
  checkShape(output, sizes)
  return { ...input, numbers: output.name, upLogit: null }
}

/**
 * What can be said of an ONNX file without running it: its size, operators, trees, and whether inputs and outputs are those
 * of the card. x [batch, lookback, inputs] or [batch, lookback × inputs] → quantiles [batch, horizons × levels] or [batch,
 * horizons, levels], and up_logit [batch, 1]; a card may ask for one other output instead. Throws `payload_too_large`, or
 * `unprocessable` with the reason.
 */
export function checkOnnxFile(onnx: Uint8Array, card: ForeignCard): OnnxInfo & { ports: NetworkPorts } {
  if (onnx.length > LARGEST_ONNX_BYTES_OF_MANAGERS)
    throw new AppError('payload_too_large', `An ONNX file may have ${LARGEST_ONNX_BYTES_OF_MANAGERS / 2 ** 20} MB.`, {
      field: 'onnx',
    })
  const info = readInfo(onnx)
  checkOpsets(info)
  if (info.customDomains.length > 0)
    refuseFile(`it uses operators of ${info.customDomains.join(', ')}; only standard ones and trees are taken`)
  if (info.randomOps.length > 0)
    refuseFile(`it draws lots (${info.randomOps.join(', ')}); a window must always get the same answer`)
  if (info.externalData) refuseFile('its weights lie in another file; export it as one file')
  if (info.nodes > MOST_NODES) refuseFile(`it has ${info.nodes} nodes; ${MOST_NODES} are taken`)
  const [input, ...others] = info.inputs
  if (input === undefined || others.length > 0 || (card.output === 'fan' && input.name !== 'x'))
    return refuseFile(
      `its inputs are ${info.inputs.map(({ name }) => name).join(', ') || 'none'} and should be x alone`,
    )
  const columns = inputNames(card).length
  checkShape(input, [[card.lookback, columns], [card.lookback * columns]])
  checkEnsembles(info, input, card.lookback * columns)
  return { ...info, ports: findPorts(info, input, card) }
}
