import * as calls from '@shapecast/contracts/users'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { readPolicy } from '@shapecast/platform/policy'
import type { Social } from '../ground/social.ts'
import { auditCsv, readAudit } from './audit-log.ts'
import { invite, listInvitations, withdrawInvitation } from './invitations.ts'
import { adminsResetCode } from './reset-codes.ts'
import { listUsers } from './user-list.ts'
import { changePolicy, endSessionsOf, readUser, setDisabled, setRole } from './user-service.ts'

/** What admins see and do: accounts, invitations, the policy, the audit. */
export function userRoutes(app: ServiceApp, social: Social): void {
  const { db, now } = social
  registerEndpoint(app, calls.users, ({ query }) => listUsers(db.orm, query, now()))
  registerEndpoint(app, calls.changeUser, async ({ params: { id }, body, caller, prove }) => {
    // To disable an account reduces what can happen, and may be urgent.
    if (body.role !== undefined || body.disabled === false) await prove()
    if (body.role !== undefined) await setRole(social, id, body.role, caller)
    if (body.disabled !== undefined) await setDisabled(social, id, body.disabled, caller)
    return { user: await readUser(social, id) }
  })
  registerEndpoint(app, calls.makeResetCode, ({ params, caller }) => adminsResetCode(social, params.id, caller))
  registerEndpoint(app, calls.endSessionsOf, ({ params, caller }) => endSessionsOf(social, params.id, caller))
  registerEndpoint(app, calls.invitations, async () => ({ invitations: await listInvitations(social) }))
  registerEndpoint(app, calls.invite, ({ body, caller }) => invite(social, body.email, caller))
  registerEndpoint(app, calls.withdrawInvitation, ({ params, caller }) => withdrawInvitation(social, params.id, caller))
  registerEndpoint(app, calls.policy, async () => ({ policy: await readPolicy(db.orm) }))
  registerEndpoint(app, calls.changePolicy, ({ body, caller, prove }) => changePolicy(social, body, caller, prove))
  registerEndpoint(app, calls.auditLog, ({ query }) => readAudit(db.orm, query))
  registerEndpoint(app, calls.exportAudit, ({ query }) => auditCsv(db.orm, query))
}
