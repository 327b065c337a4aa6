import type { AuthReply } from '@shapecast/contracts/auth'
import type { ManagedUser } from '@shapecast/contracts/users'

import { requireConfirmed } from '@shapecast/platform/sessions'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { deleteDueAccounts } from '../src/users/delete-due-accounts.ts'
import { fillNameKeys } from '../src/users/user-store.ts'
import { type Answer, createSocialBench, type Person } from './social-bench.ts'

const PASSWORD = 'correct horse'
let clockMs = Date.now()
let people = 0

const bench = await createSocialBench({ now: () => clockMs })
afterAll(() => bench.close())
afterEach(async () => {
  await bench.db.pool.query("delete from platform.installation where key = 'policy'")
})

/** Each from an address of its own (of this machine, where the first account needs no code), so that nobody's guesses are counted together. */
const addressOf = () => `127.1.${Math.floor(++people / 250)}.${people % 250}`
const post = (path: string, body?: unknown, as: Person | null = null): Promise<Answer> =>
  bench.ask('POST', path, as, body, addressOf())
const emailOf = (name: string) => `${name.replace(' ', '.')}@example.org`

async function signUp(username: string): Promise<Person> {
  const { status, body } = await post('/api/auth/register', { username, email: emailOf(username), password: PASSWORD })
  expect([status, body.error]).toEqual([200, undefined])
  const { user, accessToken } = body as AuthReply
  return { userId: user.id, username, role: user.role, token: accessToken }
}
const signIn = (username: string, more: object = {}) =>
  post('/api/auth/login', { email: emailOf(username), password: PASSWORD, ...more })
const standing = async (person: Person): Promise<number> => (await bench.ask('GET', '/api/auth/profile', person)).status
let admin = await signUp('root')
/** Of an admin who has just given their password. */
async function askProven(method: string, path: string, body?: unknown, as = admin): Promise<Answer> {
  await post('/api/auth/confirm', { password: PASSWORD }, as)
  return bench.ask(method, path, as, body)
}
const policy = (change: object, as = admin) => askProven('PATCH', '/api/policy', change, as)
const told = async (person: Person): Promise<string[]> =>
  (await bench.ask('GET', '/api/notifications', person)).body.notifications.map((one: { title: string }) => one.title)

describe('a name', () => {
  it('is shown as typed, and refused to anyone who would look like it', async () => {
    await signUp('Mira Bell')
    for (const username of ['mira bell', 'Mirа Bell', 'Mira\u2009Bell', 'MiraBell']) {
      const reply = await post('/api/auth/register', { username, email: emailOf('other'), password: PASSWORD })
      expect([username, reply.status, reply.body.code]).toEqual([username, 409, 'username_taken'])
    }
    await signUp('administrator')
    for (const username of ['АDMINISTRATOR', 'ΑDMΙNISTRATOR', 'ADMINISTRATOR']) {
      const reply = await post('/api/auth/register', { username, email: emailOf('other'), password: PASSWORD })
      expect([username, reply.status, reply.body.code]).toEqual([username, 409, 'username_taken'])
    }
  })

  it('is changed as it is given, an email address with the password only', async () => {
    const zoe = await signUp('Zoe')
    const change = (body: object) => bench.ask('PATCH', '/api/auth/profile', zoe, body, addressOf())
    expect((await change({ username: 'Zoé', role: 'admin' })).body.user).toMatchObject({
      username: 'Zoé',
      role: 'user',
    })
    for (const username of ['Root', 'r00t']) expect((await change({ username })).body.code).toBe('username_taken')
    expect((await change({ email: 'new@example.org' })).body.field).toBe('currentPassword')
    expect((await change({ email: emailOf('root'), currentPassword: PASSWORD })).body.code).toBe('email_taken')
    expect((await change({ email: ' New@example.org', currentPassword: PASSWORD })).body.user.email).toBe(
      'new@example.org',
    )
    expect(await told(zoe)).toEqual(['Your email address was changed'])
  })

  it('gives an old account the key of its name, the older account where two look alike', async () => {
    const insert = (username: string) =>
      bench.db.pool.query(
        `insert into social.users (username, email, role, password_hash, created_at_ms) values ($1, $1, 'user', '', 0)`,
        [username],
      )
    await insert('Yara')
    await insert('Yаra')
    await fillNameKeys(bench.db.orm)
    expect(
      (await post('/api/auth/register', { username: 'yARА', email: 'z@example.org', password: PASSWORD })).status,
    ).toBe(409)
    const { rows } = await bench.db.pool.query("select name_key from social.users where email like 'Y%' order by id")
    expect(rows[0].name_key).toBe('yara')
    expect(rows[1].name_key).toMatch(/^yara ./)
  })
})

