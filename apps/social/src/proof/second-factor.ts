import { isManager, type Role } from '@shapecast/contracts/auth'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { confirmItIsMe } from '@shapecast/contracts/own-account'
import type { Orm } from '@shapecast/platform/database/database'
import { readPolicy } from '@shapecast/platform/policy'
import { createSeal } from '@shapecast/platform/seal'
import { type Caller, confirmSession, liftSession, type Member } from '@shapecast/platform/sessions'
import { and, count, eq, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import type { Social } from '../ground/social.ts'
import { auditUser, tellOwner } from '../users/account-news.ts'
import { accountOf, requireCode, requirePassword } from './confirmations.ts'
import { recoveryCodes, secondFactors } from './tables.ts'

// The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes, each good once.

const RECOVERY_CODES = 10
const STEP_S = 30
/** A clock may be off by a step. */
const WINDOW = 1

type Ground = Pick<Social, 'db' | 'log' | 'now' | 'secretKey'>

const totpOf = (secret: string, email = '') =>
  new TOTP({ issuer: 'Shapecast', label: email, secret: Secret.fromBase32(secret), period: STEP_S })

const bareOf = (code: string): string => code.replace(/\s/g, '')
const sealOf = ({ secretKey }: Pick<Social, 'secretKey'>) => createSeal(secretKey, 'second-factors')

async function find(orm: Orm, userId: string) {
  const [row] = await orm.select().from(secondFactors).where(eq(secondFactors.userId, userId))
  return row
}

/** The time step whose code this is, now or one beside; null of none. */
function stepOf(ground: Ground, sealed: string | null, userId: string, code: string): number | null {
  const secret = sealed === null ? null : sealOf(ground).open(sealed, userId)
  if (secret === null || !/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: ground.now(), window: WINDOW })
  return delta === null ? null : Math.floor(ground.now() / 1000 / STEP_S) + delta
}

export const hasSecondFactor = async (orm: Orm, userId: string): Promise<boolean> =>
  ((await find(orm, userId))?.onSinceMs ?? null) !== null

const requiresSecondFactor = async (orm: Orm, role: Role): Promise<boolean> =>
  isManager(role) && (await readPolicy(orm)).secondFactorForManagers

/** Whether somebody may do nothing until they have set up the second factor that their role requires. */
export const lacksSecondFactor = async (orm: Orm, userId: string, role: Role): Promise<boolean> =>
  (await requiresSecondFactor(orm, role)) && !(await hasSecondFactor(orm, userId))

/**
 * Takes a code of the app, or a recovery code, once: the step of the app's has to be newer than the last one that was
 * taken. False where it is wrong, was used, or the factor is off.
 */
export async function takeSecondFactor(ground: Ground, userId: string, given: string): Promise<boolean> {
  const { orm } = ground.db
  const row = await find(orm, userId)
  if (row === undefined || row.onSinceMs === null) return false
  const code = bareOf(given)
  const step = stepOf(ground, row.secret, userId, code)
  const taken =
    step === null
      ? []
      : await orm
          .update(secondFactors)
          .set({ lastStep: step })
          .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
          .returning()
  if (taken.length > 0) return true
  const which = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOfCode(code)))
  return (await orm.delete(recoveryCodes).where(which).returning()).length > 0
}

/** Counts a guess at a code of the device in use, or at a recovery code. Throws `wrong_code`, `too_many_requests`. */
export const requireSecondFactor = (ground: Ground, member: Member, code: string): Promise<void> =>
  requireCode(ground, 'code', member, () => takeSecondFactor(ground, member.userId, code))

async function requireTaken(ground: Ground, member: Caller, code: string): Promise<void> {
  if (!(await hasSecondFactor(ground.db.orm, member.userId)))
    throw new AppError('conflict', 'The second factor is off. Set one up first.')
  await requireSecondFactor(ground, member, code)
}

/** Takes the second factor away from an account; an admin's reset of one does so. */
export async function removeSecondFactor(tx: Orm, userId: string): Promise<void> {
  await tx.delete(secondFactors).where(eq(secondFactors.userId, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

async function makeRecoveryCodes(tx: Orm, userId: string): Promise<{ recoveryCodes: string[] }> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOfCode(code) })))
  return { recoveryCodes: codes }
}

