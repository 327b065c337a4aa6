import { login, logout, profile, register, type User } from '@shapecast/contracts/auth'
import { ApiError, type Call } from '@shapecast/contracts/client'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { describe, expect, it } from 'vitest'
import { createAuthSession } from './auth-session.ts'
import type { TokenStore } from './session-token.ts'

type Parts = Parameters<typeof createAuthSession>[0]

const mira: User = {
  id: '0190f3c2-6f3e-7a10-9d2b-0a1b2c3d4e5f',
  username: 'mira',
  email: 'm@example.org',
  role: 'user',
}
const noah: User = { ...mira, id: '0190f3c2-6f3e-7a10-9d2b-0a1b2c3d4e60', username: 'noah' }
const refused = new ApiError(401, 'unauthorized', 'Sign in again.', true)

function tokenIn(start: string | null): TokenStore & { value: string | null } {
  return {
    value: start,
    read() {
      return this.value
    },
    write(token) {
      this.value = token
    },
    clear() {
      this.value = null
    },
  }
}

/** A service that answers each endpoint with what it is given: a value, or an error to throw. */
function serviceOf(answers: Map<AnyEndpoint, () => unknown>) {
  const calls: { endpoint: AnyEndpoint; input: unknown }[] = []
  const call = (async (endpoint: AnyEndpoint, input: unknown) => {
    calls.push({ endpoint, input })
    const answer = answers.get(endpoint)
    if (answer === undefined) throw new Error(`not expected: ${endpoint.path}`)
    return answer()
  }) as Call
  return { call, calls }
}

/** A session on a page that stays. */
const sessionOf = (parts: Partial<Parts> & Pick<Parts, 'call' | 'token'>) =>
  createAuthSession({ stillHere: async () => undefined, ...parts })

const failing = (error: unknown) => () => {
  throw error
}

