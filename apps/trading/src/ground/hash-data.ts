import { createHash } from 'node:crypto'

/** SHA-256 (hex) of plain data; the order of an object's keys does not matter. */
export const hashData = (data: unknown): string =>
  createHash('sha256')
    .update(
      JSON.stringify(data, (_key, part: unknown) =>
        typeof part === 'object' && part !== null && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
          : part,
      ),
    )
    .digest('hex')

export const bytesOf = (array: Float64Array | Int8Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
