import {
  auditLog,
  changePolicy,
  changeUser,
  endSessionsOf,
  exportAudit,
  invitations,
  invite,
  makeResetCode,
  policy,
  users,
  withdrawInvitation,
} from '@shapecast/contracts/users'
import type { Orm } from '@shapecast/platform/database/database'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { readPolicy } from '@shapecast/platform/policy'
import { auditCsv, readAudit } from './audit-log.ts'
import { listUsers } from './user-list.ts'
import type { UserService } from './user-service.ts'

/** What admins see and do: accounts, invitations, the policy, the audit. */
export function userRoutes(
  app: ServiceApp,
  { orm, service, now }: { orm: Orm; service: UserService; now: () => number },
): void {
  registerEndpoint(app, users, ({ query }) => listUsers(orm, query, now()))
  registerEndpoint(app, changeUser, async ({ params, body, caller, prove }) => {
    // To disable an account reduces what can happen, and may be urgent.
    if (body.role !== undefined || body.disabled === false) await prove()
    if (body.role !== undefined) await service.setRole(params.id, body.role, caller)
    if (body.disabled !== undefined) await service.setDisabled(params.id, body.disabled, caller)
    return { user: await service.read(params.id) }
  })
  registerEndpoint(app, makeResetCode, ({ params, caller }) => service.makeResetCode(params.id, caller))
  registerEndpoint(app, endSessionsOf, ({ params, caller }) => service.endSessions(params.id, caller))
  registerEndpoint(app, invitations, async () => ({ invitations: await service.invitations() }))
  registerEndpoint(app, invite, ({ body, caller }) => service.invite(body.email, caller))
  registerEndpoint(app, withdrawInvitation, ({ params, caller }) => service.withdraw(params.id, caller))
  registerEndpoint(app, policy, async () => ({ policy: await readPolicy(orm) }))
  registerEndpoint(app, changePolicy, async ({ body, caller, prove }) => ({
    policy: await service.changePolicy(body, caller, prove),
  }))
  registerEndpoint(app, auditLog, ({ query }) => readAudit(orm, query))
  registerEndpoint(app, exportAudit, ({ query }) => auditCsv(orm, query))
}
