import {
  beginSecondFactor,
  confirmItIsMe,
  endSecondFactor,
  finishSecondFactor,
  renewRecoveryCodes,
} from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { SecondFactorService } from './second-factor-service.ts'

/** Setting up the second factor, and giving it once more. */
export function secondFactorRoutes(app: ServiceApp, service: SecondFactorService): void {
  registerEndpoint(app, beginSecondFactor, ({ body, caller }) => service.begin(caller, body.password, body.code))
  registerEndpoint(app, finishSecondFactor, async ({ body, caller }) => ({
    recoveryCodes: await service.finish(caller, body.code),
  }))
  registerEndpoint(app, renewRecoveryCodes, async ({ body, caller }) => ({
    recoveryCodes: await service.renewCodes(caller, body.code),
  }))
  registerEndpoint(app, endSecondFactor, ({ body, caller }) => service.end(caller, body.password, body.code))
  registerEndpoint(app, confirmItIsMe, async ({ body, caller }) => ({
    until: await service.confirm(caller, body),
  }))
}
