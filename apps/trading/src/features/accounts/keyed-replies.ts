import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq } from 'drizzle-orm'
import { keyedReplies } from './tables.ts'

/** A request that may come again: the same key and the same content is the same request. */
export interface KeyedRequest {
  readonly key: string
  readonly hash: string
}

const KEY = /^[\x21-\x7e]{1,200}$/

/** The header Idempotency-Key with what it stands for; null where there is none. Throws `bad_input`. */
export function keyedRequest(header: string | string[] | undefined, asked: object): KeyedRequest | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header))
    throw new AppError('bad_input', 'Idempotency-Key is 1 to 200 visible characters, such as a UUID.', {
      field: 'Idempotency-Key',
    })
  return { key: header, hash: createHash('sha256').update(JSON.stringify(asked)).digest('hex') }
}

/**
 * What was answered to this request before; undefined where it is new. Throws `conflict` where the key was used for
 * something else.
 */
export async function replyBefore(orm: Orm, accountId: string, request: KeyedRequest): Promise<unknown> {
  const [row] = await orm
    .select()
    .from(keyedReplies)
    .where(and(eq(keyedReplies.accountId, accountId), eq(keyedReplies.key, request.key)))
  if (row === undefined || row.requestHash === request.hash) return row?.reply
  throw new AppError(
    'conflict',
    'This Idempotency-Key was used for another request. Nothing was done; use a new key for a new request.',
    { field: 'Idempotency-Key' },
  )
}

/** Keeps an answer, in the transaction that does what it tells of. */
export async function keepReply(
  tx: Orm,
  accountId: string,
  { key, hash }: KeyedRequest,
  reply: unknown,
  atMs: number,
): Promise<void> {
  await tx.insert(keyedReplies).values({ accountId, key, requestHash: hash, reply, atMs })
}
