import { describe, expect, it } from 'vitest'
import { profile } from './auth.ts'
import { subAccounts } from './bot-trading.ts'
import { bots } from './bots.ts'
import { createClient } from './client.ts'
import { exportDataset } from './datasets.ts'
import { markets } from './market.ts'
import { mlHealth } from './ml.ts'
import { tasks } from './tasks.ts'

const REFUSED = { error: 'The exchange does not answer.', code: 'venue_unreachable' }

/** A client whose calls are answered by address; what is not named is refused. */
function clientOf(answers: Record<string, unknown>, token: string | null = 'mine') {
  const asked: [address: string, authorization: string | null][] = []
  const { call } = createClient({
    origin: '',
    token: () => token,
    async fetch(address, init) {
      const path = String(address)
      asked.push([path, new Headers(init?.headers).get('authorization')])
      return path in answers ? Response.json(answers[path]) : Response.json(REFUSED, { status: 503 })
    },
  })
  return { call, asked }
}

describe('a call', () => {
  it('takes the token to both services, and reads what trading wraps and social does not', async () => {
    const user = { id: '01890000-0000-7000-8000-000000000001', username: 'mira', email: 'm@example.org', role: 'user' }
    const { call, asked } = clientOf({
      '/soc/api/auth/profile': { user },
      '/bot/api/subaccounts': { data: [] },
    })
    expect([await call(profile, {}), await call(subAccounts, {})]).toEqual([{ user }, []])
    expect(asked).toEqual([
      ['/soc/api/auth/profile', 'Bearer mine'],
      ['/bot/api/subaccounts', 'Bearer mine'],
    ])
  })

  it('names each of several tags', async () => {
    const { call, asked } = clientOf({})
    await expect(call(tasks, { query: { tags: ['costs', 'books'], limit: 5 } })).rejects.toThrow()
    expect(asked[0]![0]).toBe('/soc/api/tasks?tags=costs&tags=books&limit=5')
  })
})

describe('a reply that breaks off', () => {
  const breakingOff = (cause: unknown) =>
    createClient({
      origin: '',
      token: () => 'mine',
      fetch: async () =>
        new Response(
          new ReadableStream({
            start(body) {
              body.enqueue(new TextEncoder().encode('{"user":'))
              body.error(cause)
            },
          }),
        ),
    })

  it('is one of a server that cannot be reached, which is asked again', async () => {
    const { call, file } = breakingOff(new TypeError('network error'))
    const unreachable = { status: 0, code: 'unreachable' }
    await expect(call(profile, {})).rejects.toMatchObject(unreachable)
    await expect(file(exportDataset, { query: { symbol: 'BTCUSDT' } })).rejects.toMatchObject(unreachable)
  })

  it('because its caller has left is not', async () => {
    const left = new DOMException('The user aborted a request.', 'AbortError')
    await expect(breakingOff(left).call(profile, { signal: AbortSignal.abort(left) })).rejects.toBe(left)
  })
})

describe('a read that has a public twin', () => {
  it('falls back to it where it fails, and fails where that does too', async () => {
    const health = { healthy: false, stats: { accuracy: null, interval: null, baseline: null } }
    const { call, asked } = clientOf({ '/bot/public/ml/health': { data: health } })
    expect(await call(mlHealth, {})).toEqual(health)
    await expect(call(markets, {})).rejects.toThrow('The exchange does not answer.')
    expect(asked.map(([address]) => address)).toEqual([
      '/bot/api/ml/health',
      '/bot/public/ml/health',
      '/bot/api/markets',
      '/bot/public/markets',
    ])
  })

  it('is asked there at once by somebody who is not signed in', async () => {
    const { call, asked } = clientOf({ '/bot/public/bots': { data: [] } }, null)
    expect(await call(bots, {})).toEqual([])
    expect(asked).toEqual([['/bot/public/bots', null]])
  })
})

it('a call without a twin fails where it fails', async () => {
  const { call, asked } = clientOf({})
  await expect(call(subAccounts, {})).rejects.toMatchObject({ status: 503, code: 'venue_unreachable' })
  expect(asked).toHaveLength(1)
})

it('an error has the words of the server whatever its code, and ours where it sent none', async () => {
  const answering = (body: unknown) =>
    createClient({ origin: '', token: () => 'mine', fetch: async () => Response.json(body, { status: 507 }) })
  const words = { error: 'The disk is full.', code: 'disk_on_fire', field: 7 }
  await expect(answering(words).call(subAccounts, {})).rejects.toMatchObject({
    status: 507,
    code: 'internal',
    message: 'The disk is full.',
    fromServer: true,
    field: undefined,
  })
  for (const silent of [{ error: ' ' }, { message: 'no' }, null])
    await expect(answering(silent).call(subAccounts, {})).rejects.toMatchObject({
      message: 'The server answered 507.',
      fromServer: false,
    })
})
