import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../logging.ts'
import { createHttp } from './build-service.ts'
import { callerOf, limitRate } from './rate-limit.ts'

describe('the limit of calls', () => {
  const open: ReturnType<typeof createHttp>[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await Promise.all(open.splice(0).map((fastify) => fastify.close()))
  })
  async function build(callsAMinute: number, proxies = 0) {
    const fastify = createHttp(silentLogger(), { proxies })
    open.push(fastify)
    await limitRate(fastify, { callsAMinute, counts: (url) => url.startsWith('/api/') })
    fastify.get('/api/a', async () => 'a')
    fastify.get('/page', async () => 'page')
    return (url: string, remoteAddress = '10.0.0.1', headers: Record<string, string> = {}) =>
      fastify.inject({ url, remoteAddress, headers })
  }

  it('refuses the third call where two a minute are allowed, says for how long, and lets in after that', async () => {
    const get = await build(2)
    const first = await get('/api/a')
    expect([first.statusCode, first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']]).toEqual([
      200,
      '2',
      '1',
    ])
    vi.advanceTimersByTime(20_500)
    expect((await get('/api/a')).headers['x-ratelimit-remaining']).toBe('0')
    const refused = await get('/api/a')
    expect([refused.statusCode, refused.json()]).toEqual([
      429,
      { error: 'Too many requests. Wait a moment and try again.', code: 'too_many_requests' },
    ])
    // 60 s after the first call: 39.5 s, said in whole seconds.
    expect([refused.headers['retry-after'], refused.headers['x-ratelimit-reset']]).toEqual(['40', '40'])
    expect(refused.headers['x-ratelimit-remaining']).toBe('0')
    vi.advanceTimersByTime(39_500)
    expect((await get('/api/a')).statusCode).toBe(200)
  })

  it('counts each caller by itself, what is not found too, and what is not of a service never', async () => {
    const get = await build(1)
    expect((await get('/api/nothing')).statusCode).toBe(404)
    expect((await get('/api/a')).statusCode).toBe(429)
    expect((await get('/api/a', '10.0.0.2')).statusCode).toBe(200)
    const page = await get('/page')
    expect([page.statusCode, page.headers['x-ratelimit-limit']]).toEqual([200, undefined])
  })

  it('takes the address that a proxy names only from a proxy that is trusted', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const trusting = await build(1, 1)
    expect((await trusting('/api/a', '10.0.0.1', from('1.1.1.1'))).statusCode).toBe(200)
    expect((await trusting('/api/a', '10.0.0.1', from('2.2.2.2'))).statusCode).toBe(200)
    expect((await trusting('/api/a', '10.0.0.1', from('1.1.1.1'))).statusCode).toBe(429)
    const direct = await build(1)
    expect((await direct('/api/a', '10.0.0.1', from('1.1.1.1'))).statusCode).toBe(200)
    expect((await direct('/api/a', '10.0.0.1', from('2.2.2.2'))).statusCode).toBe(429)
  })

  it('takes what our own proxies say of their callers, and nothing that a caller wrote there before them', async () => {
    for (const [proxies, real] of [
      [1, '7.7.7.7'],
      [2, '7.7.7.7, 10.0.0.9'],
    ] as const) {
      const get = await build(1, proxies)
      const forged = (address: string) => ({ 'x-forwarded-for': `${address}, ${real}` })
      expect((await get('/api/a', '10.0.0.1', forged('1.1.1.1'))).statusCode).toBe(200)
      expect((await get('/api/a', '10.0.0.1', forged('2.2.2.2'))).statusCode).toBe(429)
    }
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8::'],
    ['fe80::1%eth0', 'fe80::'],
    ['1::2:3:4:5:6', '1:0:0:2::'],
    ['not an address', 'not an address'],
  ])('knows %s as %s', (address, caller) => {
    expect(callerOf(address)).toBe(caller)
  })
})
