import type { AnyEndpoint, Service } from './endpoint.ts'
import * as subjects from './subjects.ts'

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'service' in value && 'method' in value && 'path' in value

/** Every endpoint of both services by its name. The servers, the client and OpenAPI all derive from it. */
export const ENDPOINTS: ReadonlyMap<string, AnyEndpoint> = new Map(
  Object.values<object>(subjects).flatMap((subject) =>
    Object.entries(subject).filter((entry): entry is [string, AnyEndpoint] => isEndpoint(entry[1])),
  ),
)

/** The endpoints of a service with their names, in the order of the table. */
export const endpointsOf = (service: Service): [name: string, endpoint: AnyEndpoint][] =>
  [...ENDPOINTS].filter(([, endpoint]) => endpoint.service === service)