describe('own sessions', () => {
  it('are listed with where they are, ended one by one and all but this one, and nobody else’s', async () => {
    const kim = await signUp('Kim')
    const other = await signUp('Kai')
    await bench.app.inject({
      method: 'POST',
      url: '/soc/api/auth/login',
      remoteAddress: addressOf(),
      headers: { 'user-agent': 'Firefox on Linux' },
      payload: { email: emailOf('Kim'), password: PASSWORD },
    })
    const third = { ...kim, token: ((await signIn('Kim')).body as AuthReply).accessToken }
    const list = async () => (await bench.ask('GET', '/api/auth/sessions', kim)).body.sessions
    const [, firefox] = await list()
    expect(await list()).toHaveLength(3)
    expect(firefox).toMatchObject({ userAgent: 'Firefox on Linux', isCurrent: false, lastSeenAt: clockMs })
    expect((await told(kim)).filter((title) => title === 'Sign-in on a new device')).toHaveLength(1)
    expect((await bench.ask('DELETE', `/api/auth/sessions/${firefox.id}`, other)).status).toBe(404)
    for (const status of [200, 404])
      expect((await bench.ask('DELETE', `/api/auth/sessions/${firefox.id}`, kim)).status).toBe(status)
    expect((await bench.ask('POST', '/api/auth/sessions/end-others', kim)).status).toBe(200)
    expect([await standing(kim), await standing(third), await standing(other)]).toEqual([200, 401, 200])
    expect(await list()).toMatchObject([{ isCurrent: true }])
  })
})

describe('an account', () => {
  it('is exported as one file without hashes and secrets', async () => {
    const eve = await signUp('Eve')
    await bench.ask('POST', '/api/tasks', eve, { title: 'A task of Eve', description: 'Of hers and no other.' })
    const reply = await bench.app.inject({
      url: '/soc/api/auth/export',
      headers: { authorization: `Bearer ${eve.token}` },
    })
    expect(reply.headers['content-disposition']).toBe('attachment; filename="shapecast-data.json"')
    expect(reply.json()).toMatchObject({ profile: { username: 'Eve' }, tasks: [{ title: 'A task of Eve' }] })
    expect(reply.body).not.toMatch(/argon2|password|root|hash|secret/)
    expect(Object.keys(reply.json().audit[0])).toEqual(['at', 'address', 'action', 'subject_type', 'subject_id'])
  })

  it('goes 14 days after its owner asked, not before, and not once they are back', async () => {
    const gone: string[] = []
    const deleteTrading = async (_tx: unknown, userId: string) => void gone.push(userId)
    const sweep = () => deleteDueAccounts({ db: bench.db, deleteTrading }, clockMs)
    const [ida, ole] = [await signUp('Ida'), await signUp('Ole')]
    const task = { title: 'Left behind', description: 'By one who goes.' }
    const { _id } = (await bench.ask('POST', '/api/tasks', ida, task)).body.task
    await bench.ask('POST', `/api/votes/${_id}`, ida, { voteType: 'for' })
    expect((await post('/api/auth/delete-account', { password: 'wrong' }, ida)).status).toBe(400)
    for (const person of [ida, ole]) {
      const { body } = await post('/api/auth/delete-account', { password: PASSWORD }, person)
      expect(body).toEqual({ deletesAt: clockMs + 14 * 86_400_000 })
      expect(await standing(person)).toBe(401)
    }
    expect((await signIn('Ole')).status).toBe(200)
    const told = "select title from platform.notifications where user_id = $1 and title = 'Your account is kept'"
    expect((await bench.db.pool.query(told, [ole.userId])).rows).toHaveLength(1)
    clockMs += 14 * 86_400_000 - 1
    expect(await sweep()).toBe(0)
    clockMs += 1
    expect([await sweep(), gone]).toEqual([1, [ida.userId]])
    expect((await signIn('Ida')).status).toBe(401)
    admin = { ...admin, token: (await signIn('root')).body.accessToken }
    expect((await bench.ask('GET', `/api/tasks/${_id}`, admin)).body.task).toMatchObject({ author: null, votesFor: 0 })
  })
})

