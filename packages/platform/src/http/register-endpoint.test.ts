import { gunzipSync } from 'node:zlib'
import { login, profile, ROLES, type Role, register, socialHealth } from '@shapecast/contracts/auth'
import { type AnyEndpoint, socialEndpoint, tradingEndpoint } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { silentLogger } from '../logging.ts'
import type { Caller, Sessions } from '../sessions.ts'
import { assertAllRegistered, createHttp } from './build-service.ts'
import { CheckedJson, registerEndpoint, type ServiceApp } from './register-endpoint.ts'
import { PreparedReply, SharedReply } from './shared-reply.ts'

const ID = '01890000-0000-7000-8000-00000000000a'
const unused = () => Promise.reject(new Error('not of this test'))
/** A token is the name of a role. */
const sessions: Sessions = {
  verify: async (token) => {
    if (token === 'broken-database') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    const role = ROLES.find((r) => r === token)
    if (role === undefined) throw new AppError('unauthorized', 'Your session has ended. Sign in again.')
    return { userId: ID, role, sid: ID }
  },
  issue: unused,
  end: unused,
  endOthers: unused,
  requireProof: unused,
  endAll: unused,
  whenEnded: () => () => {},
}

const access = (level: 'public' | 'user' | 'manager' | 'admin') =>
  tradingEndpoint(`GET /api/${level}`, { summary: '', access: level, reply: z.string() })
const echo = tradingEndpoint('POST /api/echo/:id', {
  touches: [],
  summary: '',
  access: 'public',
  params: z.object({ id: z.coerce.number().int() }),
  query: z.object({ limit: z.coerce.number().default(5) }),
  body: z.object({ deep: z.object({ name: z.string().min(2, 'Two letters at least') }) }),
  reply: z.object({ id: z.number(), limit: z.number(), name: z.string() }),
})
const twin = tradingEndpoint('GET /api/twin', {
  publicPath: '/public/twin',
  summary: '',
  access: 'user',
  reply: z.object({ role: z.string().nullable(), viaPublicPath: z.boolean() }),
})

