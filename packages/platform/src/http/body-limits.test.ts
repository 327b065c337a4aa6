import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Role } from '@shapecast/contracts/auth'
import { tradingEndpoint } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { silentLogger } from '../logging.ts'
import { eventually } from '../testing/eventually.ts'
import { type BodyLimits, limitConnections } from './body-limits.ts'
import { createHttp } from './build-service.ts'
import { registerEndpoint, type ServiceApp } from './register-endpoint.ts'

const ID = '01890000-0000-7000-8000-00000000000a'
const unused = () => Promise.reject(new Error('not of this test'))
/** A token is the name of a role; an empty one is a stranger. */
const sessions = {
  verify: async (role: string) => {
    if (role === '') throw new AppError('unauthorized', 'Sign in.')
    return { userId: ID, role: role as Role, sid: ID }
  },
  issue: unused,
  end: unused,
  endOthers: unused,
  requireProof: unused,
  endAll: unused,
  whenEnded: () => () => {},
}
const TEXT = { touches: [], summary: '', body: z.object({ text: z.string() }), reply: z.number() } as const
const OPEN = tradingEndpoint('POST /api/open', { ...TEXT, access: 'public' })
const MINE = tradingEndpoint('POST /api/mine', { ...TEXT, access: 'user' })
const LARGE = tradingEndpoint('POST /api/large', { ...TEXT, access: 'manager', bodyLimit: 200_000 })
const FILE = tradingEndpoint('POST /api/file', {
  ...{ touches: [], summary: '', reply: z.number() },
  access: 'user',
  bodyKind: 'multipart',
})
const FEW: BodyLimits = { bodies: 4, bodiesOfCaller: 3, bytes: 1e6, bytesOfCaller: 1e6, withinMs: 600_000 }

