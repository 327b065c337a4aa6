import { ErrorReply } from '@shapecast/contracts/errors'
import { endpointsOf } from '@shapecast/contracts/table'
import { badTokens, CALLERS, type Caller, refusalOf, type Tokens } from '@shapecast/platform/testing/callers'
import { SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createSocialBench, type Person, SECRET_KEY } from './social-bench.ts'

const ABSENT = '01890000-0000-7000-8000-000000000000'
const tokens = {} as Tokens

const bench = await createSocialBench()
const root = await bench.person('root', 'admin')
const disabled = await bench.person('disabled', 'admin')
await bench.db.pool.query('update social.users set disabled_at = now() where id = $1', [disabled.userId])
const bad = await badTokens({ db: bench.db, secretKey: SECRET_KEY }, root)
Object.assign(tokens, bad, { disabled: disabled.token })
afterAll(() => bench.close())

/** A call may end what it was made with: each has a fresh account. */
let accounts = 0
beforeEach(async () => {
  accounts++
  const signedIn = async (name: string, role: Person['role']) => (await bench.person(`${name} ${accounts}`, role)).token
  tokens.user = await signedIn('user', 'user')
  tokens['other user'] = await signedIn('other', 'user')
  tokens.manager = await signedIn('manager', 'bot_manager')
  tokens.admin = await signedIn('admin', 'admin')
})

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

it('SQL and HTML are kept as plain text in every field that takes text', async () => {
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

it('a role, id or count in a body is ignored', async () => {
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
  const key = new TextEncoder().encode(SECRET_KEY)
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

describe('what belongs to somebody', () => {
  /** How each call that names a thing answers its owner and another user; null where it is for everybody. */
  const ANSWERS: Record<string, [owner: number, other: number] | null> = {
    endSession: [200, 404],
    retryDelivery: [200, 404],
    changeTask: [200, 403],
    deleteTask: [200, 403],
    restoreTask: [200, 403],
    task: null,
    castVote: null,
    myVote: null,
    taskVotes: null,
    withdrawVote: null,
    userActivities: null,
    // Each caller has channels of their own.
    switchChannel: null,
    deleteChannel: null,
    testChannel: null,
  }
  const named = endpointsOf('social').filter(([, { access, params }]) => access === 'user' && params !== undefined)

  it('has an answer for every call that names a thing', () =>
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(ANSWERS).sort()))

  it.each(named.filter(([name]) => ANSWERS[name]))('is for its owner alone: %s', async (name, { method, path }) => {
    const owner = await bench.person(`owner of ${name}`)
    const other = await bench.person(`not the owner of ${name}`)
    const root = await bench.person(`root of ${name}`, 'admin')
    const { pool } = bench.db
    const idOf = async (sql: string) => (await pool.query<{ id: string }>(sql, [owner.userId])).rows[0]!.id
    let id: string
    if (name === 'endSession') {
      await bench.sessions.issue({ userId: owner.userId, role: 'user' })
      id = await idOf('select id from platform.sessions where user_id = $1 order by created_at desc limit 1')
    } else if (name === 'retryDelivery')
      id = await idOf(`insert into platform.webhook_deliveries (user_id, kind, title, text, state, created_at_ms)
        values ($1, 'test', 'A try', 'Of it.', 'failed', 0) returning id`)
    else {
      await bench.ask('PATCH', '/api/policy', root, { tasksRestricted: true })
      const draft = { title: 'A task of hers', description: 'And of nobody else.' }
      id = (await bench.ask('POST', '/api/tasks', owner, draft)).body.task._id
      if (name === 'restoreTask') await bench.ask('DELETE', `/api/tasks/${id}`, owner)
    }
    const url = path.replace(':id', id)
    const body = name === 'changeTask' ? { priority: 'high' } : method === 'POST' ? {} : undefined
    const answers = []
    for (const person of [other, owner]) answers.push((await bench.ask(method, url, person, body)).status)
    expect(answers).toEqual([...ANSWERS[name]!].reverse())
  })
})
