import { endpointsOf } from '@shapecast/contracts/table'
import { confirmSession } from '@shapecast/platform/sessions'
import { afterAll, expect, it } from 'vitest'
import { hashPassword } from '../src/proof/password-hash.ts'
import { createSocialBench, type Person } from './social-bench.ts'

/** Fresh proof of who calls: of a session that was left open, and of one whose person has just given it. */
const PASSWORD = 'correct horse'
const bench = await createSocialBench()
afterAll(() => bench.close())

/** A session of an admin that has proved nothing, and how it does. */
async function leftOpen(name: string): Promise<{ person: Person; prove(atMs: number): Promise<unknown> }> {
  const person = await bench.person(name, 'admin')
  const { sid, accessToken } = await bench.sessions.issue({ userId: person.userId, role: 'admin' })
  await bench.db.pool.query('update social.users set password_hash = $1 where id = $2', [
    await hashPassword(PASSWORD),
    person.userId,
  ])
  return {
    person: { ...person, token: accessToken },
    prove: (atMs) => confirmSession(bench.db.orm, sid, atMs),
  }
}

type Request = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`
type Case = readonly [name: string, what: string, takesProof: boolean, request: Request, body: object]
/** Each setting of the policy, to more and to less: in this order. */
const CASES: readonly Case[] = [
  ['changeUser', 'another role', true, 'PATCH /api/users/{id}', { role: 'admin' }],
  ['changeUser', 'to enable', true, 'PATCH /api/users/{id}', { disabled: false }],
  ['changeUser', 'to disable', false, 'PATCH /api/users/{id}', { disabled: true }],
  ['makeResetCode', 'for somebody else', true, 'POST /api/users/{id}/reset-code', {}],
  ['changePolicy', 'less registration', false, 'PATCH /api/policy', { registration: 'closed' }],
  ['changePolicy', 'more registration', true, 'PATCH /api/policy', { registration: 'invitation' }],
  ['changePolicy', 'no question before a start', true, 'PATCH /api/policy', { confirmRealBots: false }],
  ['changePolicy', 'the question again', false, 'PATCH /api/policy', { confirmRealBots: true }],
  ['changePolicy', 'a second factor', false, 'PATCH /api/policy', { secondFactorForManagers: true }],
  ['changePolicy', 'no second factor', true, 'PATCH /api/policy', { secondFactorForManagers: false }],
  ['changePolicy', 'restricted tasks', false, 'PATCH /api/policy', { tasksRestricted: true }],
  ['changePolicy', 'free tasks', true, 'PATCH /api/policy', { tasksRestricted: false }],
  ['changePolicy', 'private webhooks', true, 'PATCH /api/policy', { privateWebhooks: true }],
  ['changePolicy', 'public webhooks', false, 'PATCH /api/policy', { privateWebhooks: false }],
]
/** With a password in the body, which is proof enough of an account without a second factor. */
const WITH_PASSWORD: readonly (readonly [name: string, request: Request, body: object])[] = [
  ['changeProfile', 'PATCH /api/auth/profile', { email: 'elsewhere@example.org', currentPassword: PASSWORD }],
  ['changePassword', 'POST /api/auth/password', { currentPassword: PASSWORD, newPassword: 'another horse' }],
  ['deleteAccount', 'POST /api/auth/delete-account', { password: PASSWORD }],
]
/** What ends by the answer of another server, which is not there: proof is asked for first. */
const REACHING: readonly (readonly [name: string, request: Request, body: object])[] = [
  [
    'setMail',
    'POST /api/outlets/mail',
    {
      host: '127.0.0.1',
      port: 9,
      security: 'none',
      username: '',
      from: 'bots@example.org',
      publicUrl: 'https://bots.example.org',
    },
  ],
  ['setTelegram', 'POST /api/outlets/telegram', { token: `1:${'a'.repeat(20)}`, apiUrl: 'http://127.0.0.1:9' }],
]
/** `channels.test.ts` allows commands with proof, from a chat that is connected. */
const ELSEWHERE = ['switchChannel']

it('every social call that takes proof is tried here', () => {
  const declared = endpointsOf('social').filter(([, { proof }]) => proof !== undefined)
  const tried = new Set([...[...CASES, ...WITH_PASSWORD, ...REACHING].map(([name]) => name), ...ELSEWHERE])
  expect(declared.map(([name]) => name).sort()).toEqual([...tried].sort())
})

const root = await leftOpen('root')
const other = await bench.person('other')
const ask = (request: Request, as: Person, body: object) => {
  const [method, path] = request.split(' ') as [string, string]
  return bench.ask(method, path.replace('{id}', other.userId), as, body)
}

it.each(CASES)('%s, %s: takes proof: %s', async (_name, _what, takesProof, request, body) => {
  const answer = async () => {
    const reply = await ask(request, root.person, body)
    return reply.status === 200 ? 'done' : reply.body.code
  }
  await root.prove(0)
  if (!takesProof) return expect(await answer()).toBe('done')
  expect(await answer()).toBe('confirmation_required')
  await root.prove(Date.now() - 5 * 60_000)
  expect(await answer()).toBe('confirmation_required')
  await root.prove(Date.now())
  expect(await answer()).toBe('done')
})

it.each(REACHING)('%s takes proof', async (_name, request, body) => {
  await root.prove(0)
  expect((await ask(request, root.person, body)).body.code).toBe('confirmation_required')
  await root.prove(Date.now())
  expect((await ask(request, root.person, body)).body.code).toBe('unprocessable')
})

it.each(WITH_PASSWORD)(
  '%s takes the password, and the second factor where there is one',
  async (name, request, body) => {
    const { person, prove } = await leftOpen(`${name} of one`)
    await bench.db.pool.query('insert into social.second_factors (user_id, on_since_ms) values ($1, 0)', [
      person.userId,
    ])
    expect((await ask(request, person, body)).body.code).toBe('confirmation_required')
    await prove(Date.now())
    expect((await ask(request, person, body)).status).toBe(200)
    const { person: without } = await leftOpen(`${name} of two`)
    const again = { ...body, ...(name === 'changeProfile' && { email: 'somewhere@example.org' }) }
    expect((await ask(request, without, again)).status).toBe(200)
  },
)

it('signing in does not count as proof for later calls', async () => {
  const { person } = await leftOpen('Signing in')
  await bench.db.pool.query("update social.users set email = 'signing.in@example.org' where id = $1", [person.userId])
  const signedIn = await bench.ask('POST', '/api/auth/login', null, {
    email: 'signing.in@example.org',
    password: PASSWORD,
  })
  const as = { ...person, token: signedIn.body.accessToken }
  const openUp = () => bench.ask('PATCH', '/api/policy', as, { registration: 'open' })
  await bench.ask('PATCH', '/api/policy', as, { registration: 'closed' })
  expect((await openUp()).body.code).toBe('confirmation_required')
  expect((await bench.ask('POST', '/api/auth/confirm', as, { password: PASSWORD })).status).toBe(200)
  expect((await openUp()).status).toBe(200)
})
