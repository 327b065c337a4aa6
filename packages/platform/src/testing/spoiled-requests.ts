import { SERVICE_BASE } from '@shapecast/contracts/client'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { ERROR_STATUS, ErrorReply } from '@shapecast/contracts/errors'
import fc from 'fast-check'
import { z } from 'zod'

/** A request that an endpoint understands, in parts that can be spoiled one by one. */
export interface Parts {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: string
}

interface Field {
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly unknown[]
}

function fieldsOf(schema: z.ZodType | undefined): Record<string, Field> {
  if (schema === undefined) return {}
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Field> }
  return json.properties ?? {}
}

/** Fills what a schema names with the values known by that name; `id` is a UUID or a version, as the schema has it. */
const fill = (fields: Record<string, Field>, known: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { format }]) => {
      const value = name === 'id' && format !== 'uuid' ? known.version : known[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

export const soundParts = (endpoint: AnyEndpoint, known: Readonly<Record<string, unknown>>): Parts => ({
  params: fill(fieldsOf(endpoint.params), known),
  query: fill(fieldsOf(endpoint.query), known),
  body: endpoint.body === undefined ? undefined : fill(fieldsOf(endpoint.body), known),
})

const text = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

export function sent(endpoint: AnyEndpoint, path: string, { params, query, body }: Parts): Sent {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(text(params[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name.toWellFormed(), text(one))
  const url = `${SERVICE_BASE[endpoint.service]}${filled}${search.size > 0 ? `?${search}` : ''}`
  if (body === undefined) return { method: endpoint.method, url }
  const headers = { 'content-type': 'application/json' }
  return { method: endpoint.method, url, headers, payload: JSON.stringify(body) }
}

/** Each has made some service fall over: of another kind, past what a Date or a bigint holds, or not to be stored. */
const NASTY: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '‮🚀',
  'x'.repeat(50_000),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "'; drop table users; --",
  '%00',
  '1e400',
  '0x10',
  -1,
  0,
  1.5,
  5e-324,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  8_640_000_000_000_001,
  2 ** 31,
  [],
  [[]],
  {},
  { $gt: 0 },
]

const RAW_BODIES: readonly (readonly [type: string, body: string])[] = [
  ['application/json', '{"symbol":'],
  ['application/json', '\u0000'],
  ['application/json', '{"limit":1e999,"symbol":"BTCUSDT"}'],
  ['application/json', '{"__proto__":{"role":"admin"}}'],
  ['application/json', '{"constructor":{"prototype":{"role":"admin"}}}'],
  ['application/json', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
  ['application/json; charset=utf-16', '{}'],
  ['application/x-www-form-urlencoded', 'symbol=BTCUSDT'],
  ['multipart/form-data', 'no boundary'],
  ['multipart/form-data; boundary=x', '--x\r\nrubbish'],
  ['text/plain', 'BTCUSDT'],
  ['image/png', '\u0089PNG'],
  ['no type', '{}'],
]

/** Made once: each such string first makes a table of all characters. */
const ANY_TEXT = fc.string({ unit: 'binary', maxLength: 40 })

const spoiledValue = ({ minimum, maximum, enum: values }: Field): fc.Arbitrary<unknown> => {
  const edges = [minimum, maximum].filter((edge) => edge !== undefined)
  const near = [...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), ...(values ?? [])]
  return fc.oneof(fc.constantFrom(...NASTY, ...near), fc.jsonValue({ maxDepth: 3 }), ANY_TEXT, fc.double())
}

/** Sound requests of which one part is spoiled: a field, an unknown one more, one too few, one twice, or the whole body. */
export function spoiledRequests(endpoint: AnyEndpoint, path: string, sound: Parts): fc.Arbitrary<Sent> {
  const spoilField = (part: 'params' | 'query' | 'body', fields: Record<string, Field>) =>
    Object.entries(fields).map(([name, field]) =>
      spoiledValue(field).map((value) => sent(endpoint, path, { ...sound, [part]: { ...sound[part], [name]: value } })),
    )
  const without = (part: 'query' | 'body') =>
    Object.keys(sound[part] ?? {}).map((name) => {
      const { [name]: _, ...rest } = sound[part]!
      return fc.constant(sent(endpoint, path, { ...sound, [part]: rest }))
    })
  const whole = sent(endpoint, path, sound)
  const raw = fc
    .constantFrom(...RAW_BODIES)
    .map(([type, payload]) => ({ ...whole, headers: { 'content-type': type }, payload }))
  const spoiled = [
    fc.constant(whole),
    ...spoilField('params', fieldsOf(endpoint.params)),
    ...spoilField('query', { ...fieldsOf(endpoint.query), unheard: {} }),
    ...without('query'),
    ...(endpoint.method === 'GET' ? [] : [raw]),
  ]
  if (endpoint.body !== undefined) {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(...NASTY))
    spoiled.push(
      ...spoilField('body', { ...fieldsOf(endpoint.body), unheard: {} }),
      ...without('body'),
      values.map((value) => ({ ...whole, payload: JSON.stringify(value) })),
    )
  }
  return fc.oneof(...spoiled)
}

/** What any endpoint may answer; the rest is in its contract. */
const ANYWHERE = new Set(['bad_input', 'forbidden', 'method_not_allowed', 'not_found', 'payload_too_large'])
/** Words of libraries, languages and databases: no answer for people. */
const INSIDES = /Invalid (input|option)|received|undefined|\[object|\bNaN\b|node_modules|\.ts:|select .* from|violates/

/** Null, or what is wrong with a refusal. */
export function refusalComplaint(endpoint: AnyEndpoint, statusCode: number, body: string): unknown {
  const parsed = ErrorReply.safeParse(JSON.parse(body))
  if (!parsed.success) return ['no error reply', body]
  const { error, code } = parsed.data
  if (statusCode !== ERROR_STATUS[code]) return ['another status than its code', statusCode, code]
  if (code === 'confirmation_required' && endpoint.proof !== undefined) return null
  if (!ANYWHERE.has(code) && !endpoint.errors?.includes(code)) return ['a code that its contract lacks', code, error]
  if (error.length < 10 || error.length > 1_000) return ['no sentence', error]
  return INSIDES.test(error) ? ['no sentence for people', error] : null
}
