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
import type { UserDesk } from './user-desk.ts'
import { listUsers } from './user-list.ts'

const doerOf = (caller: Caller, request: { ip: string }) => ({ userId: caller.userId, address: request.ip })
const done = { ok: true } as const

/** What admins see and do: accounts, invitations, the policy, the audit. */
export function userRoutes(app: ServiceApp, { orm, desk, now }: { orm: Orm; desk: UserDesk; now: () => number }): void {
  registerEndpoint(app, users, ({ query }) => listUsers(orm, query, now()))
  registerEndpoint(app, changeUser, async ({ params, body, caller, request }) => {
    const doer = doerOf(caller, request)
    if (body.role !== undefined) await desk.setRole(params.id, body.role, doer)
    if (body.disabled !== undefined) await desk.setDisabled(params.id, body.disabled, doer)
    return { user: await desk.read(params.id) }
  })
  registerEndpoint(app, makeResetCode, ({ params, caller, request }) =>
    desk.makeResetCode(params.id, doerOf(caller, request)),
  )
  registerEndpoint(app, endSessionsOf, async ({ params, caller, request }) => {
    await desk.endSessions(params.id, doerOf(caller, request))
    return done
  })
  registerEndpoint(app, invitations, async () => ({ invitations: await desk.invitations() }))
  registerEndpoint(app, invite, ({ body, caller, request }) => desk.invite(body.email, doerOf(caller, request)))
  registerEndpoint(app, withdrawInvitation, async ({ params, caller, request }) => {
    await desk.withdraw(params.id, doerOf(caller, request))
    return done
  })
  registerEndpoint(app, policy, async () => ({ policy: await readPolicy(orm) }))
  registerEndpoint(app, changePolicy, async ({ body, caller, request }) => ({
    policy: await desk.changePolicy(body, doerOf(caller, request)),
  }))
  registerEndpoint(app, auditLog, ({ query }) => readAudit(orm, query))
}
