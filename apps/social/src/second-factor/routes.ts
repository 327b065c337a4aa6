import {
  beginSecondFactor,
  confirmItIsMe,
  endSecondFactor,
  finishSecondFactor,
  renewRecoveryCodes,
} from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { SecondFactorService } from './second-factor-service.ts'

const memberOf = (caller: Caller, request: { ip: string }) => ({ ...caller, address: request.ip })

/** Setting up the second factor, and giving it once more. */
export function secondFactorRoutes(app: ServiceApp, service: SecondFactorService): void {
  registerEndpoint(app, beginSecondFactor, ({ body, caller, request }) =>
    service.begin(memberOf(caller, request), body.password, body.code),
  )
  registerEndpoint(app, finishSecondFactor, async ({ body, caller, request }) => ({
    recoveryCodes: await service.finish(memberOf(caller, request), body.code),
  }))
  registerEndpoint(app, renewRecoveryCodes, async ({ body, caller, request }) => ({
    recoveryCodes: await service.renewCodes(memberOf(caller, request), body.code),
  }))
  registerEndpoint(app, endSecondFactor, async ({ body, caller, request }) => {
    await service.end(memberOf(caller, request), body.password, body.code)
    return { ok: true } as const
  })
  registerEndpoint(app, confirmItIsMe, async ({ body, caller, request }) => ({
    until: await service.confirm(memberOf(caller, request), body),
  }))
}
