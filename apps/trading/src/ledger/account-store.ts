import type { Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql, sum } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/pg-core'
import { type Holding, NOTHING } from './holding.ts'
import { type Units, unitsOfDecimal } from './money.ts'
import { type AccountRow, accounts, ledgerEntries, orders, positions } from './tables.ts'

export type NewEntry = Omit<typeof ledgerEntries.$inferInsert, 'id'>

/** Which account of whom; a real one is on a network. */
export type AccountKey = Pick<AccountRow, 'ownerKind' | 'ownerId' | 'kind' | 'network'>

const keyOf = (ownerKind: AccountRow['ownerKind'], ownerId: string, network: Network | null): AccountKey => ({
  ownerKind,
  ownerId,
  kind: network === null ? 'virtual' : 'real',
  network,
})
export const virtualOf = (userId: string): AccountKey => keyOf('user', userId, null)
export const realOf = (userId: string, network: Network): AccountKey => keyOf('user', userId, network)
export const virtualOfBot = (botId: string): AccountKey => keyOf('bot', botId, null)
export const realOfBot = (botId: string, network: Network): AccountKey => keyOf('bot', botId, network)

/** Accounts of bots with real money on one network of a venue. */
export const realBotsAt = (venue: string, network: Network) =>
  and(
    eq(accounts.ownerKind, 'bot'),
    eq(accounts.kind, 'real'),
    eq(accounts.venue, venue),
    eq(accounts.network, network),
  )

/** What accounts hold, with the accounts. */
export const ownedPositions = <Columns extends SelectedFields>(orm: Orm, columns: Columns) =>
  orm.select(columns).from(positions).innerJoin(accounts, eq(accounts.id, positions.accountId))

/** An account as it is, under its lock; undefined if there is none. */
const lockWhere = async (tx: Orm, where: SQL | undefined): Promise<AccountRow | undefined> =>
  (await tx.select().from(accounts).where(where).for('update'))[0]

/** Opens, locks and removes accounts. */
const openingOf = (venue: string) => {
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

    /** The account under its lock, opened with a deposit (quote, 0 for none) if there is none. */
    async open(tx: Orm, key: AccountKey, deposit: Units, atMs: number): Promise<string> {
      const opened = { ...key, venue, createdAtMs: atMs }
      const [made] = await tx.insert(accounts).values(opened).onConflictDoNothing().returning({ id: accounts.id })
      if (made !== undefined && deposit > 0n)
        await tx.insert(ledgerEntries).values({ accountId: made.id, kind: 'deposit', amount: deposit, atMs })
      return (await lockWhere(tx, is(key)))!.id
    },

    lock: async (tx: Orm, accountId: string): Promise<AccountRow> => (await lockWhere(tx, eq(accounts.id, accountId)))!,

    /** Undefined if there is no such account. */
    lockOf: (tx: Orm, key: AccountKey): Promise<AccountRow | undefined> => lockWhere(tx, is(key)),

    /** The accounts of bots on this venue; under their locks with `lock`. */
    async ofBots(orm: Orm, botIds: string[], lock = false): Promise<AccountRow[]> {
      if (botIds.length === 0) return []
      const theirs = and(eq(accounts.ownerKind, 'bot'), inArray(accounts.ownerId, botIds), eq(accounts.venue, venue))
      const found = orm.select().from(accounts).where(theirs).orderBy(accounts.id)
      return lock ? found.for('update') : found
    },

    /**
     * Makes the account of a bot one at the exchange, whose orders go there with the key of a person. False where it is
     * one on another network already.
     */
    async makeReal(
      tx: Orm,
      botId: string,
      set: { network: Network; keyUserId: string; market: AccountRow['market'] },
    ): Promise<boolean> {
      const its = and(eq(accounts.ownerKind, 'bot'), eq(accounts.ownerId, botId), eq(accounts.venue, venue))
      const may = or(eq(accounts.kind, 'virtual'), eq(accounts.network, set.network))
      const real = tx.update(accounts).set({ ...set, kind: 'real' })
      return (await real.where(and(its, may)).returning({ id: accounts.id })).length > 0
    },

    /**
     * Deletes the virtual accounts of bots with all of their ledgers. Those of real money are kept for accounting;
     * what they say is still held belongs to no bot any more.
     */
    async removeOfBots(tx: Orm, botIds: string[]): Promise<void> {
      if (botIds.length === 0) return
      const ofBots = and(eq(accounts.ownerKind, 'bot'), inArray(accounts.ownerId, botIds))
      await tx.delete(accounts).where(and(ofBots, eq(accounts.kind, 'virtual')))
      const left = tx.select({ id: accounts.id }).from(accounts).where(ofBots)
      await tx.delete(positions).where(inArray(positions.accountId, left))
    },
  }
}

