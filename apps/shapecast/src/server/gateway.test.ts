import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { tradingEndpoint } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { Database } from '@shapecast/platform/database/database'
import { registerEndpoint } from '@shapecast/platform/http/register-endpoint'
import { PreparedReply, SharedReply } from '@shapecast/platform/http/shared-reply'
import { silentLogger } from '@shapecast/platform/logging'
import { createMetrics } from '@shapecast/platform/metrics'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildGateway, buildServiceListener } from './gateway.ts'

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(3_000))})`
const PAGE =
  '<!doctype html><title>Shapecast</title><style>b{}</style><script>alert(1)</script><script src="/app.js"></script>'
// openssl dgst -sha256 -binary | base64, of alert(1)
const IN_PAGE = 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='
// The same of nothing, and of b{}
const EMPTY_STYLE = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const STYLE_IN_PAGE = 'sha256-7yqHVAesot11p6HczDsgKRipvI5UPgs97z80zNXlans='
const BODY = Buffer.from(JSON.stringify({ data: 'y'.repeat(3_000) }))
const SHARED = new PreparedReply(BODY)
const get = (path: `/${string}`, reply: z.ZodType) =>
  tradingEndpoint(`GET ${path}`, { summary: '', access: 'public', reply })

/** A service with one reply of each kind. */
const trading: FastifyPluginAsync = async (fastify) => {
  const app = { name: 'trading' as const, fastify, sessions: {} as Sessions, registered: new Set<never>() }
  registerEndpoint(app, get('/health', z.string()), () => 'ok')
  registerEndpoint(app, get('/api/plain', z.string()), () => 'z'.repeat(3_000))
  registerEndpoint(app, { ...get('/api/guarded', z.string()), access: 'user' }, () => 'in')
  registerEndpoint(app, get('/api/shared', z.string()), () => {
    return new SharedReply(SHARED, 'public, max-age=2')
  })
  registerEndpoint(app, get('/api/breaks', z.string()), () => {
    throw new TypeError('a bug')
  })
  fastify.setNotFoundHandler((request) => {
    throw new AppError('not_found', `There is nothing at ${request.url}.`)
  })
  fastify.get('/api/own', (_request, reply) =>
    reply.header('content-security-policy', "default-src 'none'").send('own'),
  )
}

describe('the gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-web-'))
  const pool = { totalCount: 3, idleCount: 2, waitingCount: 0 }
  let fastify: Awaited<ReturnType<typeof buildGateway>>
  const listener = (proxies = 0) => ({
    log: silentLogger(),
    metrics: createMetrics({ db: { pool } as unknown as Database, queue: null }),
    proxies,
    allowedHosts: ['trade.example'],
    callsAMinute: 5,
  })
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), PAGE)
    writeFileSync(join(folder, 'trading.html'), `${PAGE}<p>bots</p>`)
    writeFileSync(join(folder, 'icon.svg'), '<svg/>')
    writeFileSync(join(folder, 'assets/app-1a2b.js'), SCRIPT)
    writeFileSync(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT))
    writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(PAGE))
    writeFileSync(join(folder, 'assets/plain-3c4d.js'), SCRIPT)
    fastify = await buildGateway({
      ...listener(),
      trading,
      social: async () => {},
      webClient: folder,
      metricsToken: null,
    })
  })
  afterAll(async () => {
    await fastify.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let callers = 0
  /** Each as somebody else, so that only the test of the limit meets it. */
  const ask = (url: string, headers: Record<string, string> = {}, remoteAddress = `10.0.0.${++callers}`) =>
    fastify.inject({ url, headers, remoteAddress })

  it.each([
    ['a page', '/', 200],
    ['a screen’s address', '/models/7', 200],
    ['a file', '/assets/app-1a2b.js', 200],
    ['a missing file', '/assets/none.js', 404],
    ['a reply', '/bot/api/plain', 200],
    ['a reply that is shared', '/bot/api/shared', 200],
    ['a failure', '/bot/api/breaks', 500],
    ['what is not found', '/bot/api/nothing', 404],
    ['an address that cannot be read', '/bot/api/%E0%A4%A', 400],
    ['the figures', '/metrics', 200],
  ])('guards %s with the same headers', async (_name, url, status) => {
    const { statusCode, headers } = await ask(url)
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/(?=.*script-src 'self'[ ;])(?=.*frame-ancestors 'none')/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it('runs the scripts that stand in its page, and no other beside its own files', async () => {
    const policy = String((await ask('/')).headers['content-security-policy'])
    expect(policy.split(';')).toContain(`script-src 'self' '${IN_PAGE}'`)
  })

  it('takes the styles that stand in its page, empty ones and its own files, and none that somebody writes into it', async () => {
    const policy = String((await ask('/')).headers['content-security-policy'])
    expect(policy.split(';')).toContain(`style-src 'self' '${EMPTY_STYLE}' '${STYLE_IN_PAGE}'`)
  })

  it.each([
    ['localhost:8080', 200],
    ['shapecast.localhost', 200],
    ['127.0.0.1:8080', 200],
    ['[::1]:8080', 200],
    ['192.168.1.5', 200],
    ['Trade.Example.:8080', 200],
    ['evil.example', 421],
    ['evil.example:8080', 421],
    ['127.0.0.1.evil.example', 421],
    ['trade.example.evil.example', 421],
  ])('answers to its own names and to addresses, everywhere: %s %i', async (host, status) => {
    for (const url of ['/', '/bot/health', '/bot/api/plain', '/metrics']) {
      const reply = await ask(url, { host })
      expect([reply.statusCode, reply.headers['x-content-type-options']], url).toEqual([status, 'nosniff'])
      if (status === 421) expect(reply.json()).toMatchObject({ code: 'unknown_host' })
    }
  })

  it('guards a 304 and a 429 too, and leaves a reply the header that it has set itself', async () => {
    const known = await ask('/bot/api/shared', { 'if-none-match': SHARED.etag })
    expect([known.statusCode, known.headers['x-content-type-options']]).toEqual([304, 'nosniff'])
    for (let i = 0; i < 5; i++) await ask('/bot/api/plain', {}, '10.1.0.1')
    const refused = await ask('/bot/api/plain', {}, '10.1.0.1')
    expect([refused.statusCode, refused.headers['x-content-type-options']]).toEqual([429, 'nosniff'])
    expect((await ask('/bot/api/own')).headers['content-security-policy']).toBe("default-src 'none'")
  })

  it('limits the calls of a service by their caller, shared replies too; not its health, pages and files', async () => {
    const address = '10.2.0.1'
    const left = async () => (await ask('/bot/api/shared', {}, address)).headers['x-ratelimit-remaining']
    expect([await left(), await left(), await left()]).toEqual(['4', '3', '2'])
    for (const url of ['/bot/health', '/', '/icon.svg', '/metrics', '/assets/app-1a2b.js'])
      expect((await ask(url, {}, address)).headers['x-ratelimit-remaining'], url).toBeUndefined()
    expect([await left(), await left()]).toEqual(['1', '0'])
    const refused = await ask('/bot/api/shared', {}, address)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect((await ask('/bot/health', {}, address)).statusCode).toBe(200)
  })

  /** One after the other. */
  const statuses = async (url: string, addresses: readonly string[]) => {
    const found: number[] = []
    for (const address of addresses) found.push((await ask(url, {}, address)).statusCode)
    return found
  }

  it('counts what is not found, and refuses before it looks at a token', async () => {
    for (const [url, status] of [
      ['/bot/api/guarded', 401],
      ['/bot/api/nothing', 404],
    ] as const) {
      const asked = await statuses(url, Array<string>(6).fill(`10.4.0.${status - 400}`))
      expect(asked).toEqual([...Array<number>(5).fill(status), 429])
    }
  })

  it('counts a call by the route that it comes to, however its address is written', async () => {
    const written = [
      '/%62ot/api/plain',
      '/bot/%61pi/plain?/health',
      '/bot/api/plain?/health',
      '/bot/api/plain/',
      '/bot/api/nothing?/health',
    ]
    const address = '10.6.0.1'
    const asked = []
    for (const url of written) asked.push((await ask(url, {}, address)).headers['x-ratelimit-remaining'])
    expect(asked).toEqual(['4', '3', '2', '1', '0'])
    expect((await ask('/%62ot/api/plain', {}, address)).statusCode).toBe(429)
  })

  it('takes the addresses of one IPv6 subnet for one caller, and a mapped IPv4 address for itself', async () => {
    const calls = (...addresses: string[]) => statuses('/bot/api/plain', addresses)
    const subnet = ['::1', '::2', ':3::', ':4:5:6:7', ':FFFF::'].map((end) => `2001:0db8:1:2${end}`)
    expect(await calls(...subnet, '2001:db8:1:2::9', '2001:db8:1:3::9')).toEqual([200, 200, 200, 200, 200, 429, 200])
    const mapped = Array<string>(5).fill('::ffff:10.5.0.1')
    expect(await calls(...mapped, '10.5.0.1', '10.5.0.2')).toEqual([200, 200, 200, 200, 200, 429, 200])
    expect(await calls('fe80::1%eth0', '::1')).toEqual([200, 200])
  })

  it('takes the address that a proxy names only from a proxy that is trusted', async () => {
    for (const trusted of [1, 0]) {
      const service = await buildServiceListener('trading', trading, listener(trusted))
      const from = async (address: string) => {
        const headers = { 'x-forwarded-for': address }
        return (await service.inject({ url: '/api/plain', headers, remoteAddress: '10.0.0.1' })).headers
      }
      const left = [await from('1.1.1.1'), await from('2.2.2.2'), await from('1.1.1.1')].map(
        (headers) => headers['x-ratelimit-remaining'],
      )
      expect(left).toEqual(trusted === 1 ? ['4', '4', '3'] : ['4', '3', '2'])
      await service.close()
    }
  })

  it('lets browsers keep files with a hash for ever, and ask for the page each time', async () => {
    const script = await ask('/assets/app-1a2b.js')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toMatch(/javascript/)
    expect((await ask('/icon.svg')).headers['cache-control']).toBe('no-cache')
    const page = await ask('/bots')
    expect([page.body, page.headers['cache-control']]).toEqual([PAGE, 'no-cache'])
    const etag = String(script.headers.etag)
    expect((await ask('/assets/app-1a2b.js', { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask('/bots', { 'if-none-match': String(page.headers.etag) })).statusCode).toBe(304)
  })

  it('serves nothing but the files of the client', async () => {
    for (const url of [
      '/assets/',
      '/assets/../package.json',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/..%2fgateway.ts',
    ])
      expect([200, 404]).toContain((await ask(url)).statusCode)
    expect((await ask('/assets/%2e%2e%2f%2e%2e%2fpackage.json')).body).not.toContain('dependencies')
    const posted = await fastify.inject({ method: 'POST', url: '/bots' })
    expect([posted.statusCode, posted.json().code]).toEqual([404, 'not_found'])
  })

  it('answers an address with the page of its first part, or else with the one page', async () => {
    for (const path of ['/trading', '/trading?bot=1', '/trading/x', '/trading/v3.1'])
      expect((await ask(path)).body, path).toBe(`${PAGE}<p>bots</p>`)
    for (const path of ['/', '/elsewhere', '/elsewhere/trading']) expect((await ask(path)).body, path).toBe(PAGE)
  })

  it('compresses replies and shared replies for those who take it so', async () => {
    for (const [url, body] of [
      ['/bot/api/plain', JSON.stringify({ data: 'z'.repeat(3_000) })],
      ['/bot/api/shared', String(BODY)],
    ] as const) {
      const zipped = await ask(url, { 'accept-encoding': 'gzip, deflate, br' })
      expect([zipped.headers['content-encoding'], zipped.headers.vary], url).toEqual(['gzip', 'accept-encoding'])
      expect(String(gunzipSync(zipped.rawPayload))).toBe(body)
      const plain = await ask(url)
      expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, body])
    }
  })

  it('sends files as the build has compressed them, and compresses none itself', async () => {
    const take = async (url: string, encodings: string) => {
      const { statusCode, headers, rawPayload } = await ask(url, { 'accept-encoding': encodings })
      expect([statusCode, headers.vary, headers['x-content-type-options']], url).toEqual([
        200,
        'accept-encoding',
        'nosniff',
      ])
      return { encoding: headers['content-encoding'], type: headers['content-type'], tag: headers.etag, rawPayload }
    }
    const script = '/assets/app-1a2b.js'
    const [plain, zipped, brotli] = await Promise.all(
      ['identity', 'gzip', 'gzip, deflate, br'].map((encodings) => take(script, encodings)),
    )
    expect([plain!.encoding, String(plain!.rawPayload)]).toEqual([undefined, SCRIPT])
    expect([zipped!.encoding, String(gunzipSync(zipped!.rawPayload))]).toEqual(['gzip', SCRIPT])
    expect([brotli!.encoding, String(brotliDecompressSync(brotli!.rawPayload))]).toEqual(['br', SCRIPT])
    for (const { type } of [zipped!, brotli!]) expect(type).toBe(plain!.type)
    expect(new Set([plain!.tag, zipped!.tag, brotli!.tag]).size).toBe(3)
    const known = await ask(script, { 'accept-encoding': 'br', 'if-none-match': String(brotli!.tag) })
    expect([known.statusCode, known.body, known.headers['cache-control'], known.headers['x-frame-options']]).toEqual([
      304,
      '',
      'public, max-age=31536000, immutable',
      'SAMEORIGIN',
    ])
    const page = await take('/models/7', 'br')
    expect([page.encoding, page.type, String(brotliDecompressSync(page.rawPayload))]).toEqual([
      'br',
      'text/html; charset=utf-8',
      PAGE,
    ])
    expect((await take('/assets/plain-3c4d.js', 'gzip, br')).encoding).toBeUndefined()
    expect((await ask(`${script}.br`)).statusCode).toBe(404)
  })

  it('sends the part of a file that is asked for', async () => {
    const part = await ask('/assets/app-1a2b.js', { range: 'bytes=2-6' })
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['x-frame-options']]).toEqual([
      206,
      SCRIPT.slice(2, 7),
      `bytes 2-6/${SCRIPT.length}`,
      'SAMEORIGIN',
    ])
  })

  it('says how long a file is to anyone who asks for a part behind its end', async () => {
    for (const [url, length] of [
      ['/assets/app-1a2b.js', SCRIPT.length],
      ['/bots', PAGE.length],
    ] as const) {
      const refused = await ask(url, { range: `bytes=${length}-` })
      expect([refused.statusCode, refused.json().code, refused.headers['content-range']]).toEqual([
        416,
        'range_not_satisfiable',
        `bytes */${length}`,
      ])
    }
    const changed = await ask('/icon.svg', { 'if-match': '"another"' })
    expect([changed.statusCode, changed.json().code]).toEqual([412, 'precondition_failed'])
  })

  it('answers HEAD with the headers alone', async () => {
    const reply = await fastify.inject({ method: 'HEAD', url: '/bot/api/shared', remoteAddress: '10.3.0.1' })
    expect([reply.statusCode, reply.body, reply.headers['content-length']]).toEqual([200, '', String(BODY.length)])
  })

  it('shows its figures to those alone who send the token, where one is set', async () => {
    const deps = { ...listener(), trading, social: async () => {}, webClient: folder }
    const guarded = await buildGateway({ ...deps, metricsToken: 'sesame-sesame-sesame' })
    const status = async (authorization?: string) =>
      (await guarded.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } }))
        .statusCode
    expect([await status(), await status('Bearer sesame'), await status('Bearer sesame-sesame-sesame')]).toEqual([
      401, 401, 200,
    ])
    await guarded.close()
  })

  it('tells Prometheus of its requests by route, of the process and of the connections', async () => {
    const { body, headers } = await ask('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(body).toMatch(
      /shapecast_http_request_seconds_count\{listener="gateway",method="GET",route="\/bot\/api\/shared",status="304"\} 1\n/,
    )
    expect(body).toContain('shapecast_database_connections{state="open"} 3\n')
    expect(body).toContain('process_cpu_user_seconds_total')
  })
})
