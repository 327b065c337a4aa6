import {
  changeRule,
  createRule,
  deleteRule,
  saveRule,
  storedRule,
  storedRules,
} from '@shapecast/contracts/stored-rules'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { RuleService } from './rule-service.ts'

/** Stored rules. The public twins show public ones only to every caller. */
export function ruleRoutes(app: ServiceApp, service: RuleService): void {
  registerEndpoint(app, storedRules, ({ query, viewer }) => service.list(viewer, query))
  registerEndpoint(app, storedRule, ({ params, viewer }) => service.read(params.id, viewer))
  registerEndpoint(app, createRule, ({ body, caller }) => service.create(body, caller))
  registerEndpoint(app, saveRule, ({ params, body, caller }) => service.save(params.id, body, caller))
  registerEndpoint(app, changeRule, ({ params, body, caller }) => service.change(params.id, body, caller))
  registerEndpoint(app, deleteRule, ({ params, caller }) => service.delete(params.id, caller))
}
