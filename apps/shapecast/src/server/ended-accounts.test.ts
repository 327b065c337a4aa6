import type { AddressInfo } from 'node:net'
import type { AuthReply, Role } from '@shapecast/contracts/auth'
import { tradingEndpoint } from '@shapecast/contracts/endpoint'
import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { silentLogger } from '@shapecast/platform/logging'
import { createSessions } from '@shapecast/platform/sessions'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { SOCIAL_MIGRATIONS, socialService } from '@shapecast/social/app'
import { setRole, userByEmail } from '@shapecast/social/users/user-service'
import { createEventHub } from '@shapecast/trading/market/feed/event-hub'
import { registerStream } from '@shapecast/trading/market/feed/routes'
import { exportUser } from '@shapecast/trading/user-data'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'

const SECRET_KEY = 'a key that is long enough for a test'

const mine = tradingEndpoint('GET /api/mine', { summary: '', access: 'user', reply: z.string() })
const PASSWORD = 'a long enough one'

let db: Database
let app: FastifyInstance
let address = ''
beforeAll(async () => {
  // Seconds pass where the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  db = await createTestDatabase([SOCIAL_MIGRATIONS])
  const sessions = createSessions({ db, secretKey: SECRET_KEY })
  app = createHttp(silentLogger())
  await app.register(
    socialService({
      db,
      sessions,
      secretKey: SECRET_KEY,
      log: silentLogger(),
      tradingData: { stopBots: async () => {}, pauseRealBots: async () => {}, export: exportUser },
    }),
    { prefix: '/soc' },
  )
  await app.register(
    async (fastify) => {
      const trading: ServiceApp = { name: 'trading', fastify, sessions, registered: new Set() }
      registerEndpoint(trading, mine, () => 'mine')
      const hub = createEventHub({ venue: 'simulated', now: Date.now })
      registerStream(trading, { hub, now: Date.now, requireSymbol: async () => {}, use: () => {} })
    },
    { prefix: '/bot' },
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  await account('admin')
  const ground = { db, sessions, tradingData: { pauseRealBots: async () => {} }, now: Date.now }
  for (const role of ['bot_manager', 'user'] as const) {
    await account(role)
    await setRole(ground, (await userByEmail(ground, emailOf(role))).id, role, { userId: null, address: null })
  }
})
afterAll(async () => {
  await app.close()
  await db.close()
  vi.useRealTimers()
})

const emailOf = (role: Role) => `${role}@example.org`
const post = (path: string, body: object) =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const account = (role: Role) =>
  post('/soc/api/auth/register', { username: role, email: emailOf(role), password: PASSWORD })
const signIn = (role: Role, password = PASSWORD) => post('/soc/api/auth/login', { email: emailOf(role), password })
const get = (path: string, token: string) =>
  fetch(`${address}${path}`, { headers: token === '' ? {} : { authorization: `Bearer ${token}` } })
const statuses = (token: string) =>
  Promise.all(['/soc/api/auth/profile', '/bot/api/mine'].map(async (path) => (await get(path, token)).status))

it.each([
  ['user', 'update social.users set disabled_at = now() where email = $1'],
  ['bot_manager', 'delete from social.users where email = $1'],
  ['admin', 'delete from social.users where email = $1'],
] as const)(
  'the end of an account ends what it has open on both services: %s, %s',
  async (role, end) => {
    const { accessToken } = (await (await signIn(role)).json()) as AuthReply
    const stream = await get('/bot/api/stream?topics=jobs', accessToken)
    expect([stream.status, await statuses(accessToken)]).toEqual([200, [200, 200]])
    await db.pool.query(end, [emailOf(role)])
    expect(await statuses(accessToken)).toEqual([401, 401])
    vi.advanceTimersByTime(1_000)
    expect(await stream.text()).toBe('retry: 2000\n\n')
    expect((await signIn(role)).status).toBe(end.startsWith('update') ? 403 : 401)
    expect((await signIn(role, 'a wrong one')).status).toBe(401)
  },
  60_000,
)

it('a stranger has nothing open', async () => expect(await statuses('')).toEqual([401, 401]))
