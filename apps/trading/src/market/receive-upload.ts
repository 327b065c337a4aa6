import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyRequest } from 'fastify'

/** A file that came with a request. */
interface Upload {
  readonly path: string
  /** As the sender calls it; never use it as a path. */
  readonly fileName: string
}

/**
 * Writes the one file of a multipart request to a temporary folder as it comes in, and deletes it when it was used, so that a slow sender holds no
 * database connection and a large file no memory. Throws `payload_too_large` and `bad_input`.
 */
export async function withUpload<T>(
  request: FastifyRequest,
  maxBytes: number,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart())
    throw new AppError('bad_input', 'Send the file as multipart/form-data, in a field named file.', { field: 'file' })
  const part = await request.file({ limits: { fileSize: maxBytes, files: 1, fields: 10 } })
  if (part === undefined) throw new AppError('bad_input', 'There is no file in the request.', { field: 'file' })
  const folder = await mkdtemp(join(tmpdir(), 'shapecast-upload-'))
  try {
    const path = join(folder, 'upload')
    await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
    if (part.file.truncated)
      throw new AppError(
        'payload_too_large',
        `The file is larger than ${Math.floor(maxBytes / 1024 ** 2)} MB. Compress it, split it, or import it with the command line.`,
      )
    return await use({ path, fileName: part.filename || 'upload' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
