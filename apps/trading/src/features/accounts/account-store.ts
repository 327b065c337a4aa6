import { STARTING_BALANCE } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, gt, sum } from 'drizzle-orm'
import { type Units, unitsOf, unitsOfDecimal } from './money.ts'
import { type Holding, NOTHING } from './settle.ts'
import { accountFills, accountOrders, accountPositions, accounts, ledgerEntries } from './tables.ts'

const total = (text: string | null | undefined): Units => (text ? unitsOfDecimal(text) : 0n)

/** Accounts of one venue with their money and what they hold. Whatever changes one takes its lock first. */
export const createAccountStore = (venue: string) => ({
  /** The user's account; undefined before the first order. */
  async find(orm: Orm, userId: string): Promise<string | undefined> {
    const [row] = await orm
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.userId, userId), eq(accounts.venue, venue)))
    return row?.id
  },

  /** The user's account under its lock, opened with the starting balance where there is none. */
  async open(tx: Orm, userId: string, atMs: number): Promise<string> {
    const [made] = await tx
      .insert(accounts)
      .values({ userId, venue, createdAtMs: atMs })
      .onConflictDoNothing()
      .returning({ id: accounts.id })
    if (made !== undefined)
      await tx
        .insert(ledgerEntries)
        .values({ accountId: made.id, kind: 'deposit', amount: unitsOf(STARTING_BALANCE), atMs })
    const [row] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.userId, userId), eq(accounts.venue, venue)))
      .for('update')
    return row!.id
  },

  async lock(tx: Orm, accountId: string): Promise<void> {
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update')
  },

  /** Quote: all of it, and what open buy orders set aside. */
  async money(orm: Orm, accountId: string): Promise<{ balance: Units; reserved: Units }> {
    const [booked] = await orm
      .select({ sum: sum(ledgerEntries.amount) })
      .from(ledgerEntries)
      .where(eq(ledgerEntries.accountId, accountId))
    const [aside] = await orm
      .select({ sum: sum(accountOrders.reserved) })
      .from(accountOrders)
      .where(and(eq(accountOrders.accountId, accountId), eq(accountOrders.status, 'open')))
    return { balance: total(booked?.sum), reserved: total(aside?.sum) }
  },

  /** Sums over all fills: profit of sales before fees, and fees. */
  async results(orm: Orm, accountId: string): Promise<{ pnl: Units; fees: Units }> {
    const [row] = await orm
      .select({ pnl: sum(accountFills.pnl), fees: sum(accountFills.fee) })
      .from(accountFills)
      .where(eq(accountFills.accountId, accountId))
    return { pnl: total(row?.pnl), fees: total(row?.fees) }
  },

  async book(tx: Orm, entry: Omit<typeof ledgerEntries.$inferInsert, 'id'>): Promise<void> {
    await tx.insert(ledgerEntries).values(entry)
  },

  async holding(orm: Orm, accountId: string, symbol: string): Promise<Holding> {
    const [row] = await orm
      .select({ quantity: accountPositions.quantity, cost: accountPositions.cost })
      .from(accountPositions)
      .where(and(eq(accountPositions.accountId, accountId), eq(accountPositions.symbol, symbol)))
    return row ?? NOTHING
  },

  holdings: (orm: Orm, accountId: string) =>
    orm
      .select()
      .from(accountPositions)
      .where(and(eq(accountPositions.accountId, accountId), gt(accountPositions.quantity, 0n)))
      .orderBy(accountPositions.symbol),

  /** `openedAtMs` is taken where nothing was held before. */
  async hold(
    tx: Orm,
    key: { accountId: string; symbol: string },
    held: Holding,
    now: { wasEmpty: boolean; atMs: number },
  ): Promise<void> {
    const opened = now.wasEmpty ? { openedAtMs: now.atMs } : {}
    await tx
      .insert(accountPositions)
      .values({ ...key, ...held, openedAtMs: now.atMs })
      .onConflictDoUpdate({
        target: [accountPositions.accountId, accountPositions.symbol],
        set: { ...held, ...opened },
      })
  },
})
export type AccountStore = ReturnType<typeof createAccountStore>
