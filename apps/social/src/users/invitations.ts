import { AppError } from '@shapecast/contracts/errors'
import type { Invitation } from '@shapecast/contracts/users'
import { type Doer, recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { readPolicy } from '@shapecast/platform/policy'
import { and, desc, eq, gt } from 'drizzle-orm'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import type { Social } from '../ground/social.ts'
import { invitations } from './tables.ts'
import { userNames } from './user-names.ts'
import { findUserByEmail } from './user-store.ts'

const INVITATION_MS = 7 * 86_400_000

type Ground = Pick<Social, 'db' | 'now'>

/** Those that can still be taken up, the newest first. */
export const listInvitations = ({ db, now }: Ground): Promise<Invitation[]> =>
  db.orm
    .select({
      id: invitations.id,
      email: invitations.email,
      invitedBy: userNames,
      createdAt: invitations.createdAtMs,
      expiresAt: invitations.expiresAtMs,
    })
    .from(invitations)
    .leftJoin(userNames, eq(userNames.id, invitations.invitedBy))
    .where(gt(invitations.expiresAtMs, now()))
    .orderBy(desc(invitations.id))

/** Invites an address; a newer invitation takes the older one's place. Throws `email_taken`. */
export async function invite(ground: Ground, email: string, doer: Doer) {
  const code = makeCode()
  const id = await ground.db.orm.transaction(async (tx) => {
    if ((await findUserByEmail(tx, email)) !== undefined)
      throw new AppError('email_taken', 'This address has an account already.', { field: 'email' })
    const createdAtMs = ground.now()
    const expiresAtMs = createdAtMs + INVITATION_MS
    const made = { email, codeHash: hashOfCode(code), invitedBy: doer.userId, createdAtMs, expiresAtMs }
    const [row] = await tx
      .insert(invitations)
      .values(made)
      .onConflictDoUpdate({ target: invitations.email, set: made })
      .returning({ id: invitations.id })
    const subject = { type: 'invitation', id: row!.id }
    await recordAudit(tx, doer, { action: 'user.invited', subject, after: { email } })
    return row!.id
  })
  return { invitation: (await listInvitations(ground)).find((one) => one.id === id)!, code }
}

export const withdrawInvitation = ({ db }: Ground, id: string, doer: Doer): Promise<void> =>
  db.orm.transaction(async (tx) => {
    const [before] = await tx.delete(invitations).where(eq(invitations.id, id)).returning({ email: invitations.email })
    if (before === undefined) throw new AppError('not_found', 'This invitation was taken up or withdrawn.')
    await recordAudit(tx, doer, { action: 'user.invitation_withdrawn', subject: { type: 'invitation', id }, before })
  })

/** Takes an invitation up: whether there was one of this code for this address. */
async function takeInvitation(tx: Orm, email: string, code: string, nowMs: number): Promise<boolean> {
  const which = and(
    eq(invitations.email, email),
    eq(invitations.codeHash, hashOfCode(code)),
    gt(invitations.expiresAtMs, nowMs),
  )
  return (await tx.delete(invitations).where(which).returning()).length > 0
}

/** Throws `registration_closed` where this address may not register with this code. */
export async function admit({ now }: Ground, tx: Orm, email: string, invitation: string | undefined): Promise<void> {
  const { registration } = await readPolicy(tx)
  if (registration === 'open') return
  if (registration === 'closed')
    throw new AppError('registration_closed', 'Registration is closed. Ask an admin of this installation.')
  if (invitation !== undefined && (await takeInvitation(tx, email, invitation, now()))) return
  throw new AppError('registration_closed', 'Registering needs an invitation to this email address.')
}
