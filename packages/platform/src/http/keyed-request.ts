import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'

/** A request that may come again: the same key and the same content is the same request. */
export interface KeyedRequest {
  readonly key: string
  readonly hash: string
}

const KEY = /^[\x21-\x7e]{1,200}$/

/** The header Idempotency-Key with what it stands for, or null. Throws `bad_input`. */
export function keyedRequest(header: string | string[] | undefined, asked: object): KeyedRequest | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header))
    throw new AppError('bad_input', 'Idempotency-Key is 1 to 200 visible characters, such as a UUID.', {
      field: 'Idempotency-Key',
    })
  return { key: header, hash: createHash('sha256').update(JSON.stringify(asked)).digest('hex') }
}

/** The refusal of a key that stands for another request. */
export const usedKey = () =>
  new AppError(
    'conflict',
    'This Idempotency-Key was used for another request. Nothing was done; use a new key for a new request.',
    { field: 'Idempotency-Key' },
  )
