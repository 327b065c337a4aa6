import { isManager } from '@shapecast/contracts/auth'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { ErrorReply } from '@shapecast/contracts/errors'
import { endpointsOf } from '@shapecast/contracts/table'
import { createSessions, SESSION_MS } from '@shapecast/platform/sessions'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSocialBench, type Person, type SocialBench } from './testing/social-bench.ts'

/** Everybody who may come to a door, as the token that they bring. */
const CALLERS = [
  'nobody',
  'garbage',
  'expired',
  'ended session',
  'another installation',
  'no signature',
  'changed role',
  'disabled',
  'user',
  'manager',
  'admin',
] as const
type Caller = (typeof CALLERS)[number]

const ABSENT = '01890000-0000-7000-8000-000000000000'
let bench: SocialBench
const tokens = {} as Record<Caller, string | null>

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

beforeAll(async () => {
  bench = await createSocialBench()
  const { db } = bench
  const root = await bench.person('root', 'admin')
  const claims = { role: 'admin', sid: ABSENT, sub: root.userId, iss: 'shapecast', exp: 4_102_444_800 }
  const [, payload = '', signature = ''] = root.token.split('.')
  const own = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const old = createSessions({
    db,
    secretKey: 'a key that is long enough for a test',
    now: () => Date.now() - SESSION_MS,
  })
  const other = createSessions({ db, secretKey: 'the key of another installation, long' })
  Object.assign(tokens, {
    nobody: null,
    garbage: 'rubbish.rubbish.rubbish',
    expired: (await old.issue({ userId: root.userId, role: 'admin' })).accessToken,
    'another installation': (await other.issue({ userId: root.userId, role: 'admin' })).accessToken,
    'no signature': `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ ...own, exp: claims.exp })}.`,
    'changed role': `${root.token.split('.')[0]}.${base64({ ...own, role: 'bot_manager' })}.${signature}`,
    admin: root.token,
  })
})
afterAll(() => bench.close())

/** A call may end what it was made with: each has a fresh account. */
let accounts = 0
beforeEach(async () => {
  accounts++
  const person = (name: string, role: Person['role']) => bench.person(`${name} ${accounts}`, role)
  tokens.user = (await person('user', 'user')).token
  tokens.manager = (await person('manager', 'bot_manager')).token
  tokens.admin = (await person('admin', 'admin')).token
  const disabled = await person('disabled', 'admin')
  await bench.db.pool.query('update social.users set disabled_at = now() where id = $1', [disabled.userId])
  tokens.disabled = disabled.token
  const ended = await person('ended', 'admin')
  await bench.db.pool.query('update platform.sessions set ended_at = now() where user_id = $1', [ended.userId])
  tokens['ended session'] = ended.token
})

const ROLE_OF: Partial<Record<Caller, Person['role']>> = { user: 'user', manager: 'bot_manager', admin: 'admin' }

/** The refusal that a caller meets at the door; null where it is let in. */
function refusalOf({ access }: AnyEndpoint, caller: Caller): number | null {
  if (access === 'public') return null
  const role = ROLE_OF[caller]
  if (role === undefined) return 401
  if (access === 'admin') return role === 'admin' ? null : 403
  if (access === 'manager') return isManager(role) ? null : 403
  return null
}

describe.each(endpointsOf('social').map(([name, endpoint]) => ({ name, endpoint })))('$name', ({ endpoint }) => {
  const { method, path, access } = endpoint
  const ask = (caller: Caller, body?: unknown) =>
    bench.app.inject({
      method,
      url: `/soc${path.replace(/:\w+/g, ABSENT)}`,
      headers: tokens[caller] === null ? {} : { authorization: `Bearer ${tokens[caller]}` },
      ...(method === 'GET' || method === 'DELETE' ? {} : { payload: (body ?? {}) as object }),
    })

  it(`lets in whom the contract lets in (${access}), and nobody else by any token`, async () => {
    for (const caller of CALLERS) {
      const { statusCode, body } = await ask(caller)
      const refusal = refusalOf(endpoint, caller)
      if (refusal !== null) expect([caller, statusCode]).toEqual([caller, refusal])
      else if (access !== 'public') expect([caller, statusCode]).not.toEqual([caller, 401])
      if (statusCode >= 400) expect(ErrorReply.safeParse(JSON.parse(body)).success).toBe(true)
      expect(statusCode).toBeLessThan(500)
    }
  })

  it('answers 10 MB and deep JSON with 4xx', async () => {
    if (method === 'GET' || method === 'DELETE') return
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    for (const payload of [`"${'x'.repeat(10 * 1024 * 1024)}"`, deep]) {
      const reply = await bench.app.inject({
        method,
        url: `/soc${path.replace(/:\w+/g, ABSENT)}`,
        headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
        payload,
      })
      if (endpoint.body !== undefined) expect(reply.statusCode).toBeGreaterThanOrEqual(400)
      expect(reply.statusCode).toBeLessThan(500)
    }
  })
})

it('keeps SQL and HTML as the text that they are, in every field that takes some', async () => {
  const ann = await bench.person("Ann'); drop table social.tasks; --")
  const nasty = `'"; drop table social.users; -- <script>alert(1)</script>`
  const draft = { title: nasty, description: nasty, tags: [] }
  const { task } = (await bench.ask('POST', '/api/tasks', ann, draft)).body
  await bench.ask('POST', `/api/votes/${task._id}`, ann, { voteType: 'for', comment: nasty })
  const { votes } = (await bench.ask('GET', `/api/votes/${task._id}`, ann)).body
  expect([task.title, task.description, votes[0].comment]).toEqual([nasty, nasty, nasty])
  for (const path of [
    `/api/tasks?author=${encodeURIComponent(nasty)}`,
    `/api/activities?subject=${encodeURIComponent(nasty)}`,
  ])
    expect((await bench.ask('GET', path, ann)).status).toBeLessThan(500)
  expect((await bench.ask('GET', '/api/tasks', ann)).body.total).toBe(1)
})

it('takes no role, id or count out of a body', async () => {
  const draft = { username: 'Mallory', email: 'mallory@example.org', password: 'correct horse' }
  const { body } = await bench.ask('POST', '/api/auth/register', null, {
    ...draft,
    role: 'admin',
    id: ABSENT,
    disabledAt: null,
  })
  expect(body.user).toMatchObject({ role: 'user' })
  expect(body.user.id).not.toBe(ABSENT)
})

it('refuses a token that is signed with a key of the sender’s own', async () => {
  const key = new TextEncoder().encode('a key that is long enough for a test')
  const claims = { role: 'admin', sid: ABSENT }
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ABSENT)
    .setIssuer('shapecast')
    .setExpirationTime('1h')
    .sign(key)
  const reply = await bench.app.inject({ url: '/soc/api/tasks', headers: { authorization: `Bearer ${forged}` } })
  expect(reply.statusCode).toBe(401)
})
