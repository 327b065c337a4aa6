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

/** The header Idempotency-Key with what it stands for, or null. Throws `bad_input`. */
export function keyedRequest(header: string | string[] | undefined, asked: object): KeyedRequest | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header))
    throw new AppError('bad_input', 'Idempotency-Key is 1 to 200 visible characters, such as a UUID.', {
      field: 'Idempotency-Key',
    })
  return { key: header, hash: createHash('sha256').update(JSON.stringify(asked)).digest('hex') }
}

/** What was answered to requests of people on one venue. */
export const createKeyedReplies = (venue: string) => ({
  /**
   * What was answered to this request before; undefined where it is new, or has no key. Throws `conflict` where the key
   * was used for something else.
   */
  async before(orm: Orm, userId: string, request: KeyedRequest | null): Promise<unknown> {
    if (request === null) return undefined
    const { key, hash } = request
    const [row] = await orm
      .select()
      .from(keyedReplies)
      .where(and(eq(keyedReplies.userId, userId), eq(keyedReplies.venue, venue), eq(keyedReplies.key, key)))
    if (row === undefined || row.requestHash === hash) return row?.reply
    throw new AppError(
      'conflict',
      'This Idempotency-Key was used for another request. Nothing was done; use a new key for a new request.',
      { field: 'Idempotency-Key' },
    )
  },

  /** Keeps an answer, in the transaction that does what it tells of. */
  async keep(tx: Orm, userId: string, request: KeyedRequest | null, reply: unknown, atMs: number): Promise<void> {
    if (request === null) return
    const { key, hash: requestHash } = request
    await tx.insert(keyedReplies).values({ userId, venue, key, requestHash, reply, atMs })
  },
})
export type KeyedReplies = ReturnType<typeof createKeyedReplies>
