import { login, logout, profile, register } from '@shapecast/contracts/auth'
import { changePassword } from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { FastifyRequest } from 'fastify'
import { isFirstAccountCode, isFromThisMachine } from './first-account.ts'
import type { SignIn } from './sign-in.ts'

const originOf = (request: FastifyRequest) => ({ address: request.ip, userAgent: request.headers['user-agent'] })

/** Registering, signing in and out, the profile, the password. */
export function authRoutes(app: ServiceApp, accounts: SignIn, secretKey: string): void {
  registerEndpoint(app, register, ({ body: { code = '', ...draft }, request }) =>
    accounts.register(draft, originOf(request), isFromThisMachine(request) || isFirstAccountCode(secretKey, code)),
  )
  registerEndpoint(app, login, ({ body, request }) => accounts.login(body, originOf(request)))
  registerEndpoint(app, profile, async ({ caller }) => ({ user: await accounts.profile(caller.userId) }))
  registerEndpoint(app, logout, ({ caller }) => accounts.logout(caller))
  registerEndpoint(app, changePassword, ({ caller, body, prove }) => accounts.changePassword(caller, body, prove))
}
