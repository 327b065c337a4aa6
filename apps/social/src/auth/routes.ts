import * as auth from '@shapecast/contracts/auth'
import * as own from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { FastifyRequest } from 'fastify'
import type { Social } from '../ground/social.ts'
import { accountOf } from '../proof/confirmations.ts'
import { secondFactorState } from '../proof/second-factor.ts'
import { publicUser } from '../users/user-store.ts'
import { isFirstAccountCode, isFromThisMachine } from './first-account.ts'
import {
  changeProfile,
  deleteAccount,
  endOtherSessions,
  endSession,
  exportAccount,
  forgotPassword,
  ownSessions,
  passwordChangedAt,
  resetPassword,
} from './own-account.ts'
import { changePassword, login, logout, register } from './sign-in.ts'

const originOf = (request: FastifyRequest) => ({ address: request.ip, userAgent: request.headers['user-agent'] })

/** Registering, signing in and out, the profile, the password. */
export function authRoutes(app: ServiceApp, social: Social): void {
  const { secretKey } = social
  registerEndpoint(app, auth.register, ({ body: { code = '', ...draft }, request }) => {
    const mayBeFirst = isFromThisMachine(request) || isFirstAccountCode(secretKey, code)
    return register(social, draft, originOf(request), mayBeFirst)
  })
  registerEndpoint(app, auth.login, ({ body, request }) => login(social, body, originOf(request)))
  registerEndpoint(app, auth.profile, async ({ caller }) => ({
    user: publicUser(await accountOf(social, caller.userId)),
  }))
  registerEndpoint(app, auth.logout, ({ caller }) => logout(social, caller))
}

/** A person's own account: profile, password, sessions, data, deletion, and the way back in. */
export function ownAccountRoutes(app: ServiceApp, social: Social): void {
  registerEndpoint(app, own.security, async ({ caller }) => ({
    passwordChangedAt: await passwordChangedAt(social, caller.userId),
    secondFactor: await secondFactorState(social, caller),
  }))
  registerEndpoint(app, own.changePassword, ({ caller, body, prove }) => changePassword(social, caller, body, prove))
  registerEndpoint(app, own.changeProfile, ({ body, caller, prove }) => changeProfile(social, caller, body, prove))
  registerEndpoint(app, own.ownSessions, ({ caller }) => ownSessions(social, caller))
  registerEndpoint(app, own.endSession, ({ params, caller }) => endSession(social, caller, params.id))
  registerEndpoint(app, own.endOtherSessions, ({ caller }) => endOtherSessions(social, caller))
  registerEndpoint(app, own.exportOwnData, ({ caller }) => exportAccount(social, caller))
  registerEndpoint(app, own.deleteAccount, ({ body, caller, prove }) =>
    deleteAccount(social, caller, body.password, prove),
  )
  registerEndpoint(app, own.forgotPassword, ({ body, request }) => forgotPassword(social, body.email, request.ip))
  registerEndpoint(app, own.resetPassword, ({ body, request }) => resetPassword(social, body, request.ip))
}
