import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuthReply } from '@shapecast/contracts/auth'
import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { createLogger, silentLogger } from '@shapecast/platform/logging'
import { createSessions, type Sessions } from '@shapecast/platform/sessions'
import { audit } from '@shapecast/platform/tables'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SOCIAL_MIGRATIONS, socialService } from '../src/app.ts'
import { firstAccountCode } from '../src/auth/first-account.ts'
import { takeGuess, takeRegistration } from '../src/proof/guesses.ts'
import { insertUser } from '../src/users/user-store.ts'
import { NO_TRADING, SECRET_KEY } from './social-bench.ts'

let db: Database
let sessions: Sessions
let app: FastifyInstance
let clockMs: number
let logged: string[]

beforeAll(async () => {
  const log = createLogger('warn', 'shapecast', { write: (line: string) => void logged.push(line) })
  db = await createTestDatabase([SOCIAL_MIGRATIONS])
  sessions = createSessions({ db, secretKey: SECRET_KEY, now: () => clockMs })
  app = createHttp(silentLogger())
  await app.register(
    socialService({ db, sessions, secretKey: SECRET_KEY, log, tradingData: NO_TRADING, now: () => clockMs }),
    { prefix: '/soc' },
  )
})
beforeEach(() => {
  clockMs = Date.now()
  logged = []
})
afterEach(() =>
  db.pool.query(
    'delete from social.users; delete from social.password_attempts; delete from social.invitations; delete from platform.sessions',
  ),
)
afterAll(async () => {
  await app.close()
  await db.close()
})

const post = (path: string, body?: object, token?: string, address = '127.0.0.1') =>
  app.inject({
    method: 'POST',
    url: `/soc${path}`,
    remoteAddress: address,
    ...(body === undefined ? {} : { payload: body }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const profileOf = (token: string) =>
  app.inject({ url: '/soc/api/auth/profile', headers: { authorization: `Bearer ${token}` } })

/** So that what is asked for at once is also done at once. */
const connectionsOpen = async (connections: number) => {
  const clients = await Promise.all(Array.from({ length: connections }, () => db.pool.connect()))
  for (const client of clients) client.release()
}

const ANN = { username: 'Ann', email: 'ann@example.org', password: 'secret-1' }
const BOB = { username: 'Bob', email: 'bob@example.org', password: 'secret-2' }
const registered = async (person: typeof ANN) => (await post('/api/auth/register', person)).json<AuthReply>()

describe('registering', () => {
  it('makes the first account admin, the second user, and signs both in', async () => {
    const ann = await registered(ANN)
    const bob = await registered(BOB)
    expect(ann.user).toMatchObject({ username: 'Ann', email: 'ann@example.org', role: 'admin' })
    expect(bob.user.role).toBe('user')
    expect((await profileOf(bob.accessToken)).json()).toEqual({ user: bob.user })
  })

  it('makes exactly one admin when six register at once', async () => {
    await connectionsOpen(5)
    const rows = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        db.orm.transaction((tx) =>
          insertUser(tx, { username: `Ann${i}`, email: `ann${i}@example.org`, passwordHash: 'x' }, clockMs),
        ),
      ),
    )
    expect(rows.filter((row) => row.role === 'admin')).toHaveLength(1)
  })

  it('refuses an email and a username that are taken, whatever their case', async () => {
    await registered(ANN)
    const email = await post('/api/auth/register', { ...BOB, email: ' ANN@example.org ' })
    expect([email.statusCode, email.json()]).toEqual([409, expect.objectContaining({ code: 'email_taken' })])
    const name = await post('/api/auth/register', { ...BOB, username: 'aNN' })
    expect([name.statusCode, name.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'username_taken', field: 'username' }),
    ])
  })

  it('gives one of two that register the same address at once the account, and tells the other', async () => {
    const replies = await Promise.all([
      post('/api/auth/register', ANN),
      post('/api/auth/register', { ...ANN, username: 'Anna' }),
    ])
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409])
  })

  it.each([
    [{ ...ANN, username: 'An' }, 'username', 'Username must be at least 3 characters long'],
    [{ ...ANN, username: 'An\u0000n' }, 'username', 'invisible'],
    [{ ...ANN, password: '12345' }, 'password', 'Password must be at least 6 characters long'],
    [{ ...ANN, password: '        ' }, 'password', 'Password must not be blank'],
    [{ ...ANN, password: '123456' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'LetMeIn' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'aaaaaa' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'trading' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'Shapecast1' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'hgfedcb' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'Crypto-Bot-2024!' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, password: 'Ann@Example.org' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, username: 'Ann Miller', password: 'annmiller1' }, 'password', 'one of the first that are guessed'],
    [{ ...ANN, email: 'ann' }, 'email', 'email'],
    [{ username: 'Ann' }, 'email', ''],
    [{ ...ANN, email: { $ne: 1 } }, 'email', ''],
    ['no object', undefined, ''],
  ])('answers 400 and names the field for %j', async (body, field, text) => {
    const reply = await app.inject({ method: 'POST', url: '/soc/api/auth/register', payload: body as object })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().field).toBe(field)
    expect(reply.json().error).toContain(text)
  })

  it('never shows or keeps the password', async () => {
    const reply = await post('/api/auth/register', ANN)
    expect(reply.body).not.toMatch(/secret-1|argon2/)
    const { rows } = await db.pool.query('select password_hash from social.users')
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$/)
  })
})

