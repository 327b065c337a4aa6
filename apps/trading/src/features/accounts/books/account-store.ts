import type { Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, isNull, ne, sql, sum } from 'drizzle-orm'
import { type Units, unitsOfDecimal } from './money.ts'
import { type Holding, NOTHING } from './settle.ts'
import { type AccountRow, accounts, ledgerEntries, orders, positions } from './tables.ts'

export type NewEntry = Omit<typeof ledgerEntries.$inferInsert, 'id'>

/** Which account of whom. */
export interface AccountKey {
  readonly ownerKind: AccountRow['ownerKind']
  readonly ownerId: string
  readonly kind: AccountRow['kind']
  /** Of a real account; null of a virtual one. */
  readonly network: Network | null
}

export const virtualOf = (userId: string): AccountKey => ({
  ownerKind: 'user',
  ownerId: userId,
  kind: 'virtual',
  network: null,
})
export const realOf = (userId: string, network: Network): AccountKey => ({
  ownerKind: 'user',
  ownerId: userId,
  kind: 'real',
  network,
})

/** Accounts of one venue with their money and what they hold. Whatever changes one takes its lock first. */
export const createAccountStore = (venue: string) => {
  const is = ({ ownerKind, ownerId, kind, network }: AccountKey) =>
    and(
      eq(accounts.ownerKind, ownerKind),
      eq(accounts.ownerId, ownerId),
      eq(accounts.venue, venue),
      eq(accounts.kind, kind),
      network === null ? isNull(accounts.network) : eq(accounts.network, network),
    )

  return {
    /** Undefined before the first order. */
    async find(orm: Orm, key: AccountKey): Promise<string | undefined> {
      const [row] = await orm.select({ id: accounts.id }).from(accounts).where(is(key))
      return row?.id
    },

    /** The account under its lock, opened with a deposit (quote, 0 for none) where there is none. */
    async open(tx: Orm, key: AccountKey, deposit: Units, atMs: number): Promise<string> {
      const [made] = await tx
        .insert(accounts)
        .values({ ...key, venue, createdAtMs: atMs })
        .onConflictDoNothing()
        .returning({ id: accounts.id })
      if (made !== undefined && deposit > 0n)
        await tx.insert(ledgerEntries).values({ accountId: made.id, kind: 'deposit', amount: deposit, atMs })
      const [row] = await tx.select({ id: accounts.id }).from(accounts).where(is(key)).for('update')
      return row!.id
    },

    /** The account as it is, under its lock. */
    async lock(tx: Orm, accountId: string): Promise<AccountRow> {
      const [row] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('update')
      return row!
    },

    /** As `lock`; undefined where there is no such account. */
    async lockOf(tx: Orm, key: AccountKey): Promise<AccountRow | undefined> {
      const [row] = await tx.select().from(accounts).where(is(key)).for('update')
      return row
    },

    /** The accounts of bots, under their locks. */
    lockOfBots: async (tx: Orm, botIds: string[]): Promise<AccountRow[]> =>
      botIds.length === 0
        ? []
        : tx
            .select()
            .from(accounts)
            .where(and(eq(accounts.ownerKind, 'bot'), inArray(accounts.ownerId, botIds), eq(accounts.venue, venue)))
            .orderBy(accounts.id)
            .for('update'),

    /** Deletes accounts of bots with all of their books. */
    async removeOfBots(tx: Orm, botIds: string[]): Promise<void> {
      if (botIds.length > 0)
        await tx.delete(accounts).where(and(eq(accounts.ownerKind, 'bot'), inArray(accounts.ownerId, botIds)))
    },

    /** Quote: all of it, what open buy orders set aside, and the sums of profits before fees and of fees. */
    async money(orm: Orm, accountId: string): Promise<Record<'balance' | 'reserved' | 'pnl' | 'fees', Units>> {
      const [booked] = await orm
        .select({ balance: accounts.balance, pnl: accounts.realisedPnl, fees: accounts.fees })
        .from(accounts)
        .where(eq(accounts.id, accountId))
      const [aside] = await orm
        .select({ sum: sum(orders.reserved) })
        .from(orders)
        .where(and(eq(orders.accountId, accountId), eq(orders.status, 'open')))
      return { ...booked!, reserved: unitsOfDecimal(aside?.sum ?? '0') }
    },

    ofBots: async (orm: Orm, botIds: string[]): Promise<AccountRow[]> =>
      botIds.length === 0
        ? []
        : orm
            .select()
            .from(accounts)
            .where(and(eq(accounts.ownerKind, 'bot'), inArray(accounts.ownerId, botIds), eq(accounts.venue, venue))),

    async book(tx: Orm, entries: NewEntry[]): Promise<void> {
      if (entries.length > 0) await tx.insert(ledgerEntries).values(entries)
    },

    async holding(orm: Orm, accountId: string, symbol: string): Promise<Holding> {
      const [row] = await orm
        .select({ quantity: positions.quantity, cost: positions.cost })
        .from(positions)
        .where(and(eq(positions.accountId, accountId), eq(positions.symbol, symbol)))
      return row ?? NOTHING
    },

    /** What accounts hold from now on; since when is kept where something was held before. */
    async holdAll(tx: Orm, held: (typeof positions.$inferInsert)[]): Promise<void> {
      if (held.length === 0) return
      await tx
        .insert(positions)
        .values(held)
        .onConflictDoUpdate({
          target: [positions.accountId, positions.symbol],
          set: {
            quantity: sql`excluded.quantity`,
            cost: sql`excluded.cost`,
            openedAtMs: sql`case when ${positions.quantity} = 0 then excluded.opened_at_ms else ${positions.openedAtMs} end`,
          },
        })
    },

    async holdNothing(tx: Orm, accountId: string): Promise<void> {
      await tx.delete(positions).where(eq(positions.accountId, accountId))
    },

    holdings: (orm: Orm, accountId: string) =>
      orm
        .select()
        .from(positions)
        .where(and(eq(positions.accountId, accountId), ne(positions.quantity, 0n)))
        .orderBy(positions.symbol),

    /** `atMs` is when it was opened where nothing was held before. */
    async hold(
      tx: Orm,
      key: { accountId: string; symbol: string },
      held: Holding,
      { wasEmpty, atMs }: { wasEmpty: boolean; atMs: number },
    ): Promise<void> {
      await tx
        .insert(positions)
        .values({ ...key, ...held, openedAtMs: atMs })
        .onConflictDoUpdate({
          target: [positions.accountId, positions.symbol],
          set: { ...held, ...(wasEmpty ? { openedAtMs: atMs } : {}) },
        })
    },
  }
}
export type AccountStore = ReturnType<typeof createAccountStore>