describe('registered endpoints', () => {
  const open: ReturnType<typeof createHttp>[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((fastify) => fastify.close()))
  })
  const build = (name: 'trading' | 'social' = 'trading'): ServiceApp => {
    const fastify = createHttp(silentLogger())
    open.push(fastify)
    return { name, fastify, sessions, registered: new Set() }
  }
  const call = (app: ServiceApp, url: string, token?: string, payload?: object, method?: 'POST' | 'PUT') =>
    app.fastify.inject({
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      url,
      ...(payload === undefined ? {} : { payload }),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })

  describe('let in whom the contract lets in', () => {
    const allowed: Record<string, readonly (Role | 'nobody' | 'expired')[]> = {
      public: ['nobody', 'expired', 'user', 'bot_manager', 'admin'],
      user: ['user', 'bot_manager', 'admin'],
      manager: ['bot_manager', 'admin'],
      admin: ['admin'],
    }
    for (const level of ['public', 'user', 'manager', 'admin'] as const)
      for (const who of ['nobody', 'expired', 'user', 'bot_manager', 'admin'] as const)
        it(`${who} at ${level}`, async () => {
          const app = build()
          const handler = vi.fn(() => 'in')
          registerEndpoint(app, access(level), handler)
          const reply = await call(app, `/api/${level}`, who === 'nobody' ? undefined : who)
          const may = allowed[level]!.includes(who)
          const refusal = who === 'nobody' || who === 'expired' ? 401 : 403
          expect(reply.statusCode).toBe(may ? 200 : refusal)
          expect(handler).toHaveBeenCalledTimes(may ? 1 : 0)
          if (!may) expect(reply.json()).toMatchObject({ code: refusal === 401 ? 'unauthorized' : 'forbidden' })
        })
  })

  it('parse what comes in, strip what the contract does not name, and wrap trading replies', async () => {
    const app = build()
    registerEndpoint(app, echo, ({ params, query, body }) => ({
      id: params.id,
      limit: query.limit,
      name: body.deep.name,
      password: 'secret',
    }))
    const reply = await call(app, '/api/echo/7', undefined, { deep: { name: 'Ada' } })
    expect(reply.json()).toEqual({ data: { id: 7, limit: 5, name: 'Ada' } })
  })

  it('name the field of a bad request', async () => {
    const app = build()
    registerEndpoint(app, echo, () => ({ id: 1, limit: 1, name: '' }))
    const bad = await call(app, '/api/echo/7', undefined, { deep: { name: 'A' } })
    expect([bad.statusCode, bad.json()]).toEqual([
      400,
      { error: 'Two letters at least', code: 'bad_input', field: 'deep.name' },
    ])
    expect((await call(app, '/api/echo/seven', undefined, { deep: { name: 'Ada' } })).json()).toMatchObject({
      error: 'id must be a number',
      field: 'id',
    })
    expect((await call(app, '/api/echo/7', undefined, undefined, 'POST')).json()).toMatchObject({ field: 'deep' })
  })

  it('take an empty parameter of a query for one that was left out, and none that is given twice', async () => {
    const app = build()
    registerEndpoint(app, echo, ({ query }) => ({ id: 1, limit: query.limit, name: '' }))
    const limitOf = async (query: string) =>
      (await call(app, `/api/echo/7?${query}`, undefined, { deep: { name: 'Ada' } })).json().data?.limit
    expect([await limitOf('limit=3'), await limitOf('limit='), await limitOf('limit=%20')]).toEqual([3, 5, 5])
    expect(await limitOf('limit=3&limit=4')).toBeUndefined()
  })

  it('serve the public twin to anybody, with the caller where there is one', async () => {
    const app = build()
    registerEndpoint(app, twin, ({ caller, viaPublicPath }) => ({ role: caller?.role ?? null, viaPublicPath }))
    expect((await call(app, '/public/twin')).json()).toEqual({ data: { role: null, viaPublicPath: true } })
    expect((await call(app, '/public/twin', 'user')).json()).toEqual({ data: { role: 'user', viaPublicPath: true } })
    expect((await call(app, '/public/twin', 'expired')).json()).toMatchObject({ data: { role: null } })
    expect((await call(app, '/api/twin', 'user')).json()).toEqual({ data: { role: 'user', viaPublicPath: false } })
    expect((await call(app, '/api/twin')).statusCode).toBe(401)
  })

  it('keep an input from being changed by a handler: the next request with the same address shares it', async () => {
    const app = build()
    const list = { ...access('public'), query: z.object({ topics: z.string().transform((text) => text.split(',')) }) }
    registerEndpoint(app, list, ({ query }) => {
      expect(() => query.topics.push('c')).toThrow(TypeError)
      return query.topics.join()
    })
    for (const _again of [1, 2]) expect((await call(app, '/api/public?topics=a,b')).json()).toEqual({ data: 'a,b' })
  })

  it('send a file under its name with the type that the contract says, kept by no cache', async () => {
    const app = build()
    const card = { ...access('public'), replyKind: 'file', fileType: 'application/json' } as const
    registerEndpoint(app, card, () => ({ name: 'card-v3.json', content: '{}' }))
    const { body, headers } = await call(app, '/api/public')
    expect([body, headers['content-type'], headers['content-disposition'], headers['cache-control']]).toEqual([
      '{}',
      'application/json; charset=utf-8',
      'attachment; filename="card-v3.json"',
      'no-store',
    ])
  })

  it('send text that a handler vouches for as it is', async () => {
    const app = build()
    registerEndpoint(app, access('public'), () => new CheckedJson('"raw"'))
    expect((await call(app, '/api/public')).body).toBe('{"data":"raw"}')
  })

  it('send what is shared by many once made: as it is, compressed, or 304 to anyone who has it', async () => {
    const app = build()
    const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(5_000) }))
    const prepared = new PreparedReply(body)
    const { etag } = prepared
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    registerEndpoint(app, access('public'), () => new SharedReply(prepared, 'public, max-age=2'))
    const get = (headers: Record<string, string> = {}) => app.fastify.inject({ url: '/api/public', headers })
    const plain = await get()
    expect([plain.body, plain.headers.etag, plain.headers['content-length']]).toEqual([`${body}`, etag, '5011'])
    expect(plain.headers['cache-control']).toBe('public, max-age=2')
    const zipped = await get({ 'accept-encoding': 'br, gzip' })
    expect([zipped.headers['content-encoding'], zipped.headers.etag]).toEqual(['gzip', etag.replace(/"$/, '-gzip"')])
    expect(gunzipSync(zipped.rawPayload)).toEqual(body)
    const encoding = async (accepted: string) =>
      (await get({ 'accept-encoding': accepted })).headers['content-encoding']
    for (const refuses of ['gzip;q=0', 'gzip; q=0.0, br', 'br']) expect(await encoding(refuses)).toBeUndefined()
    for (const takes of ['gzip;q=0.5', 'br;q=0, gzip', 'GZIP ; Q=0.001']) expect(await encoding(takes)).toBe('gzip')
    for (const tag of [etag, `W/${etag}`, etag.replace(/"$/, '-gzip"'), `"other", ${etag}`]) {
      const known = await get({ 'if-none-match': tag })
      expect([known.statusCode, known.body]).toEqual([304, ''])
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('send with what is shared the headers that a hook has set: words, numbers and several of a name', async () => {
    const app = build()
    app.fastify.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'x-word': 'four', 'x-number': 4 }).header('set-cookie', 'a=1').header('set-cookie', 'b=2')
      done()
    })
    registerEndpoint(app, access('public'), () => new SharedReply(new PreparedReply(Buffer.from('1')), 'no-cache'))
    const { statusCode, headers } = await app.fastify.inject('/api/public')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({ 'x-word': 'four', 'x-number': '4', 'set-cookie': ['a=1', 'b=2'] })
  })

  it('compress what has 1024 bytes, and nothing smaller', async () => {
    const encoding = async (bytes: number) => {
      const app = build()
      registerEndpoint(app, access('public'), () => new SharedReply(new PreparedReply(Buffer.alloc(bytes, '1')), ''))
      const { headers } = await app.fastify.inject({ url: '/api/public', headers: { 'accept-encoding': 'gzip' } })
      return headers['content-encoding']
    }
    expect([await encoding(1023), await encoding(1024)]).toEqual([undefined, 'gzip'])
  })

  it.each<[string, unknown, number, string]>([
    ['an expected failure', new AppError('too_few_candles', 'There are 12; 500 are needed.'), 422, 'too_few_candles'],
    ['a reply that breaks its contract', 42, 500, 'internal'],
    ['a bug', new TypeError('password of bob is hunter2'), 500, 'internal'],
    ['a lost database', Object.assign(new Error('hunter2'), { code: 'ECONNREFUSED' }), 503, 'unavailable'],
    ['a database on its way down', Object.assign(new Error('hunter2'), { code: '57P01' }), 503, 'unavailable'],
    ['an internal AppError', new AppError('internal', 'hunter2'), 500, 'internal'],
  ])('answer %s by its code, without insides', async (_name, outcome, status, code) => {
    const app = build()
    registerEndpoint(app, access('public'), () => {
      if (outcome instanceof Error) throw outcome
      return outcome as string
    })
    const reply = await call(app, '/api/public')
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    if (status >= 500) expect(reply.body).not.toMatch(/hunter2|contract|42/)
  })

  it('say how long to wait', async () => {
    const app = build()
    registerEndpoint(app, access('public'), () => {
      throw new AppError('too_many_requests', 'Slow down.', { retryAfterS: 89.2 })
    })
    const reply = await call(app, '/api/public')
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '90'])
  })

  it('answer what Fastify itself refuses in the same form', async () => {
    const app = build()
    registerEndpoint(app, echo, () => ({ id: 1, limit: 1, name: '' }))
    const send = (payload: string, type = 'application/json') =>
      app.fastify.inject({ method: 'POST', url: '/api/echo/1', payload, headers: { 'content-type': type } })
    const codeOf = async (reply: ReturnType<typeof send>) => [(await reply).statusCode, (await reply).json().code]
    expect(await codeOf(send('{"deep":'))).toEqual([400, 'bad_input'])
    expect((await send('{"deep":')).json().error).toContain('is not valid JSON')
    expect(await codeOf(send('{"__proto__":{"x":1}}'))).toEqual([400, 'bad_input'])
    expect(await codeOf(send('a', 'text/weird'))).toEqual([400, 'bad_input'])
    expect(await codeOf(send(`"${'x'.repeat(5_000_000)}"`))).toEqual([413, 'payload_too_large'])
    expect(await codeOf(call(app, '/api/%E0%A4%A'))).toEqual([400, 'bad_input'])
  })

  it('belong to their service, and a missing one is named', () => {
    const app = build('social')
    expect(() => registerEndpoint(app, access('user'), () => '')).toThrow('belongs to the trading service')
    registerEndpoint(app, socialHealth, () => ({ status: 'ok' as const }))
    expect(() => assertAllRegistered(app)).toThrow(/lacks .*register.*login.*profile/)
    for (const endpoint of [register, login, profile] as AnyEndpoint[])
      registerEndpoint(app, endpoint, () => undefined as never)
    expect(() => assertAllRegistered(app)).toThrow(/lacks (?!.*\b(register|login|profile)\b).*\blogout\b/)
  })

  it('know the caller in the types: nobody only where the contract lets nobody in', () => {
    const app = build('social')
    registerEndpoint(
      app,
      socialEndpoint('GET /a', { summary: '', access: 'user', reply: z.string() }),
      ({ caller }) => (caller satisfies Caller).userId,
    )
    registerEndpoint(
      app,
      socialEndpoint('GET /b', { summary: '', access: 'public', reply: z.string() }),
      // @ts-expect-error the caller may be null
      ({ caller }) => caller.userId,
    )
  })
})
