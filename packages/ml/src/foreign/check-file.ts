import { AppError } from '@shapecast/contracts/errors'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import { type OnnxInfo, type OnnxPortInfo, readOnnx } from './onnx-reader.ts'

export const LARGEST_FILE_BYTES = 20 * 1024 * 1024
const [OLDEST_OPSET, NEWEST_OPSET] = [11, 22] as const
const MOST_NODES = 20_000
const FLOAT32 = 1

/** A reason may tell a stranger's names, which are as long as they like. */
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

/**
 * What can be said of an ONNX file without running it: its size, operators, and whether inputs and outputs are those of
 * the card. x [batch, lookback, inputs] → quantiles [batch, horizons × levels] or [batch, horizons, levels], and
 * up_logit [batch, 1]. Throws `payload_too_large`, or `unprocessable` with the reason.
 */
export function checkOnnxFile(onnx: Uint8Array, card: ForeignCard): OnnxInfo {
  if (onnx.length > LARGEST_FILE_BYTES)
    throw new AppError('payload_too_large', `An ONNX file may have ${LARGEST_FILE_BYTES / 2 ** 20} MB.`, {
      field: 'onnx',
    })
  const info = readInfo(onnx)
  const opset = info.opsets['']
  if (opset === undefined || opset < OLDEST_OPSET || opset > NEWEST_OPSET)
    refuseFile(`its opset is ${opset ?? 'not given'}; ${OLDEST_OPSET} to ${NEWEST_OPSET} are taken`)
  if (info.customDomains.length > 0)
    refuseFile(`it uses operators of ${info.customDomains.join(', ')}; only standard ones are taken`)
  if (info.randomOps.length > 0)
    refuseFile(`it draws lots (${info.randomOps.join(', ')}); a window must always get the same answer`)
  if (info.externalData) refuseFile('its weights lie in another file; export it as one file')
  if (info.nodes > MOST_NODES) refuseFile(`it has ${info.nodes} nodes; ${MOST_NODES} are taken`)
  const [input, ...others] = info.inputs
  if (input === undefined || others.length > 0 || input.name !== 'x')
    return refuseFile(
      `its inputs are ${info.inputs.map(({ name }) => name).join(', ') || 'none'} and should be x alone`,
    )
  checkShape(input, [[card.lookback, inputNames(card).length]])
  const levels = card.quantiles.length
  const named = (name: string): OnnxPortInfo =>
    info.outputs.find((port) => port.name === name) ?? refuseFile(`it has no output named ${name}`)
  checkShape(named('quantiles'), [[card.horizons * levels], [card.horizons, levels]])
  checkShape(named('up_logit'), [[1]])
  return info
}
