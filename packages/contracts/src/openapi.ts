import { z } from 'zod'
import type { Access, AnyEndpoint, Service } from './endpoint.ts'
import { ERROR_STATUS, type ErrorCode, ErrorReply } from './errors.ts'
import { endpointsOf } from './table.ts'

export type JsonObject = { [key: string]: unknown }

const TITLES: Readonly<Record<Service, string>> = { trading: 'Shapecast trading', social: 'Shapecast social' }
const WHO: Readonly<Record<Access, string>> = {
  public: 'Needs no token.',
  user: 'Needs a signed-in user.',
  manager: 'Needs an admin or a bot manager.',
  admin: 'Needs an admin.',
}

const PROOF: Readonly<Record<NonNullable<AnyEndpoint['proof']>, string>> = {
  always: ' Takes fresh proof of who calls (POST /soc/api/auth/confirm).',
  sometimes: ' May take fresh proof of who calls (POST /soc/api/auth/confirm), as the summary says.',
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => writeTupleAsList(jsonSchema),
  })
  return json
}

/** A tuple becomes a list of so many items of its kinds: few tools read `prefixItems`. */
function writeTupleAsList(json: { prefixItems?: unknown[]; items?: unknown }): void {
  const { prefixItems } = json
  if (prefixItems === undefined) return
  const kinds = [...new Map(prefixItems.map((kind) => [JSON.stringify(kind), kind])).values()]
  delete json.prefixItems
  json.items = kinds.length === 1 ? kinds[0] : { anyOf: kinds }
}

/** The OpenAPI 3.1 description of one service, derived from the endpoint table. `version` is the product's. */
export function openApiOf(service: Service, version: string, serverUrl: string): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  const add = (path: string, method: string, operation: JsonObject) => {
    const name = path.replace(/:(\w+)/g, '{$1}')
    paths[name] = { ...paths[name], [method]: operation }
  }
  for (const [name, endpoint] of endpointsOf(service)) {
    const method = endpoint.method.toLowerCase()
    add(endpoint.path, method, operationOf(name, endpoint, endpoint.access))
    if (endpoint.publicPath !== undefined)
      add(endpoint.publicPath, method, operationOf(`${name}Public`, endpoint, 'public'))
  }
  return {
    openapi: '3.1.0',
    info: { title: TITLES[service], version },
    servers: [{ url: serverUrl }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: schemaOf(ErrorReply, 'output') },
    },
    paths,
  }
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same request again under the same key gets the first answer, and is not done again.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
}

function operationOf(operationId: string, endpoint: AnyEndpoint, access: Access): JsonObject {
  const operation: JsonObject = {
    operationId,
    tags: [endpoint.path.split('/').find((part, i) => i > 0 && part !== 'api') ?? endpoint.service],
    summary: endpoint.summary,
    description:
      access === 'public' ? WHO.public : `${WHO[endpoint.access]}${endpoint.proof ? PROOF[endpoint.proof] : ''}`,
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...(endpoint.takesKey ? [IDEMPOTENCY_KEY] : []),
    ],
    security: access === 'public' ? [] : [{ token: [] }],
    responses: { 200: replyOf(endpoint), ...errorsOf(endpoint, access) },
  }
  if (endpoint.bodyKind === 'multipart') {
    const parts = endpoint.fileParts ?? ['file']
    const properties = Object.fromEntries(parts.map((name) => [name, { type: 'string', format: 'binary' }]))
    const schema = { type: 'object', properties, required: [...parts] }
    operation.requestBody = { required: true, content: { 'multipart/form-data': { schema } } }
  } else if (endpoint.body !== undefined) {
    const schema = schemaOf(endpoint.body, 'input')
    operation.requestBody = { required: true, content: { 'application/json': { schema } } }
  }
  return operation
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): JsonObject[] {
  if (schema === undefined) return []
  const json = schemaOf(schema, 'input') as { properties?: Record<string, JsonObject>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (json.required ?? []).includes(name),
    schema: property,
  }))
}

function replyOf(endpoint: AnyEndpoint): JsonObject {
  if (endpoint.replyKind === 'file') {
    const type = endpoint.fileType ?? 'application/octet-stream'
    const schema = type === 'application/json' ? {} : { type: 'string', format: 'binary' }
    return { description: 'A file.', content: { [type]: { schema } } }
  }
  if (endpoint.replyKind === 'events')
    return { description: 'Server-sent events.', content: { 'text/event-stream': { schema: { type: 'string' } } } }
  const payload = schemaOf(endpoint.reply, 'output')
  const schema =
    endpoint.service === 'trading' ? { type: 'object', properties: { data: payload }, required: ['data'] } : payload
  return { description: 'Success.', content: { 'application/json': { schema } } }
}

function errorsOf(endpoint: AnyEndpoint, access: Access): JsonObject {
  // The database may be away, and a caller may ask too often, whatever is asked.
  const codes: ErrorCode[] = [...(endpoint.errors ?? []), 'internal', 'unavailable', 'too_many_requests']
  if (endpoint.body !== undefined || endpoint.bodyKind === 'multipart') codes.push('bad_input', 'payload_too_large')
  if (endpoint.params !== undefined || endpoint.query !== undefined) codes.push('bad_input')
  if (access !== 'public') codes.push('unauthorized')
  if (access !== 'public' && !endpoint.whileLimited) codes.push('second_factor_missing')
  if (access === 'manager' || access === 'admin') codes.push('forbidden')
  if (endpoint.proof !== undefined) codes.push('confirmation_required')
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      String(status),
      {
        description: [...new Set(same)].join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}
