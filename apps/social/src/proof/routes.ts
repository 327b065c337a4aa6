import * as calls from '@shapecast/contracts/own-account'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Social } from '../ground/social.ts'
import {
  beginSecondFactor,
  confirmCaller,
  endSecondFactor,
  finishSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts'

/** Setting up the second factor, and giving it once more. */
export function secondFactorRoutes(app: ServiceApp, social: Social): void {
  registerEndpoint(app, calls.beginSecondFactor, ({ body, caller }) =>
    beginSecondFactor(social, caller, body.password, body.code),
  )
  registerEndpoint(app, calls.finishSecondFactor, ({ body, caller }) => finishSecondFactor(social, caller, body.code))
  registerEndpoint(app, calls.renewRecoveryCodes, ({ body, caller }) => renewRecoveryCodes(social, caller, body.code))
  registerEndpoint(app, calls.endSecondFactor, ({ body, caller }) =>
    endSecondFactor(social, caller, body.password, body.code),
  )
  registerEndpoint(app, calls.confirmItIsMe, ({ body, caller }) => confirmCaller(social, caller, body))
}
