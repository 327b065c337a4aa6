import { profile } from '@shapecast/contracts/auth'
import { ApiError, createClient } from '@shapecast/contracts/client'
import { models } from '@shapecast/contracts/ml'
import { describe, expect, it, vi } from 'vitest'
import { errorDetail, errorInFull, errorText } from './error-text.ts'
import { createQueryClient, isTransient } from './query-client.ts'
import { endpointKey } from './use-endpoint.ts'

const told = new ApiError(409, 'email_taken', 'This email already has an account.', true)
const silent = new ApiError(500, 'internal', 'The server answered 500.', false)
const unreachable = new ApiError(0, 'unreachable', 'The server cannot be reached.', false)

describe('the text of an error', () => {
  it("is the server's where it sent one, else the fallback with ours as detail", () => {
    expect([errorText(told, 'Fallback'), errorDetail(told)]).toEqual([told.message, undefined])
    expect([errorText(silent, 'Fallback'), errorDetail(silent)]).toEqual(['Fallback', silent.message])
    expect(errorText(new TypeError('x is not a function'), 'Fallback')).toBe('Fallback')
  })
  it('in one line is a sentence each', () => {
    expect(errorInFull(told, 'Not saved')).toBe(told.message)
    for (const fallback of ['Not saved', 'Not saved.'])
      expect(errorInFull(unreachable, fallback)).toBe('Not saved. The server cannot be reached.')
  })
})

describe('a read that failed', () => {
  it('is logged by the call that it was, unless the page was left', async () => {
    const warn = vi.fn()
    const client = createQueryClient(warn)
    const queryKey = endpointKey(models, {})
    for (const error of [new DOMException('The user aborted a request.', 'AbortError'), told])
      await client.fetchQuery({ queryKey, queryFn: () => Promise.reject(error) }).catch(() => undefined)
    expect(warn.mock.calls).toEqual([['trading GET /api/ml/models could not be read.', told]])
  })
})

describe('a call', () => {
  const client = (answer: (path: string) => Response) =>
    createClient({ origin: '', token: () => 'mine', fetch: async (input) => answer(String(input)) })
  const refusal = (error: string) => Response.json({ error, code: 'internal' }, { status: 500 })

  it('takes 30 s at most, at both services', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { call } = client(() => refusal('No.'))
    await call(profile, {}).catch(() => undefined)
    await call(models, {}).catch(() => undefined)
    expect(timeout.mock.calls).toEqual([[30_000], [30_000], [30_000]])
    timeout.mockRestore()
  })

  it('falls back to what is public after a failure, and says why that failed too', async () => {
    const asked: string[] = []
    const { call } = client((path) => {
      asked.push(path)
      return path.includes('/public/') ? refusal('The public one.') : refusal('The own one.')
    })
    await expect(call(models, {})).rejects.toThrow('The public one.')
    expect(asked).toEqual(['/bot/api/ml/models', '/bot/public/ml/models'])
  })
})

describe('a refusal of the token', () => {
  it('ends the session that it was about, and none that began meanwhile', async () => {
    const body = { error: 'Your session has ended.', code: 'unauthorized' }
    for (const [now, ended] of [
      ['old', 1],
      ['new', 0],
    ] as const) {
      let token = 'old'
      const onUnauthorized = vi.fn()
      const fetch = async () => {
        token = now
        return Response.json(body, { status: 401 })
      }
      const { call } = createClient({ origin: '', token: () => token, onUnauthorized, fetch })
      await expect(call(profile, {})).rejects.toMatchObject({ status: 401 })
      expect(onUnauthorized).toHaveBeenCalledTimes(ended)
    }
  })
})

describe('another try', () => {
  it('is made where nobody answered or the service was not ready, not where it refused', () => {
    expect(isTransient(unreachable)).toBe(true)
    expect(isTransient(new ApiError(503, 'unavailable', 'Starting.', true))).toBe(true)
    expect([told, silent, new Error('x')].map(isTransient)).toEqual([false, false, false])
  })
})
