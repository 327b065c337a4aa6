import type { Orm } from '@shapecast/platform/database/database'
import { type KeyedRequest, usedKey } from '@shapecast/platform/http/keyed-request'
import { and, eq } from 'drizzle-orm'
import { keyedReplies } from './tables.ts'

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
    throw usedKey()
  },

  /** Keeps an answer, in the transaction that does what it tells of. */
  async keep(tx: Orm, userId: string, request: KeyedRequest | null, reply: unknown, atMs: number): Promise<void> {
    if (request === null) return
    const { key, hash: requestHash } = request
    await tx.insert(keyedReplies).values({ userId, venue, key, requestHash, reply, atMs })
  },
})
export type KeyedReplies = ReturnType<typeof createKeyedReplies>
