import {
  createSearch,
  deleteSearch,
  exportSearch,
  search,
  searches,
  searchGround,
  takeSearch,
} from '@shapecast/contracts/search'
import { CheckedJson, registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { SearchService } from './search-service.ts'

/** Searches: asking for them, reading them and taking what they found. */
export function searchRoutes(app: ServiceApp, service: SearchService): void {
  registerEndpoint(app, createSearch, async ({ body, caller }) => ({ id: await service.request(body, caller) }))
  registerEndpoint(app, searches, ({ query, caller }) => service.list(caller, query.limit))
  registerEndpoint(app, searchGround, ({ query, caller }) => service.ground(query, caller))
  registerEndpoint(app, search, async ({ params, caller }) => new CheckedJson(await service.show(params.id, caller)))
  registerEndpoint(app, exportSearch, ({ params, query, caller }) => service.export(params.id, query.format, caller))
  registerEndpoint(app, deleteSearch, ({ params, caller }) => service.remove(params.id, caller))
  registerEndpoint(app, takeSearch, async ({ params, body, caller }) => ({
    botId: await service.take(params.id, body, caller),
  }))
}
