import {
  changeProfile,
  deleteAccount,
  endOtherSessions,
  endSession,
  exportOwnData,
  ownSessions,
  resetPassword,
} from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { OwnAccount } from './own-account.ts'

const memberOf = (caller: Caller, request: { ip: string }) => ({ ...caller, address: request.ip })
const done = { ok: true } as const

/** A person's own account: profile, sessions, data, deletion, and the way back in. */
export function ownAccountRoutes(app: ServiceApp, own: OwnAccount): void {
  registerEndpoint(app, changeProfile, async ({ body, caller, request, prove }) => ({
    user: await own.changeProfile(memberOf(caller, request), body, prove),
  }))
  registerEndpoint(app, ownSessions, async ({ caller, request }) => ({
    sessions: await own.sessions(memberOf(caller, request)),
  }))
  registerEndpoint(app, endSession, async ({ params, caller, request }) => {
    await own.endSession(memberOf(caller, request), params.id)
    return done
  })
  registerEndpoint(app, endOtherSessions, async ({ caller, request }) => {
    await own.endOthers(memberOf(caller, request))
    return done
  })
  registerEndpoint(app, exportOwnData, async ({ caller, request }) => ({
    name: 'shapecast-data.json',
    content: await own.export(memberOf(caller, request)),
  }))
  registerEndpoint(app, deleteAccount, async ({ body, caller, request, prove }) => ({
    deletesAt: await own.delete(memberOf(caller, request), body.password, prove),
  }))
  registerEndpoint(app, resetPassword, async ({ body, request }) => {
    await own.reset(body, request.ip)
    return done
  })
}
