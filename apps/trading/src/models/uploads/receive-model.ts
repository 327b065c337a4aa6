import { Readable } from 'node:stream'
import { AppError } from '@shapecast/contracts/errors'
import { LARGEST_CARD_BYTES } from '@shapecast/contracts/uploads'
import type { FastifyRequest } from 'fastify'

/** The two files of an upload, byte by byte. */
export interface ReceivedModel {
  onnx: Uint8Array
  card: Uint8Array
}

const NAMES = { onnx: 'ONNX file', card: 'card' } as const

const sizeText = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MB` : `${bytes / 2 ** 10} KB`)

const isOne = (name: string): name is keyof ReceivedModel => name in NAMES

/** Reads a part up to what it may have. */
async function collect(name: keyof ReceivedModel, largest: number, stream: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > largest)
      throw new AppError('payload_too_large', `The ${NAMES[name]} is larger than ${sizeText(largest)}.`, {
        field: name,
      })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/**
 * The parts `onnx`, of so many bytes at most, and `card` of a multipart request, both files (the card may also be a plain field). Throws `bad_input`
 * with the part that is missing or unknown, and `payload_too_large`.
 */
export async function receiveModel(request: FastifyRequest, largestOnnx: number): Promise<ReceivedModel> {
  if (!request.isMultipart())
    throw new AppError('bad_input', 'Send the files as multipart/form-data, in fields named onnx and card.', {
      field: 'onnx',
    })
  const found: Partial<ReceivedModel> = {}
  const largest = { onnx: largestOnnx, card: LARGEST_CARD_BYTES }
  const limits = { fileSize: largestOnnx + 1, files: 2, fields: 1, fieldSize: LARGEST_CARD_BYTES + 1, parts: 2 }
  for await (const part of request.parts({ limits })) {
    const name = part.fieldname
    if (!isOne(name) || found[name] !== undefined)
      throw new AppError('bad_input', `Send one file named onnx and one named card, and nothing else.`, { field: name })
    const stream = part.type === 'file' ? part.file : Readable.from([Buffer.from(String(part.value))])
    found[name] = await collect(name, largest[name], stream)
  }
  for (const name of ['onnx', 'card'] as const)
    if (found[name] === undefined || found[name].length === 0)
      throw new AppError('bad_input', `There is no ${NAMES[name]} in the request.`, { field: name })
  return found as ReceivedModel
}