describe('bodies over HTTP', () => {
  const open: { fastify: FastifyInstance; sockets: Socket[] }[] = []
  afterEach(async () => {
    vi.useRealTimers()
    for (const { fastify, sockets } of open.splice(0)) {
      for (const socket of sockets) socket.destroy()
      await fastify.close()
    }
  })

  async function serve(bodies?: BodyLimits) {
    const fastify = createHttp(silentLogger(), bodies === undefined ? {} : { bodies, proxies: 1 })
    const app: ServiceApp = { name: 'trading', fastify, sessions, registered: new Set() }
    for (const endpoint of [OPEN, MINE, LARGE]) registerEndpoint(app, endpoint, ({ body }) => body.text.length)
    registerEndpoint(app, FILE, async ({ request }) => {
      const file = await request.file({ limits: { fileSize: 1_000_000 } })
      return (await file!.toBuffer()).length
    })
    fastify.get('/health', () => 'ok')
    const connections: Socket[] = []
    fastify.server.on('connection', (socket: Socket) => void connections.push(socket))
    await fastify.listen({ host: '127.0.0.1', port: 0 })
    const { port } = fastify.server.address() as AddressInfo
    const sockets: Socket[] = []
    open.push({ fastify, sockets })
    /** Begins a request, says how long its body is, and sends what is given of it. */
    function begin(path: string, length: number, { as = '', from = '10.0.0.1', type = 'application/json' } = {}) {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      let said = ''
      socket.on('data', (data) => {
        said += data
      })
      socket.on('error', () => {})
      const closed = once(socket, 'close')
      const head = [`POST ${path} HTTP/1.1`, 'host: localhost', `x-forwarded-for: ${from}`, `content-type: ${type}`]
      head.push(`authorization: Bearer ${as}`, `content-length: ${length}`, 'expect: 100-continue')
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      /** The server has looked at it. */
      const begun = () => eventually(() => expect(said).toContain('100 Continue'))
      const status = () => eventually(() => Number(/^HTTP\/1\.1 ([2-5]\d+)/m.exec(said)![1]))
      return { socket, closed, begun, status, said: () => said }
    }
    const health = () => fetch(`http://127.0.0.1:${port}/health`).then((reply) => reply.status)
    /** Bytes of the connection that brought the most. */
    const received = () => Math.max(...connections.map(({ bytesRead }) => bytesRead))
    return { begin, health, received }
  }
  const json = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - 11) })

  it.each([
    ['a stranger', '', OPEN.path, 16_384, 200],
    ['a stranger', '', OPEN.path, 16_385, 413],
    ['a user', 'user', OPEN.path, 16_385, 413],
    ['a stranger', '', MINE.path, 65_536, 401],
    ['a user', 'user', MINE.path, 65_536, 200],
    ['a user', 'user', MINE.path, 65_537, 413],
    ['a manager', 'bot_manager', MINE.path, 65_537, 413],
    ['a user', 'user', LARGE.path, 200_000, 403],
    ['a manager', 'bot_manager', LARGE.path, 200_000, 200],
    ['a manager', 'bot_manager', LARGE.path, 200_001, 413],
    ['a stranger', '', '/nowhere', 16_385, 413],
  ])('%s (%s) may send to %s: %i bytes are answered with %i', async (_who, as, path, bytes, status) => {
    const { begin } = await serve()
    const request = begin(path, bytes, { as })
    request.socket.write(json(bytes))
    expect(await request.status()).toBe(status)
  })

  it.each([
    ['', MINE.path, 401],
    ['user', LARGE.path, 403],
    ['user', MINE.path, 413],
    ['', OPEN.path, 413],
  ])('refuses what is too large, or not for the caller, before a byte of it: %s %s %i', async (as, path, status) => {
    const { begin } = await serve()
    const request = begin(path, 4_000_000, { as })
    expect(await request.status()).toBe(status)
    await request.closed
  })

  it('reads so many of one address at a time, so many of all, and answers others meanwhile', async () => {
    const { begin, health } = await serve(FEW)
    const mine = Array.from({ length: 3 }, () => begin(OPEN.path, 1_000))
    await Promise.all(mine.map(({ begun }) => begun()))
    const refused = begin(OPEN.path, 1_000)
    expect([await refused.status(), refused.said()]).toEqual([429, expect.stringContaining('retry-after: 5')])
    await refused.closed
    await begin(OPEN.path, 1_000, { from: '10.0.0.2' }).begun()
    expect(await begin(OPEN.path, 1_000, { from: '10.0.0.3' }).status()).toBe(503)
    expect(await health()).toBe(200)
    mine[0]!.socket.write(json(1_000))
    expect(await mine[0]!.status()).toBe(200)
    const next = begin(OPEN.path, 1_000)
    next.socket.write(json(1_000))
    expect(await next.status()).toBe(200)
  })

  it('counts the bytes that they may come to as well', async () => {
    const { begin } = await serve({ ...FEW, bytesOfCaller: 210_000 })
    await begin(LARGE.path, 190_000, { as: 'bot_manager' }).begun()
    const over = begin(OPEN.path, 20_001)
    expect(await over.status()).toBe(413)
    await over.closed
    const fits = begin(OPEN.path, 10_000)
    await fits.begun()
    expect(await begin(LARGE.path, 150_000, { as: 'bot_manager' }).status()).toBe(429)
    fits.socket.write(json(10_000))
    expect(await fits.status()).toBe(200)
  })

  it('lets nobody wait for files of others who send theirs for hours', async () => {
    const { begin } = await serve({ ...FEW, bodies: 3, bytes: 300 })
    const file = { as: 'user', type: 'multipart/form-data; boundary=x' }
    for (const from of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) await begin(FILE.path, 100, { ...file, from }).begun()
    expect(await begin(FILE.path, 100, { ...file, from: '10.0.0.5' }).status()).toBe(503)
    const call = begin(MINE.path, 100, { as: 'user', from: '10.0.0.5' })
    call.socket.write(json(100))
    expect(await call.status()).toBe(200)
  })

  it('ends a body that does not come, also where it was answered before; a file goes on while it comes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { begin, received } = await serve()
    const file = { as: 'user', type: 'multipart/form-data; boundary=x' }
    const slow = begin(OPEN.path, 1_000)
    const refused = begin(MINE.path, 1_000)
    const idle = begin(FILE.path, 1_000, file)
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
    const form = `${head}${'x'.repeat(200_000)}\r\n--x--\r\n`
    const comes = begin(FILE.path, form.length, file)
    await Promise.all([slow, refused, idle, comes].map(({ begun }) => begun()))
    slow.socket.write('{')
    comes.socket.write(form.slice(0, 100_000))
    await eventually(() => expect(received()).toBeGreaterThan(100_000))
    vi.advanceTimersByTime(30_000)
    expect([await slow.status(), await refused.status(), await idle.status()]).toEqual([408, 401, 408])
    await Promise.all([slow.closed, refused.closed, idle.closed])
    comes.socket.write(form.slice(100_000))
    expect(await comes.status()).toBe(200)
  })
})

it('closes connections beyond so many of an address', async () => {
  const fastify = createHttp(silentLogger())
  limitConnections(fastify, { connections: 100, connectionsOfAddress: 2 })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  const [first, second] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all([once(first, 'connect'), once(second, 'connect')])
  const third = connect(port, '127.0.0.1')
  await once(third, 'close')
  first.destroy()
  await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404))
  second.destroy()
  await fastify.close()
})

it('lets no open endpoint take larger bodies', () => {
  const app: ServiceApp = { name: 'trading', fastify: createHttp(silentLogger()), sessions, registered: new Set() }
  expect(() => registerEndpoint(app, { ...OPEN, bodyLimit: 100_000 }, () => 0)).toThrow('open to anybody')
})
