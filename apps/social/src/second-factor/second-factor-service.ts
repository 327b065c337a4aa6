import { isManager, type Role } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { readPolicy } from '@shapecast/platform/policy'
import { createSeal } from '@shapecast/platform/seal'
import { confirmSession, liftSession } from '@shapecast/platform/session-marks'
import type { Caller, Sessions } from '@shapecast/platform/sessions'
import { and, count, eq, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Confirmations } from '../auth/confirmations.ts'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import { recoveryCodes, secondFactors } from './tables.ts'

const RECOVERY_CODES = 10
const STEP_S = 30
/** A clock may be off by a step. */
const WINDOW = 1

export interface SecondFactorDeps {
  db: Database
  sessions: Sessions
  secretKey: string
  confirmations: Confirmations
  now(): number
}

const totpOf = (secret: string, email = '') =>
  new TOTP({ issuer: 'Shapecast', label: email, secret: Secret.fromBase32(secret), period: STEP_S })
const bareOf = (code: string): string => code.replace(/\s/g, '')
const notOn = () => new AppError('conflict', 'The second factor is off. Set one up first.')

/** Codes of the app and recovery codes, each good once. */
const codesOf = (deps: SecondFactorDeps) => {
  const { db, confirmations, now } = deps

  const { seal, open } = createSeal(deps.secretKey, 'second-factors')

  async function find(orm: Orm, userId: string) {
    const [row] = await orm.select().from(secondFactors).where(eq(secondFactors.userId, userId))
    return row
  }

  /** The time step whose code this is, now or one beside; null of none. */
  function stepOf(sealed: string | null, userId: string, code: string): number | null {
    const secret = sealed === null ? null : open(sealed, userId)
    if (secret === null || !/^\d{6}$/.test(code)) return null
    const delta = totpOf(secret).validate({ token: code, timestamp: now(), window: WINDOW })
    return delta === null ? null : Math.floor(now() / 1000 / STEP_S) + delta
  }

  /** Takes a code of the app once: its step has to be newer than the last one that was taken. */
  async function takeAppCode(orm: Orm, userId: string, sealed: string | null, code: string): Promise<boolean> {
    const step = stepOf(sealed, userId, code)
    if (step === null) return false
    const taken = await orm
      .update(secondFactors)
      .set({ lastStep: step })
      .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
      .returning({ userId: secondFactors.userId })
    return taken.length > 0
  }

  async function takeRecoveryCode(orm: Orm, userId: string, code: string): Promise<boolean> {
    const which = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOfCode(code)))
    return (await orm.delete(recoveryCodes).where(which).returning()).length > 0
  }

  const isOn = async (orm: Orm, userId: string): Promise<boolean> =>
    ((await find(orm, userId))?.onSinceMs ?? null) !== null

  /** Takes a code of the app, or a recovery code, once. False where it is wrong, was used, or the factor is off. */
  async function take(orm: Orm, userId: string, code: string): Promise<boolean> {
    const row = await find(orm, userId)
    if (row === undefined || row.onSinceMs === null) return false
    const bare = bareOf(code)
    return (await takeAppCode(orm, userId, row.secret, bare)) || takeRecoveryCode(orm, userId, bare)
  }

  const isRequired = async (orm: Orm, role: Role): Promise<boolean> =>
    isManager(role) && (await readPolicy(orm)).secondFactorForManagers

  async function requireTaken(member: Caller, code: string): Promise<void> {
    if (!(await isOn(db.orm, member.userId))) throw notOn()
    await confirmations.requireCode('code', member, () => take(db.orm, member.userId, code))
  }

  async function remove(tx: Orm, userId: string): Promise<void> {
    await tx.delete(secondFactors).where(eq(secondFactors.userId, userId))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  }
  return { seal, open, find, stepOf, takeAppCode, takeRecoveryCode, isOn, take, isRequired, requireTaken, remove }
}

