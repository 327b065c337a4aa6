import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchOnce } from './client.ts'

const PROFILE = '/soc/api/auth/profile'
const asked = vi.fn(async (_url: string, _init: unknown) => new Response('asked now'))
const get = (token: string, signal?: AbortSignal) =>
  fetchOnce(PROFILE, { method: 'GET', headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) })
const textOf = async (reply: Promise<Response>) => (await reply).text()

beforeEach(() => void asked.mockClear())
afterEach(() => vi.unstubAllGlobals())

/** A page that has asked for the profile by token `a` itself. */
function pageAsked(answer: Promise<Response>): void {
  const firstCalls = { authorization: 'Bearer a', answers: new Map([[PROFILE, answer]]) }
  vi.stubGlobal('window', { fetch: asked, firstCalls })
}

it('hands on what the page has asked for, once', async () => {
  pageAsked(Promise.resolve(new Response('asked before')))
  expect(await textOf(get('a'))).toBe('asked before')
  expect(asked).not.toHaveBeenCalled()
  expect(await textOf(get('a'))).toBe('asked now')
})

it.each([
  ['was refused', () => Promise.resolve(new Response('no', { status: 401 }))],
  ['did not come', () => Promise.reject(new TypeError('network'))],
])('asks again for what %s', async (_, answer) => {
  pageAsked(answer())
  expect(await textOf(get('a'))).toBe('asked now')
})

it('hands nobody the answer that another person was given', async () => {
  pageAsked(Promise.resolve(new Response('of a')))
  expect(await textOf(get('b'))).toBe('asked now')
})

it('gives up when its caller has given up', async () => {
  pageAsked(Promise.resolve(new Response('asked before')))
  await expect(get('a', AbortSignal.abort())).rejects.toThrow('aborted')
})

it('asks as ever on a page that has asked for nothing', async () => {
  vi.stubGlobal('window', { fetch: asked })
  expect(await textOf(get('a'))).toBe('asked now')
})