/** What accounts hold. */
const POSITIONS = {
  /** `keyMark`: of a person's real account the account at the exchange. */
  async holding(orm: Orm, accountId: string, symbol: string, keyMark = ''): Promise<Holding> {
    const { quantity, cost } = positions
    const itsMark = inArray(positions.keyMark, ['', keyMark])
    const [row] = await orm
      .select({ quantity, cost })
      .from(positions)
      .where(and(eq(positions.accountId, accountId), eq(positions.symbol, symbol), itsMark))
    return row ?? NOTHING
  },

  /** What accounts hold from now on; since when is kept where something was held before. */
  async hold(tx: Orm, held: (typeof positions.$inferInsert)[]): Promise<void> {
    if (held.length === 0) return
    await tx
      .insert(positions)
      .values(held)
      .onConflictDoUpdate({
        target: [positions.accountId, positions.symbol, positions.keyMark],
        set: {
          quantity: sql`excluded.quantity`,
          cost: sql`excluded.cost`,
          openedAtMs: sql`case when ${positions.quantity} = 0 then excluded.opened_at_ms else ${positions.openedAtMs} end`,
        },
      })
  },

  async holdings(orm: Orm, accountId: string) {
    return (await this.holdingsOf(orm, [accountId])).get(accountId) ?? []
  },

  /** What accounts hold, by account. */
  async holdingsOf(orm: Orm, accountIds: string[]) {
    if (accountIds.length === 0) return new Map<string, (typeof positions.$inferSelect)[]>()
    const rows = await orm
      .select()
      .from(positions)
      .where(and(inArray(positions.accountId, accountIds), ne(positions.quantity, 0n)))
      .orderBy(positions.symbol)
    return Map.groupBy(rows, ({ accountId }) => accountId)
  },
}

/** Accounts of one venue with their money and what they hold. Whatever changes one takes its lock first. */
export const createAccountStore = (venue: string) => ({
  ...openingOf(venue),

  ...POSITIONS,

  /** Quote: all of it, what open buy orders set aside, and the sum of fees. */
  async money(orm: Orm, accountId: string): Promise<Record<'balance' | 'reserved' | 'fees', Units>> {
    const [booked] = await orm
      .select({ balance: accounts.balance, fees: accounts.fees })
      .from(accounts)
      .where(eq(accounts.id, accountId))
    const [aside] = await orm
      .select({ sum: sum(orders.reserved) })
      .from(orders)
      .where(and(eq(orders.accountId, accountId), eq(orders.status, 'open')))
    return { ...booked!, reserved: unitsOfDecimal(aside?.sum ?? '0') }
  },

  /** The virtual accounts of people. */
  ofUsers: (orm: Orm): Promise<AccountRow[]> =>
    orm
      .select()
      .from(accounts)
      .where(and(eq(accounts.ownerKind, 'user'), eq(accounts.kind, 'virtual'), eq(accounts.venue, venue))),

  /** What accounts were opened with, quote; those that were opened with nothing are left out. */
  async deposits(orm: Orm, accountIds: string[]): Promise<Map<string, Units>> {
    const rows = await orm
      .select({ accountId: ledgerEntries.accountId, amount: ledgerEntries.amount })
      .from(ledgerEntries)
      .where(and(inArray(ledgerEntries.accountId, accountIds), eq(ledgerEntries.kind, 'deposit')))
    return new Map(rows.map(({ accountId, amount }) => [accountId, amount]))
  },

  async book(tx: Orm, entries: NewEntry[]): Promise<void> {
    if (entries.length > 0) await tx.insert(ledgerEntries).values(entries)
  },

  /** As `book`, payments of the exchange: one that is booked already stays as it is. */
  async bookPayments(tx: Orm, entries: NewEntry[]): Promise<void> {
    if (entries.length > 0) await tx.insert(ledgerEntries).values(entries).onConflictDoNothing()
  },

  /** What was booked beside trades, by symbol: funding, and what liquidations cost (a loss is positive). Quote. */
  async charges(orm: Orm, accountId: string): Promise<Map<string, { funding: number; fees: number }>> {
    const sumOf = (kind: NewEntry['kind']) =>
      sql<string>`coalesce(sum(${ledgerEntries.amount}) filter (where ${ledgerEntries.kind} = ${kind}), 0)`
    const rows = await orm
      .select({ symbol: ledgerEntries.symbol, funding: sumOf('funding'), fees: sumOf('liquidation') })
      .from(ledgerEntries)
      .where(and(eq(ledgerEntries.accountId, accountId), isNotNull(ledgerEntries.venueId)))
      .groupBy(ledgerEntries.symbol)
    return new Map(
      rows.map(({ symbol, funding, fees }) => [symbol!, { funding: Number(funding), fees: -Number(fees) }]),
    )
  },

  /** From now on the account holds nothing, and its fees are counted again; its entries stay. */
  async startAgain(tx: Orm, accountId: string): Promise<void> {
    await tx.delete(positions).where(eq(positions.accountId, accountId))
    await tx.update(accounts).set({ fees: 0n }).where(eq(accounts.id, accountId))
  },
})

export type AccountStore = ReturnType<typeof createAccountStore>
