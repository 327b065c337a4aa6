import {
  changeProfile,
  deleteAccount,
  endOtherSessions,
  endSession,
  exportOwnData,
  forgotPassword,
  ownSessions,
  resetPassword,
} from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { OwnAccount } from './own-account.ts'

/** A person's own account: profile, sessions, data, deletion, and the way back in. */
export function ownAccountRoutes(app: ServiceApp, own: OwnAccount): void {
  registerEndpoint(app, changeProfile, async ({ body, caller, prove }) => ({
    user: await own.changeProfile(caller, body, prove),
  }))
  registerEndpoint(app, ownSessions, async ({ caller }) => ({
    sessions: await own.sessions(caller),
  }))
  registerEndpoint(app, endSession, ({ params, caller }) => own.endSession(caller, params.id))
  registerEndpoint(app, endOtherSessions, ({ caller }) => own.endOthers(caller))
  registerEndpoint(app, exportOwnData, async ({ caller }) => ({
    name: 'shapecast-data.json',
    content: await own.export(caller),
  }))
  registerEndpoint(app, deleteAccount, async ({ body, caller, prove }) => ({
    deletesAt: await own.delete(caller, body.password, prove),
  }))
  registerEndpoint(app, forgotPassword, ({ body, request }) => own.forgot(body.email, request.ip))
  registerEndpoint(app, resetPassword, ({ body, request }) => own.reset(body, request.ip))
}
