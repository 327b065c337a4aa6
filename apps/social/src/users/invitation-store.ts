import type { Invitation } from '@shapecast/contracts/users'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, gt } from 'drizzle-orm'
import { invitations } from './tables.ts'
import { userNames } from './user-names.ts'

const columns = { invitation: invitations, inviter: userNames.username }
type Row = { invitation: typeof invitations.$inferSelect; inviter: string | null }

const shown = ({ invitation, inviter }: Row): Invitation => ({
  id: invitation.id,
  email: invitation.email,
  invitedBy: invitation.invitedBy === null || inviter === null ? null : { id: invitation.invitedBy, username: inviter },
  createdAt: invitation.createdAtMs,
  expiresAt: invitation.expiresAtMs,
})

/** Those that can still be taken up, the newest first. */
export async function listInvitations(orm: Orm, nowMs: number): Promise<Invitation[]> {
  const rows = await orm
    .select(columns)
    .from(invitations)
    .leftJoin(userNames, eq(userNames.id, invitations.invitedBy))
    .where(gt(invitations.expiresAtMs, nowMs))
    .orderBy(desc(invitations.id))
  return rows.map(shown)
}

/** Makes an invitation, in place of an older one to the same address. */
export async function storeInvitation(
  orm: Orm,
  made: { email: string; codeHash: string; invitedBy: string | null; createdAtMs: number; expiresAtMs: number },
): Promise<string> {
  const [row] = await orm
    .insert(invitations)
    .values(made)
    .onConflictDoUpdate({ target: invitations.email, set: made })
    .returning({ id: invitations.id })
  return row!.id
}

export async function deleteInvitation(orm: Orm, id: string): Promise<string | undefined> {
  const [row] = await orm.delete(invitations).where(eq(invitations.id, id)).returning({ email: invitations.email })
  return row?.email
}

/** Takes an invitation up: whether there was one of this code for this address. */
export async function takeInvitation(orm: Orm, email: string, codeHash: string, nowMs: number): Promise<boolean> {
  const which = and(
    eq(invitations.email, email),
    eq(invitations.codeHash, codeHash),
    gt(invitations.expiresAtMs, nowMs),
  )
  return (await orm.delete(invitations).where(which).returning()).length > 0
}