describe('the first account', () => {
  const from = (remoteAddress: string, code?: string, headers: Record<string, string> = {}, person = ANN) =>
    app.inject({
      method: 'POST',
      url: '/soc/api/auth/register',
      payload: { ...person, ...(code === undefined ? {} : { code }) },
      remoteAddress,
      headers,
    })

  it('takes the code of the start from another machine, and none from this one', async () => {
    for (const code of [undefined, '', 'aaaaa-aaaaa']) {
      const refused = await from('192.0.2.7', code)
      expect([refused.statusCode, refused.json().code, refused.json().field]).toEqual([
        403,
        'registration_code',
        'code',
      ])
    }
    expect((await from('127.0.0.1', undefined, { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(403)
    const taken = await from('192.0.2.7', ` ${firstAccountCode(SECRET_KEY).toUpperCase()} `)
    expect([taken.statusCode, taken.json().user.role]).toEqual([200, 'admin'])
    const next = await from('192.0.2.8', undefined, {}, BOB)
    expect([next.statusCode, next.json().user.role]).toEqual([200, 'user'])
  })

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('takes no code from %s', async (address) => {
    expect((await from(address)).json().user.role).toBe('admin')
  })
})

describe('signing in', () => {
  it('takes the right password, with the address in any case, and refuses a wrong one and an unknown address alike', async () => {
    await registered(ANN)
    expect((await post('/api/auth/login', { email: 'ANN@example.org', password: ANN.password })).statusCode).toBe(200)
    const wrong = await post('/api/auth/login', { email: ANN.email, password: 'wrong!' })
    const unknown = await post('/api/auth/login', { email: 'nobody@example.org', password: 'wrong!' })
    expect(wrong.statusCode).toBe(401)
    expect(wrong.json().code).toBe('invalid_credentials')
    expect(unknown.json()).toEqual(wrong.json())
  })

  it('answers 429 with Retry-After from the 11th failure in 15 minutes, for that address alone, and then lets in again', async () => {
    await registered(ANN)
    for (let i = 0; i < 10; i++) {
      expect((await post('/api/auth/login', { email: ANN.email, password: 'wrong!' })).statusCode).toBe(401)
      clockMs += 1000
    }
    const locked = await post('/api/auth/login', { email: ANN.email, password: ANN.password })
    expect(locked.statusCode).toBe(429)
    expect(locked.json().code).toBe('too_many_requests')
    expect(Number(locked.headers['retry-after'])).toBe(15 * 60 - 10)
    const elsewhere = await post('/api/auth/login', { email: ANN.email, password: ANN.password }, undefined, '10.0.0.2')
    expect(elsewhere.statusCode).toBe(200)
    clockMs += 15 * 60_000
    expect((await post('/api/auth/login', { email: ANN.email, password: ANN.password })).statusCode).toBe(200)
  })

  it('takes the addresses of one IPv6 subnet for one guesser, who then guesses on from nowhere in it', async () => {
    await registered(ANN)
    const guess = (end: number) =>
      post('/api/auth/login', { email: ANN.email, password: 'wrong!' }, undefined, `2001:db8:1:2::${end}`)
    const guesses = []
    for (let i = 1; i <= 11; i++) guesses.push((await guess(i)).statusCode)
    expect(guesses).toEqual([...Array<number>(10).fill(401), 429])
    const own = (address: string) => post('/api/auth/login', ANN, undefined, address)
    expect((await own('2001:db8:1:2:ffff::1')).statusCode).toBe(429)
    expect((await own('2001:db8:1:3::1')).statusCode).toBe(200)
  })

  it('counts guesses at each account by themselves, and clears those of the right one alone', async () => {
    await registered(ANN)
    await registered(BOB)
    for (let i = 0; i < 10; i++) await post('/api/auth/login', { email: ANN.email, password: 'wrong!' })
    expect((await post('/api/auth/login', BOB)).statusCode).toBe(200)
    expect((await post('/api/auth/login', ANN)).statusCode).toBe(429)
    expect((await post('/api/auth/login', ANN, undefined, '10.0.0.2')).statusCode).toBe(200)
    expect((await post('/api/auth/login', ANN)).statusCode).toBe(429)
  })

  it('lets an address guess at 30 accounts and no more, known or not, and at its own account neither', async () => {
    await registered(ANN)
    const guess = (i: number, from: string) =>
      post('/api/auth/login', { email: i === 0 ? ANN.email : `p${i}@example.org`, password: 'wrong!' }, undefined, from)
    const sprayed = []
    for (let i = 0; i < 60; i++) sprayed.push((await guess(i, '10.0.0.5')).statusCode)
    expect(sprayed).toEqual([...Array<number>(30).fill(401), ...Array<number>(30).fill(429)])
    const own = await post('/api/auth/login', ANN, undefined, '10.0.0.5')
    expect([own.statusCode, Number(own.headers['retry-after'])]).toEqual([429, 15 * 60])
    expect((await post('/api/auth/login', ANN, undefined, '10.0.0.6')).statusCode).toBe(200)
  })

  it('leaves a line in the log that fail2ban finds, and a row in the audit, of every failure', async () => {
    const { user, accessToken } = await registered(ANN)
    const forged = '"address":"10.9.9.9"@example.org'
    await post('/api/auth/login', { email: ANN.email, password: 'wrong!' }, undefined, '198.51.100.5')
    await post('/api/auth/login', { email: 'nobody@example.org', password: 'wrong!' }, undefined, '198.51.100.6')
    await post('/api/auth/login', { email: forged, password: 'wrong!' }, undefined, '198.51.100.8')
    const wrong = { currentPassword: 'wrong!', newPassword: 'another-1' }
    await post('/api/auth/password', wrong, accessToken, '198.51.100.7')
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
    const [, told] = /^ *failregex = (.*)$/m.exec(guide)!
    const rule = new RegExp(told!.replace('<HOST>', '([0-9.]+)'))
    expect(logged.map((line) => rule.exec(line)?.[1])).toEqual(['198.51.100.5', '198.51.100.6', '198.51.100.7'])
    expect(logged.join('')).not.toContain('wrong!')
    const { rows } = await db.pool.query(
      "select action, actor_id, address, subject_type || ' ' || subject_id as subject from platform.audit where address like '198.51.100.%' order by id",
    )
    expect(rows).toEqual([
      { action: 'user.sign_in_failed', actor_id: null, address: '198.51.100.5', subject: `user ${user.id}` },
      { action: 'user.sign_in_failed', actor_id: null, address: '198.51.100.6', subject: 'email nobody@example.org' },
      { action: 'user.password_change_failed', actor_id: null, address: '198.51.100.7', subject: `user ${user.id}` },
    ])
  })

  it('counts guesses that are sent all at once', async () => {
    await connectionsOpen(5)
    const ground = { db, log: silentLogger(), now: () => clockMs }
    const one = () => takeGuess(ground, 'sign_in', ANN.email, '10.0.0.1')
    const taken = await Promise.allSettled(Array.from({ length: 40 }, one))
    expect(taken.filter((one) => one.status === 'fulfilled')).toHaveLength(10)
  })

  it('forgets attempts that are past their 15 minutes, whosever they were', async () => {
    const ground = { db, log: silentLogger(), now: () => clockMs }
    await takeGuess(ground, 'sign_in', 'a@example.org', '10.0.0.1')
    clockMs += 15 * 60_000
    await takeGuess(ground, 'sign_in', 'b@example.org', '10.0.0.2')
    const { rows } = await db.pool.query('select email from social.password_attempts')
    expect(rows).toEqual([{ email: 'b@example.org' }])
  })

  it('keeps registrations of one address to 30 in 15 minutes, and its guesses at passwords apart', async () => {
    await registered(ANN)
    for (let i = 0; i < 30; i++) await takeRegistration({ db, now: () => clockMs }, '10.0.0.5')
    const reply = await post('/api/auth/register', BOB, undefined, '10.0.0.5')
    expect([reply.statusCode, reply.json().error]).toEqual([
      429,
      'Too many accounts were made from your address. Try again in 15 minutes.',
    ])
    expect((await post('/api/auth/login', { ...ANN, password: 'wrong!' }, undefined, '10.0.0.5')).statusCode).toBe(401)
    clockMs += 15 * 60_000
    expect((await post('/api/auth/register', BOB, undefined, '10.0.0.5')).statusCode).toBe(200)
  })

  it('forgets the failures after the right password', async () => {
    await registered(ANN)
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) await post('/api/auth/login', { email: ANN.email, password: 'wrong!' })
      expect((await post('/api/auth/login', ANN)).statusCode).toBe(200)
    }
  })
})

describe('a session', () => {
  it.each(['/api/auth/profile', '/api/auth/logout', '/api/auth/password'])('is needed for %s', async (url) => {
    const method = url.endsWith('profile') ? 'GET' : 'POST'
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const reply = await app.inject({ method, url: `/soc${url}`, headers })
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
    }
  })

  it('ends at once with logout, and no other ends with it', async () => {
    const first = await registered(ANN)
    const second = (await post('/api/auth/login', ANN)).json<AuthReply>()
    expect((await post('/api/auth/logout', undefined, first.accessToken)).json()).toEqual({ ok: true })
    expect((await profileOf(first.accessToken)).statusCode).toBe(401)
    expect((await profileOf(second.accessToken)).statusCode).toBe(200)
  })

  it('stays with a password change, which ends all others and makes the new password the only one', async () => {
    const first = await registered(ANN)
    const second = (await post('/api/auth/login', ANN)).json<AuthReply>()
    const body = { currentPassword: ANN.password, newPassword: 'another-1' }
    expect((await post('/api/auth/password', body, first.accessToken)).statusCode).toBe(200)
    expect((await profileOf(first.accessToken)).statusCode).toBe(200)
    expect((await profileOf(second.accessToken)).statusCode).toBe(401)
    expect((await post('/api/auth/login', ANN)).statusCode).toBe(401)
    expect((await post('/api/auth/login', { ...ANN, password: 'another-1' })).statusCode).toBe(200)
  })

  it('takes ten guesses at the current one, from wherever they come, and none after that', async () => {
    const { accessToken } = await registered(ANN)
    let from = 0
    const change = async (currentPassword: string) => {
      const body = { currentPassword, newPassword: 'another-1' }
      return (await post('/api/auth/password', body, accessToken, `10.0.1.${++from}`)).statusCode
    }
    for (let i = 0; i < 9; i++) expect(await change('wrong!')).toBe(400)
    expect(await change(ANN.password)).toBe(200)
    for (let i = 0; i < 10; i++) expect(await change('wrong!')).toBe(400)
    expect(await change('another-1')).toBe(429)
  })

  it('takes no new password that is blank or guessed first', async () => {
    const { accessToken } = await registered(ANN)
    for (const newPassword of ['        ', 'qwerty', 'trading1', 'ann-123']) {
      const reply = await post('/api/auth/password', { currentPassword: ANN.password, newPassword }, accessToken)
      expect([reply.statusCode, reply.json().field]).toEqual([400, 'newPassword'])
    }
  })

  it('survives a wrong current password, which is the error of its field', async () => {
    const { accessToken } = await registered(ANN)
    const reply = await post('/api/auth/password', { currentPassword: 'wrong!', newPassword: 'another-1' }, accessToken)
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'currentPassword'])
    expect((await profileOf(accessToken)).statusCode).toBe(200)
  })
})