describe('the session', () => {
  it('is signed out at the start where no token is stored, and asks nobody', async () => {
    const { call, calls } = serviceOf(new Map())
    const session = sessionOf({ call, token: tokenIn(null) })
    await session.start()
    expect(session.state()).toEqual({ status: 'signed-out', user: null })
    expect(calls).toEqual([])
  })

  it('resumes a stored session by fetching the profile', async () => {
    const token = tokenIn('stored')
    const session = sessionOf({ ...serviceOf(new Map([[profile, () => ({ user: mira })]])), token })
    expect(session.state().status).toBe('checking')
    await session.start()
    expect(session.state()).toEqual({ status: 'signed-in', user: mira })
    expect(token.value).toBe('stored')
  })

  it.each([
    ['refuses', refused],
    ['cannot be reached', new ApiError(0, 'unreachable', 'The server cannot be reached.', false)],
  ])('clears the token where the profile call %s', async (_, error) => {
    const token = tokenIn('old')
    const session = sessionOf({ ...serviceOf(new Map([[profile, failing(error)]])), token })
    await session.start()
    expect(session.state()).toEqual({ status: 'signed-out', user: null })
    expect(token.value).toBeNull()
  })

  it.each([
    ['an answer', new ApiError(0, 'unreachable', 'The server cannot be reached.', false)],
    ['being waited for', new DOMException('The user aborted a request.', 'AbortError')],
  ])('keeps the token where the page is left, which ends the profile call without %s', async (_, cut) => {
    const token = tokenIn('stored')
    const leaving = new Promise<void>(() => undefined)
    const session = sessionOf({
      ...serviceOf(new Map([[profile, failing(cut)]])),
      token,
      stillHere: () => leaving,
    })
    void session.start()
    await new Promise((resolve) => setImmediate(resolve))
    expect([token.value, session.state().status]).toEqual(['stored', 'checking'])
  })

  it('stores the token of a login and of a registration', async () => {
    const token = tokenIn(null)
    const { call, calls } = serviceOf(
      new Map<AnyEndpoint, () => unknown>([
        [login, () => ({ accessToken: 'a', user: mira })],
        [register, () => ({ accessToken: 'b', user: noah })],
      ]),
    )
    const session = sessionOf({ call, token })
    await session.login({ email: 'm@example.org', password: 'secret' })
    expect([token.value, session.state().user]).toEqual(['a', mira])
    await session.register({ username: 'noah', email: 'n@example.org', password: 'secret' })
    expect([token.value, session.state().user]).toEqual(['b', noah])
    expect(calls[0]!.input).toEqual({ body: { email: 'm@example.org', password: 'secret' } })
  })

  it('hands a refused login on to the form, and stays signed out', async () => {
    const session = sessionOf({ ...serviceOf(new Map([[login, failing(refused)]])), token: tokenIn(null) })
    await expect(session.login({ email: 'm@example.org', password: 'no' })).rejects.toBe(refused)
    expect(session.state().status).toBe('signed-out')
  })

  it('tells the service of a logout, and ends here even where the service fails', async () => {
    const token = tokenIn(null)
    const warned: unknown[] = []
    const { call, calls } = serviceOf(
      new Map<AnyEndpoint, () => unknown>([
        [login, () => ({ accessToken: 'a', user: mira })],
        [logout, failing(new ApiError(500, 'internal', 'No.', true))],
      ]),
    )
    const session = sessionOf({ call, token, warn: (_, error) => warned.push(error) })
    await session.login({ email: 'm@example.org', password: 'secret' })
    await session.logout()
    expect(calls.map((c) => c.endpoint)).toEqual([login, logout])
    expect([token.value, session.state().status, warned.length]).toEqual([null, 'signed-out', 1])
  })

  it('does not let a profile that arrives late undo a login made meanwhile', async () => {
    const token = tokenIn('old')
    let answerProfile: (reply: { user: User }) => void = () => undefined
    const answers = new Map<AnyEndpoint, () => unknown>([
      [profile, () => new Promise((resolve) => (answerProfile = resolve))],
      [login, () => ({ accessToken: 'new', user: noah })],
    ])
    const session = sessionOf({ ...serviceOf(answers), token })
    const started = session.start()
    await session.login({ email: 'n@example.org', password: 'secret' })
    answerProfile({ user: mira })
    await started
    expect([session.state().user, token.value]).toEqual([noah, 'new'])
  })

  it('takes the newest of two profiles, in whichever order they arrive', async () => {
    const token = tokenIn('of mira')
    const replies: ((reply: { user: User }) => void)[] = []
    const answers = new Map<AnyEndpoint, () => unknown>([
      [login, () => ({ accessToken: 'of mira', user: mira })],
      [profile, () => new Promise((resolve) => replies.push(resolve))],
    ])
    const session = sessionOf({ ...serviceOf(answers), token })
    await session.login({ email: 'm@example.org', password: 'secret' })
    const first = session.start()
    token.write('of noah')
    const second = session.start()
    replies[0]!({ user: mira })
    replies[1]!({ user: noah })
    await Promise.all([first, second])
    expect(session.state().user).toEqual(noah)
  })

  it('is signed out at once, and the end of a slow logout leaves a new session alone', async () => {
    const token = tokenIn(null)
    let answerLogout: (reply: object) => void = () => undefined
    const answers = new Map<AnyEndpoint, () => unknown>([
      [login, () => ({ accessToken: 'a', user: mira })],
      [logout, () => new Promise((resolve) => (answerLogout = resolve))],
    ])
    const session = sessionOf({ ...serviceOf(answers), token })
    await session.login({ email: 'm@example.org', password: 'secret' })
    const ended = session.logout()
    expect([token.value, session.state().status]).toEqual([null, 'signed-out'])
    await session.login({ email: 'm@example.org', password: 'secret' })
    answerLogout({ ok: true })
    await ended
    expect([token.value, session.state().user]).toEqual(['a', mira])
  })

  it('has no user after a 401, and tells its listeners until they leave', async () => {
    const session = sessionOf({
      ...serviceOf(new Map([[login, () => ({ accessToken: 'a', user: mira })]])),
      token: tokenIn(null),
    })
    const seen: string[] = []
    const leave = session.subscribe(() => seen.push(session.state().status))
    await session.login({ email: 'm@example.org', password: 'secret' })
    session.drop()
    session.drop()
    leave()
    await session.login({ email: 'm@example.org', password: 'secret' })
    expect(seen).toEqual(['signed-in', 'signed-out'])
  })
})
