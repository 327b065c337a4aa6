import {
  auditLog,
  changePolicy,
  changeUser,
  endSessionsOf,
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
import type { Caller } from '@shapecast/platform/sessions'
import { readAudit } from './audit-log.ts'
import { listUsers } from './user-list.ts'
import type { UserService } from './user-service.ts'

const doerOf = (caller: Caller, request: { ip: string }) => ({ userId: caller.userId, address: request.ip })
const done = { ok: true } as const

/** What admins see and do: accounts, invitations, the policy, the audit. */
export function userRoutes(
  app: ServiceApp,
  { orm, service, now }: { orm: Orm; service: UserService; now: () => number },
): void {
  registerEndpoint(app, users, ({ query }) => listUsers(orm, query, now()))
  registerEndpoint(app, changeUser, async ({ params, body, caller, request, prove }) => {
    const doer = doerOf(caller, request)
    // To disable an account reduces what can happen, and may be urgent.
    if (body.role !== undefined || body.disabled === false) await prove()
    if (body.role !== undefined) await service.setRole(params.id, body.role, doer)
    if (body.disabled !== undefined) await service.setDisabled(params.id, body.disabled, doer)
    return { user: await service.read(params.id) }
  })
  registerEndpoint(app, makeResetCode, ({ params, caller, request }) =>
    service.makeResetCode(params.id, doerOf(caller, request)),
  )
  registerEndpoint(app, endSessionsOf, async ({ params, caller, request }) => {
    await service.endSessions(params.id, doerOf(caller, request))
    return done
  })
  registerEndpoint(app, invitations, async () => ({ invitations: await service.invitations() }))
  registerEndpoint(app, invite, ({ body, caller, request }) => service.invite(body.email, doerOf(caller, request)))
  registerEndpoint(app, withdrawInvitation, async ({ params, caller, request }) => {
    await service.withdraw(params.id, doerOf(caller, request))
    return done
  })
  registerEndpoint(app, policy, async () => ({ policy: await readPolicy(orm) }))
  registerEndpoint(app, changePolicy, async ({ body, caller, request, prove }) => ({
    policy: await service.changePolicy(body, doerOf(caller, request), prove),
  }))
  registerEndpoint(app, auditLog, ({ query }) => readAudit(orm, query))
}
