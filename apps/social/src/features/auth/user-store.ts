import type { Role, User } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import { count, eq, sql } from 'drizzle-orm'
import { type UserRow, users } from './tables.ts'

/** What the API shows of a user: never the hash. */
export const publicUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
})

export interface NewUser {
  username: string
  email: string
  passwordHash: string
}

/**
 * Adds an account; give it a transaction. The first of an installation becomes admin, every other one user: one lock
 * over counting and inserting makes that hold however many register at once. Throws `email_taken`, `username_taken`, and
 * `registration_code` where it would be the first and `mayBeFirst` says no.
 */
export async function insertUser(tx: Orm, user: NewUser, nowMs: number, mayBeFirst = true): Promise<UserRow> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('social.users.register', 1))`)
  const [taken] = await tx.select({ id: users.id }).from(users).where(eq(users.email, user.email)).limit(1)
  if (taken !== undefined)
    throw new AppError('email_taken', 'An account with this e-mail address exists. Sign in instead.', {
      field: 'email',
    })
  const [named] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, sql`lower(${user.username})`))
    .limit(1)
  if (named !== undefined)
    throw new AppError('username_taken', 'This username is taken. Choose another one.', { field: 'username' })
  const [{ accounts } = { accounts: 0 }] = await tx.select({ accounts: count() }).from(users)
  const role: Role = accounts === 0 ? 'admin' : 'user'
  if (role === 'admin' && !mayBeFirst)
    throw new AppError(
      'registration_code',
      'The first account is the admin. From another machine it takes the code that the start of Shapecast printed.',
      { field: 'code' },
    )
  const [row] = await tx
    .insert(users)
    .values({ ...user, role, createdAtMs: nowMs })
    .returning()
  return row!
}

export async function findUserByEmail(db: Orm, email: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email.trim().toLowerCase())).limit(1)
  return row
}

export async function findUserById(db: Orm, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id)).limit(1)
  return row
}

/**
 * The account as it is, and stays until the transaction ends: for whoever signs it in (`share`) or changes it (`update`),
 * so that no session begins on what is being changed.
 */
export async function holdUser(tx: Orm, id: string, to: 'share' | 'update'): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for(to)
  return row
}

export async function storePasswordHash(db: Orm, id: string, passwordHash: string): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, id))
}

export async function storeRole(db: Orm, id: string, role: Role): Promise<void> {
  await db.update(users).set({ role }).where(eq(users.id, id))
}

/** Whether anybody has registered. */
export async function hasAccounts(db: Orm): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0
}