/** Signs Ann in while `change` is made to her account and not yet committed: asked for before it, answered after. */
async function signsInBeside(change: string, values: unknown[]) {
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    await client.query(change, values)
    await client.query('update platform.sessions set ended_at = now()')
    let answered = false
    const reply = post('/api/auth/login', ANN).finally(() => {
      answered = true
    })
    await expect.poll(async () => answered || (await waitingForLocks(db.pool)).length === 1).toBe(true)
    await client.query('commit')
    return await reply
  } finally {
    client.release()
  }
}

describe('a session that begins while its account is changed', () => {
  it('has the new role, not the one that has just been taken away', async () => {
    await registered(ANN)
    const reply = await signsInBeside("update social.users set role = 'user' where email = $1", [ANN.email])
    const { accessToken, user } = reply.json<AuthReply>()
    expect([user.role, (await sessions.verify(accessToken)).role]).toEqual(['user', 'user'])
  })

  it('does not begin on the password that has just been replaced', async () => {
    await registered(ANN)
    const reply = await signsInBeside('update social.users set password_hash = $1 where email = $2', ['x', ANN.email])
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'invalid_credentials'])
  })

  it('changes a password once where two change it at the same time', async () => {
    const { accessToken } = await registered(ANN)
    const other = (await post('/api/auth/login', ANN)).json<AuthReply>().accessToken
    const change = (token: string, newPassword: string) =>
      post('/api/auth/password', { currentPassword: ANN.password, newPassword }, token)
    const replies = await Promise.all([change(accessToken, 'another-1'), change(other, 'another-2')])
    expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1)
    const lives = await Promise.all([accessToken, other].map(async (token) => (await profileOf(token)).statusCode))
    expect(lives).toEqual(replies.map((reply) => (reply.statusCode === 200 ? 200 : 401)))
  })
})