/** Switches the second factor on and off. */
const settingUpOf = (
  deps: SecondFactorDeps,
  { seal, find, stepOf, isOn, isRequired, requireTaken, remove }: ReturnType<typeof codesOf>,
) => {
  const { db, confirmations, now } = deps

  async function makeRecoveryCodes(tx: Orm, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, makeCode)
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOfCode(code) })))
    return codes
  }

  async function tell(tx: Orm, caller: Caller, action: string, title: string): Promise<void> {
    const { userId } = caller
    await recordAudit(tx, caller, { action, subject: { type: 'user', id: userId } })
    const text = 'If this was not you, change your password and end your other sessions.'
    await notify(tx, userId, { kind: 'security', title, text, link: '/settings/security' }, now())
  }
  return {
    async state(userId: string, role: Role) {
      const row = await find(db.orm, userId)
      const [left] = await db.orm.select({ codes: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
      return {
        onSince: row?.onSinceMs ?? null,
        recoveryCodesLeft: left!.codes,
        isRequired: await isRequired(db.orm, role),
      }
    },

    /**
     * Makes a secret that waits for its first code; what is on stays until then, and is asked for a code before. Throws
     * `second_factor_required`, `wrong_code`.
     */
    async begin(member: Caller, password: string, code: string | undefined): Promise<{ secret: string; uri: string }> {
      const { userId } = member
      await confirmations.requirePassword(member, password)
      if (await isOn(db.orm, userId)) {
        if (code === undefined)
          throw new AppError('second_factor_required', 'Enter a code of the device in use, or a recovery code.')
        await requireTaken(member, code)
      }
      const secret = new Secret({ size: 20 }).base32
      const pendingSecret = seal(secret, userId)
      await db.orm
        .insert(secondFactors)
        .values({ userId, pendingSecret })
        .onConflictDoUpdate({ target: secondFactors.userId, set: { pendingSecret } })
      return { secret, uri: totpOf(secret, (await confirmations.account(userId)).email).toString() }
    },

    /** Switches the pending secret on with a code of it, and gives new recovery codes. Ends the user's other sessions. */
    async finish(member: Caller, code: string): Promise<string[]> {
      const { userId, sid } = member
      const pending = (await find(db.orm, userId))?.pendingSecret ?? null
      if (pending === null) throw new AppError('conflict', 'Begin with a new secret first.')
      // The step of the code that was given, which may be the next one already: no code of it is taken again.
      const step = stepOf(pending, userId, bareOf(code))
      await confirmations.requireCode('new_code', member, async () => step !== null)
      return db.orm.transaction(async (tx) => {
        const on = { secret: pending, pendingSecret: null, onSinceMs: now(), lastStep: step! }
        const which = and(eq(secondFactors.userId, userId), eq(secondFactors.pendingSecret, pending))
        const done = await tx.update(secondFactors).set(on).where(which).returning()
        if (done.length === 0) throw new AppError('conflict', 'Another secret was made meanwhile. Use its code.')
        await liftSession(tx, sid)
        await deps.sessions.endOthers(userId, sid, tx)
        await tell(tx, member, 'user.second_factor_on', 'The second factor was switched on')
        return makeRecoveryCodes(tx, userId)
      })
    },

    async renewCodes(member: Caller, code: string): Promise<string[]> {
      await requireTaken(member, code)
      return db.orm.transaction(async (tx) => {
        await tell(tx, member, 'user.recovery_codes_renewed', 'New recovery codes were made')
        return makeRecoveryCodes(tx, member.userId)
      })
    },

    /** Switches it off. Throws `conflict` where the role requires it. */
    async end(member: Caller, password: string, code: string): Promise<void> {
      if (await isRequired(db.orm, member.role))
        throw new AppError('conflict', 'Your role requires a second factor. You can change the device instead.')
      await confirmations.requirePassword(member, password)
      await requireTaken(member, code)
      await db.orm.transaction(async (tx) => {
        await remove(tx, member.userId)
        await tell(tx, member, 'user.second_factor_off', 'The second factor was switched off')
      })
    },
  }
}

/** The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes. */
export function createSecondFactorService(deps: SecondFactorDeps) {
  const shared = codesOf(deps)
  const { isOn, take, isRequired, requireTaken, remove } = shared
  const { db, confirmations, now } = deps
  return {
    ...settingUpOf(deps, shared),

    isOn,

    take,

    isRequired,

    /** Takes the second factor away from a user that lost it; an admin's reset of the account does so. */
    remove,

    /** Confirms the session with a code, or with the password where the factor is off. Returns until when it is good. */
    async confirm(
      member: Caller,
      given: { password?: string | undefined; code?: string | undefined },
    ): Promise<number> {
      if (await isOn(db.orm, member.userId)) await requireTaken(member, given.code ?? '')
      else await confirmations.requirePassword(member, given.password ?? '')
      return confirmSession(db.orm, member.sid, now())
    },
  }
}

export type SecondFactorService = ReturnType<typeof createSecondFactorService>
