import type { Doer } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { and, eq, gt } from 'drizzle-orm'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import type { Social } from '../ground/social.ts'
import { auditUser } from './account-news.ts'
import { resetCodes } from './tables.ts'
import { type AccountGround, changeUser } from './user-service.ts'
import { findUserByEmail } from './user-store.ts'

// Codes by which somebody who forgot a password sets a new one.

type ResetWay = (typeof resetCodes.$inferSelect)['way']
const LASTS_MS: Readonly<Record<ResetWay, number>> = { admin: 86_400_000, mail: 3_600_000 }

/** A code that is good once; a newer one of the same way takes its place. */
async function makeResetCode(tx: Orm, userId: string, way: ResetWay, nowMs: number) {
  const code = makeCode()
  const expiresAt = nowMs + LASTS_MS[way]
  const kept = { codeHash: hashOfCode(code), expiresAtMs: expiresAt }
  await tx
    .insert(resetCodes)
    .values({ userId, way, ...kept })
    .onConflictDoUpdate({ target: [resetCodes.userId, resetCodes.way], set: kept })
  return { code, expiresAt }
}

/** A code that an admin hands on, good for a day. */
export const adminsResetCode = (ground: AccountGround, id: string, doer: Doer) =>
  changeUser(ground, id, async (tx) => {
    const made = await makeResetCode(tx, id, 'admin', ground.now())
    await auditUser(tx, doer, 'user.reset_code_made', id)
    const text = 'Somebody who has it can set a new password. If you did not ask for it, tell an admin.'
    const title = 'An admin made a reset code for your account'
    await notify(tx, id, { kind: 'security', title, text }, ground.now())
    return made
  })

type Ground = Pick<Social, 'db' | 'now'>

/** A code that is mailed, good for an hour; null where no account has the address. */
export async function mailedResetCode({ db, now }: Ground, email: string, address: string): Promise<string | null> {
  const user = await findUserByEmail(db.orm, email)
  if (user === undefined || user.disabledAt !== null) return null
  return db.orm.transaction(async (tx) => {
    const { code } = await makeResetCode(tx, user.id, 'mail', now())
    await auditUser(tx, { userId: null, address }, 'user.reset_code_mailed', user.id)
    return code
  })
}

/** Takes a reset code: who made it; null where it was not good. */
export async function takeResetCode({ now }: Ground, tx: Orm, userId: string, code: string): Promise<ResetWay | null> {
  const which = and(
    eq(resetCodes.userId, userId),
    eq(resetCodes.codeHash, hashOfCode(code)),
    gt(resetCodes.expiresAtMs, now()),
  )
  const [taken] = await tx.delete(resetCodes).where(which).returning()
  return taken?.way ?? null
}