it('writes down who did what, from where, without secrets', async () => {
  const { accessToken, user } = await registered(ANN)
  const passwords = { currentPassword: ANN.password, newPassword: 'secret-12' }
  await post('/api/auth/password', passwords, accessToken, '10.0.0.7')
  await post('/api/auth/login', { ...ANN, password: 'secret-12' }, undefined, '10.0.0.8')
  await post('/api/auth/logout', undefined, accessToken, '10.0.0.9')
  const rows = await db.orm.select().from(audit).where(eq(audit.actorId, user.id)).orderBy(asc(audit.id))
  const by = { actorId: user.id, subjectType: 'user', subjectId: user.id, before: null, after: null }
  expect(rows).toMatchObject([
    { ...by, action: 'user.registered', address: '127.0.0.1', after: { username: 'Ann', role: 'admin' } },
    { ...by, action: 'user.password_changed', address: '10.0.0.7' },
    { ...by, action: 'user.signed_in', address: '10.0.0.8' },
    { ...by, action: 'user.signed_out', address: '10.0.0.9' },
  ])
  expect(JSON.stringify(rows)).not.toMatch(/secret-1|argon2/)
})

it.each(['register', 'login', 'password'])('answers senseless input to %s with 4xx, never 5xx', async (name) => {
  const { accessToken } = await registered(ANN)
  const long = 'x'.repeat(5000)
  const bodies = [null, 17, 'x', [], {}, { email: long, password: long, username: long }, { email: 'a\u0000@b.c' }]
  for (const body of [...bodies, { ...ANN, password: ['secret-1'] }, { currentPassword: {}, newPassword: 1e308 }]) {
    const reply = await post(`/api/auth/${name}`, body as object, accessToken)
    expect(reply.statusCode).toBeGreaterThanOrEqual(400)
    expect(reply.statusCode).toBeLessThan(500)
    expect(reply.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) })
  }
})

it('the social service is healthy while the database answers', async () => {
  expect((await app.inject('/soc/health')).json()).toEqual({ status: 'ok' })
})