async function tell(tx: Orm, caller: Caller, action: string, title: string, nowMs: number): Promise<void> {
  await auditUser(tx, caller, action, caller.userId)
  const text = 'If this was not you, change your password and end your other sessions.'
  await tellOwner(tx, caller.userId, { title, text }, nowMs)
}

export async function secondFactorState({ db: { orm } }: Ground, { userId, role }: Caller) {
  const onSince = (await find(orm, userId))?.onSinceMs ?? null
  const [left] = await orm.select({ codes: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return { onSince, recoveryCodesLeft: left!.codes, isRequired: await requiresSecondFactor(orm, role) }
}

/**
 * Makes a secret that waits for its first code; what is on stays until then, and is asked for a code before. Throws
 * `second_factor_required`, `wrong_code`.
 */
export async function beginSecondFactor(ground: Ground, member: Caller, password: string, code: string | undefined) {
  const { userId } = member
  const { orm } = ground.db
  await requirePassword(ground, member, password)
  if (await hasSecondFactor(orm, userId)) {
    if (code === undefined)
      throw new AppError('second_factor_required', 'Enter a code of the device in use, or a recovery code.')
    await requireTaken(ground, member, code)
  }
  const secret = new Secret({ size: 20 }).base32
  const pendingSecret = sealOf(ground).seal(secret, userId)
  await orm
    .insert(secondFactors)
    .values({ userId, pendingSecret })
    .onConflictDoUpdate({ target: secondFactors.userId, set: { pendingSecret } })
  return { secret, uri: totpOf(secret, (await accountOf(ground, userId)).email).toString() }
}

/** Switches the pending secret on with a code of it, and gives new recovery codes. Ends the user's other sessions. */
export async function finishSecondFactor(ground: Ground & Pick<Social, 'sessions'>, member: Caller, code: string) {
  const { db, sessions, now } = ground
  const { userId, sid } = member
  const pending = (await find(db.orm, userId))?.pendingSecret ?? null
  if (pending === null) throw new AppError('conflict', 'Begin with a new secret first.')
  // The step of the code that was given, which may be the next one already: no code of it is taken again.
  const step = stepOf(ground, pending, userId, bareOf(code))
  await requireCode(ground, 'new_code', member, async () => step !== null)
  return db.orm.transaction(async (tx) => {
    const on = { secret: pending, pendingSecret: null, onSinceMs: now(), lastStep: step! }
    const which = and(eq(secondFactors.userId, userId), eq(secondFactors.pendingSecret, pending))
    const done = await tx.update(secondFactors).set(on).where(which).returning()
    if (done.length === 0) throw new AppError('conflict', 'Another secret was made meanwhile. Use its code.')
    await liftSession(tx, sid)
    await sessions.endOthers(userId, sid, tx)
    await tell(tx, member, 'user.second_factor_on', 'The second factor was switched on', now())
    return makeRecoveryCodes(tx, userId)
  })
}

export async function renewRecoveryCodes(ground: Ground, member: Caller, code: string) {
  await requireTaken(ground, member, code)
  return ground.db.orm.transaction(async (tx) => {
    await tell(tx, member, 'user.recovery_codes_renewed', 'New recovery codes were made', ground.now())
    return makeRecoveryCodes(tx, member.userId)
  })
}

/** Switches it off. Throws `conflict` where the role requires it. */
export async function endSecondFactor(ground: Ground, member: Caller, password: string, code: string): Promise<void> {
  const { db, now } = ground
  if (await requiresSecondFactor(db.orm, member.role))
    throw new AppError('conflict', 'Your role requires a second factor. You can change the device instead.')
  await requirePassword(ground, member, password)
  await requireTaken(ground, member, code)
  await db.orm.transaction(async (tx) => {
    await removeSecondFactor(tx, member.userId)
    await tell(tx, member, 'user.second_factor_off', 'The second factor was switched off', now())
  })
}

/** Confirms the session with a code, or with the password where the factor is off. Returns until when it is good. */
export async function confirmCaller(ground: Ground, member: Caller, given: BodyOf<typeof confirmItIsMe>) {
  const { db, now } = ground
  if (await hasSecondFactor(db.orm, member.userId)) await requireTaken(ground, member, given.code ?? '')
  else await requirePassword(ground, member, given.password ?? '')
  return { until: await confirmSession(db.orm, member.sid, now()) }
}
