import type { Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq } from 'drizzle-orm'
import { exchangeKeys } from './tables.ts'

export type KeyRow = typeof exchangeKeys.$inferSelect

/** Sealed keys of one venue. */
export const createKeyStore = (venue: string) => {
  const of = (userId: string, network: Network) =>
    and(eq(exchangeKeys.userId, userId), eq(exchangeKeys.venue, venue), eq(exchangeKeys.network, network))
  return {
    async put(orm: Orm, row: Omit<KeyRow, 'venue'>): Promise<void> {
      const { sealed, lastFour, mark, savedAtMs } = row
      await orm
        .insert(exchangeKeys)
        .values({ ...row, venue })
        .onConflictDoUpdate({
          target: [exchangeKeys.userId, exchangeKeys.venue, exchangeKeys.network],
          set: { sealed, lastFour, mark, savedAtMs },
        })
    },

    async find(orm: Orm, userId: string, network: Network): Promise<KeyRow | undefined> {
      const [row] = await orm.select().from(exchangeKeys).where(of(userId, network))
      return row
    },

    /** Of both networks. */
    list: (orm: Orm, userId: string): Promise<KeyRow[]> =>
      orm
        .select()
        .from(exchangeKeys)
        .where(and(eq(exchangeKeys.userId, userId), eq(exchangeKeys.venue, venue)))
        .orderBy(exchangeKeys.network),

    /** Whether there was one. */
    async remove(orm: Orm, userId: string, network: Network): Promise<boolean> {
      const gone = await orm.delete(exchangeKeys).where(of(userId, network)).returning({ mark: exchangeKeys.mark })
      return gone.length > 0
    },
  }
}
export type KeyStore = ReturnType<typeof createKeyStore>
