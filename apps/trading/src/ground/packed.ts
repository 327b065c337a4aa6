import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Brotli of the JSON of a value; the higher the quality (0–11), the smaller and slower. */
export const packJson = (value: unknown, quality: number): Promise<Buffer> =>
  compress(JSON.stringify(value), { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

/** The JSON text. */
export const unpackText = async (bytes: Buffer): Promise<string> => (await decompress(bytes)).toString('utf8')