describe('the last admin', () => {
  it('keeps the role, the account and its use, also where two admins take them from each other at once', async () => {
    const ben = await signUp('Ben')
    const change = (as: Person, whom: Person, body: object) => askProven('PATCH', `/api/users/${whom.userId}`, body, as)
    for (const body of [{ role: 'user' }, { disabled: true }])
      expect((await change(admin, admin, body)).body.code).toBe('last_admin')
    expect((await post('/api/auth/delete-account', { password: PASSWORD }, admin)).body.code).toBe('last_admin')
    expect((await change(admin, ben, { role: 'admin' })).body.user.role).toBe('admin')
    const second = { ...ben, token: (await signIn('Ben')).body.accessToken }
    const replies = await Promise.all([
      change(admin, second, { role: 'user' }),
      change(second, admin, { disabled: true }),
    ])
    expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    await bench.db.pool.query("update social.users set role = 'admin', disabled_at = null where id = $1", [
      admin.userId,
    ])
    await bench.db.pool.query("update social.users set role = 'user' where id = $1", [ben.userId])
    admin = { ...admin, token: (await signIn('root')).body.accessToken }
  })
})

describe('admins', () => {
  const find = async (username: string): Promise<ManagedUser> =>
    (await bench.ask('GET', `/api/users?search=${username}`, admin)).body.users[0]

  it('see every account, and what LIKE would take for a pattern is none', async () => {
    const lea = await signUp('Lea')
    expect(await find('lea@')).toMatchObject({
      id: lea.userId,
      role: 'user',
      state: 'active',
      sessions: 1,
      hasSecondFactor: false,
    })
    expect((await bench.ask('GET', '/api/users?search=%25', admin)).body.users).toEqual([])
    expect((await bench.ask('GET', '/api/users?role=admin&limit=1', admin)).body).toMatchObject({
      users: [{ username: 'root' }],
      total: 1,
    })
  })

  it('disable and enable an account, which is out at once', async () => {
    const max = await signUp('Max')
    const path = `/api/users/${max.userId}`
    expect((await bench.ask('PATCH', path, admin, { disabled: true })).body.user).toMatchObject({ state: 'disabled' })
    expect([await standing(max), (await signIn('Max')).body.code]).toEqual([401, 'account_disabled'])
    expect((await askProven('PATCH', path, { disabled: false })).body.user.state).toBe('active')
    expect((await signIn('Max')).status).toBe(200)
  })

  it('give a reset code that works once, within a day, and takes sessions and second factor away', async () => {
    const sam = await signUp('Sam')
    const code = async () => (await askProven('POST', `/api/users/${sam.userId}/reset-code`)).body.code as string
    const reset = (given: string, newPassword = 'a new password') =>
      post('/api/auth/reset', { email: emailOf('Sam'), code: given, newPassword })
    const [old, fresh] = [await code(), await code()]
    expect((await reset(old)).body.code).toBe('wrong_code')
    expect((await reset(fresh, 'password1')).body.field).toBe('newPassword')
    expect((await reset(` ${fresh.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200)
    expect([await standing(sam), (await signIn('Sam')).status]).toEqual([401, 401])
    expect((await signIn('Sam', { password: 'a new password' })).status).toBe(200)
    expect((await reset(fresh)).status).toBe(403)
    const late = await code()
    clockMs += 86_400_000
    expect((await reset(late)).status).toBe(403)
    expect(
      (await post('/api/auth/reset', { email: 'no@example.org', code: late, newPassword: 'a new one' })).body,
    ).toEqual((await reset(late)).body)
  })

  it('say who may register: anybody, those with an invitation to their address, or nobody', async () => {
    const join = (name: string, invitation?: string) =>
      post('/api/auth/register', { username: name, email: emailOf(name), password: PASSWORD, invitation })
    expect((await policy({ registration: 'invitation' })).body.policy.registration).toBe('invitation')
    expect((await bench.ask('GET', '/api/auth/registration')).body).toEqual({
      registration: 'invitation',
      resetsByMail: false,
    })
    const { code, invitation } = (await bench.ask('POST', '/api/invitations', admin, { email: emailOf('Uma') })).body
    expect(invitation).toMatchObject({ email: 'uma@example.org', invitedBy: { username: 'root' } })
    expect((await join('Uma')).body.code).toBe('registration_closed')
    expect((await join('Someone', code)).body.code).toBe('registration_closed')
    expect((await join('Uma', code)).status).toBe(200)
    expect((await bench.ask('GET', '/api/invitations', admin)).body.invitations).toEqual([])
    const second = (await bench.ask('POST', '/api/invitations', admin, { email: emailOf('Vic') })).body
    await bench.ask('DELETE', `/api/invitations/${second.invitation.id}`, admin)
    expect((await join('Vic', second.code)).status).toBe(403)
    await policy({ registration: 'closed' })
    expect((await join('Vic', second.code)).body.code).toBe('registration_closed')
  })

  it('read the audit by actor, action, subject and time, page by page', async () => {
    const tim = await signUp('Tim')
    await bench.ask('POST', '/api/tasks', tim, { title: 'Audited task', description: 'Written down twice.' })
    const entries = async (query: string) => (await bench.ask('GET', `/api/audit?${query}`, admin)).body
    const his = `actor=${tim.userId}`
    expect((await entries(his)).entries.map((e: { action: string }) => e.action)).toEqual([
      'task.created',
      'user.registered',
    ])
    expect((await entries(`${his}&action=task.`)).entries).toMatchObject([
      { actor: { username: 'Tim' }, subject: { type: 'task' }, after: { title: 'Audited task' } },
    ])
    expect((await entries(`${his}&action=task`)).entries).toEqual([])
    const first = await entries(`${his}&limit=1`)
    expect(first.hasMore).toBe(true)
    expect(await entries(`${his}&before=${first.entries[0].id}`)).toMatchObject({
      hasMore: false,
      entries: [{ action: 'user.registered' }],
    })
    expect((await entries(`${his}&limit=1`)).total).toBe(2)
    const saved = await bench.app.inject({
      url: `/soc/api/audit/export?${his}&action=task.`,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const [head, line] = saved.body.split('\r\n')
    expect(head).toBe('time,who,address,action,subject_type,subject_id,subject_name,before,after')
    expect(line).toMatch(/^[0-9TZ:.-]+,Tim,[^,]+,task\.created,task,[0-9a-f-]{36},Audited task,,"{""tags"".*}"$/)
    expect((await bench.ask('GET', '/api/audit', tim)).status).toBe(403)
    expect((await bench.ask('GET', '/api/audit/export', tim)).status).toBe(403)
  })

  it('find in the audit what was done to a thing by its name, as it is called now', async () => {
    const una = await signUp('Una_1')
    const draft = { title: 'Faster 100% charts', description: 'They draw slowly.' }
    const { _id: id } = (await bench.ask('POST', '/api/tasks', una, draft)).body.task
    await bench.ask('PATCH', `/api/tasks/${id}`, admin, { status: 'rejected' })
    const about = async (text: string) =>
      (await bench.ask('GET', `/api/audit?about=${encodeURIComponent(text)}`, admin)).body.entries
    const names = (entries: { action: string; subject: { name: string } }[]) =>
      entries.map(({ action, subject }) => `${action} ${subject.name}`)
    const ofTask = ['task.changed Faster 100% charts', 'task.created Faster 100% charts']
    expect(names(await about('faster 100%'))).toEqual(ofTask)
    expect(names(await about(id))).toEqual(ofTask)
    // What is a wildcard elsewhere stands for itself.
    expect(names(await about('Faster%charts'))).toEqual([])
    expect(names(await about('una_'))).toEqual(['user.registered Una_1'])
    expect(names(await about('unaX'))).toEqual([])
  })
})

describe('the second factor', () => {
  const codeOf = (secret: string, atMs = clockMs) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })
  async function switchOn(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
    const { secret } = (await post('/api/auth/second-factor', { password: PASSWORD }, person)).body
    const { body } = await post('/api/auth/second-factor/confirm', { code: codeOf(secret) }, person)
    clockMs += 30_000
    return { secret, recoveryCodes: body.recoveryCodes }
  }

  it('is asked for after the right password alone, and each code is good once', async () => {
    const pia = await signUp('Pia')
    const { secret, recoveryCodes } = await switchOn(pia)
    expect(recoveryCodes).toHaveLength(10)
    expect((await signIn('Pia', { password: 'wrong' })).body.code).toBe('invalid_credentials')
    expect((await signIn('Pia')).body.code).toBe('second_factor_required')
    expect((await signIn('Pia', { code: '000000' })).body.code).toBe('wrong_code')
    const code = codeOf(secret)
    expect((await signIn('Pia', { code })).status).toBe(200)
    expect((await signIn('Pia', { code })).body.code).toBe('wrong_code')
    const [recovery] = recoveryCodes as [string]
    expect((await signIn('Pia', { code: recovery.toUpperCase() })).status).toBe(200)
    expect((await signIn('Pia', { code: recovery })).body.code).toBe('wrong_code')
    const { body } = await bench.ask('GET', '/api/auth/security', pia)
    expect(body.secondFactor).toMatchObject({ recoveryCodesLeft: 9, isRequired: false })
    expect(await told(pia)).toContain('The second factor was switched on')
  })

  it('takes ten guesses at a code, and none after that', async () => {
    await switchOn(await signUp('Gus'))
    const guess = () =>
      bench.ask(
        'POST',
        '/api/auth/login',
        null,
        { email: emailOf('Gus'), password: PASSWORD, code: '000000' },
        '10.9.9.9',
      )
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await guess()).status)
    expect(statuses).toEqual([...Array(10).fill(403), 429])
  })

  it('counts wrong codes by account, from wherever they come, and no success of another kind clears them', async () => {
    const lou = await signUp('Lou')
    const { secret } = await switchOn(lou)
    const statuses = []
    for (let i = 0; i < 25; i++) {
      const guess = i % 2 === 0 ? signIn('Lou', { code: '000000' }) : post('/api/auth/confirm', { code: '000000' }, lou)
      statuses.push((await guess).status)
      await post('/api/auth/password', { currentPassword: PASSWORD, newPassword: PASSWORD }, lou)
    }
    expect(statuses).toEqual([...Array(10).fill(403), ...Array(15).fill(429)])
    expect((await signIn('Lou', { code: codeOf(secret) })).status).toBe(429)
    clockMs += 15 * 60_000
    expect((await signIn('Lou', { code: codeOf(secret) })).status).toBe(200)
  })

  it('does not take the code again with which it was switched on, were it the next one', async () => {
    const una = await signUp('Una')
    const { secret } = (await post('/api/auth/second-factor', { password: PASSWORD }, una)).body
    const next = codeOf(secret, clockMs + 30_000)
    expect((await post('/api/auth/second-factor/confirm', { code: next }, una)).status).toBe(200)
    expect((await signIn('Una', { code: next })).body.code).toBe('wrong_code')
    clockMs += 30_000
    expect((await signIn('Una', { code: next })).body.code).toBe('wrong_code')
  })

  it('is not replaced without a code of the device in use, or a recovery code', async () => {
    const ivy = await signUp('Ivy')
    const { secret, recoveryCodes } = await switchOn(ivy)
    const begin = (code?: string) => post('/api/auth/second-factor', { password: PASSWORD, code }, ivy)
    expect((await begin()).body.code).toBe('second_factor_required')
    expect((await begin('000000')).body.code).toBe('wrong_code')
    for (const code of [codeOf(secret), recoveryCodes[0]!]) {
      expect((await begin(code)).status).toBe(200)
      expect((await begin(code)).body.code).toBe('wrong_code')
    }
  })

  it('is changed to another device and switched off with a code, and the old one holds until then', async () => {
    const tom = await signUp('Tom')
    const { secret } = await switchOn(tom)
    const begun = { password: PASSWORD, code: codeOf(secret) }
    const next = (await post('/api/auth/second-factor', begun, tom)).body.secret
    clockMs += 30_000
    expect((await signIn('Tom', { code: codeOf(next) })).body.code).toBe('wrong_code')
    expect((await signIn('Tom', { code: codeOf(secret) })).status).toBe(200)
    await post('/api/auth/second-factor/confirm', { code: codeOf(next) }, tom)
    clockMs += 30_000
    expect((await signIn('Tom', { code: codeOf(secret) })).body.code).toBe('wrong_code')
    const off = (code: string) => post('/api/auth/second-factor/off', { password: PASSWORD, code }, tom)
    expect((await off('000000')).status).toBe(403)
    expect((await off(codeOf(next))).status).toBe(200)
    expect((await signIn('Tom')).status).toBe(200)
  })

  it('limits managers who have none, where it is required, to setting one up', async () => {
    await signUp('Mel')
    const { id } = (await bench.ask('GET', '/api/users?search=Mel@', admin)).body.users[0]
    await askProven('PATCH', `/api/users/${id}`, { role: 'bot_manager' })
    await policy({ secondFactorForManagers: true })
    const mel = {
      userId: id,
      username: 'Mel',
      role: 'bot_manager' as const,
      token: (await signIn('Mel')).body.accessToken,
    }
    expect((await bench.ask('GET', '/api/tasks', mel)).body.code).toBe('second_factor_missing')
    expect(await standing(mel)).toBe(200)
    const { secret } = await switchOn(mel)
    expect((await bench.ask('GET', '/api/tasks', mel)).status).toBe(200)
    const off = await post('/api/auth/second-factor/off', { password: PASSWORD, code: codeOf(secret) }, mel)
    expect(off.body.code).toBe('conflict')
    expect(JSON.stringify((await bench.db.pool.query('select * from social.second_factors')).rows)).not.toContain(
      secret,
    )
  })

  it('is given again for what moves real money, or the password where there is none: good for five minutes', async () => {
    const rob = await signUp('Rob')
    const [{ id: sid }] = (await bench.ask('GET', '/api/auth/sessions', rob)).body.sessions
    const isConfirmed = () =>
      requireConfirmed(bench.db.orm, sid, clockMs).then(
        () => true,
        (error: { code: string }) => error.code,
      )
    expect(await isConfirmed()).toBe('confirmation_required')
    expect((await post('/api/auth/confirm', { password: 'wrong' }, rob)).status).toBe(400)
    expect((await post('/api/auth/confirm', { password: PASSWORD }, rob)).body).toEqual({ until: clockMs + 300_000 })
    expect(await isConfirmed()).toBe(true)
    clockMs += 300_000
    expect(await isConfirmed()).toBe('confirmation_required')
    const { secret } = await switchOn(rob)
    expect((await post('/api/auth/confirm', { password: PASSWORD }, rob)).body.code).toBe('wrong_code')
    expect((await post('/api/auth/confirm', { code: codeOf(secret) }, rob)).status).toBe(200)
    expect(await isConfirmed()).toBe(true)
  })
})

it('the policy of an installation is read by every user and changed by admins, and the change is audited', async () => {
  const user = await signUp('Reader')
  expect((await bench.ask('GET', '/api/policy', user)).body.policy).toEqual({
    registration: 'open',
    secondFactorForManagers: false,
    confirmRealBots: true,
    tasksRestricted: true,
    privateWebhooks: false,
  })
  expect((await policy({ registration: 'closed' }, user)).status).toBe(403)
  await policy({ privateWebhooks: true })
  const { entries } = (await bench.ask('GET', '/api/audit?action=policy.changed&limit=1', admin)).body
  expect(entries[0]).toMatchObject({ before: { privateWebhooks: false }, after: { privateWebhooks: true } })
})
