import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { openApiOf } from '@shapecast/contracts/openapi'
import { endpointsOf } from '@shapecast/contracts/table'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../logging.ts'
import type { Sessions } from '../sessions.ts'
import { buildService, createHttp } from './build-service.ts'
import { registerEndpoint } from './register-endpoint.ts'

describe('a service mounted under a prefix', () => {
  const fastify = createHttp(silentLogger())
  beforeAll(async () => {
    const service = buildService('social', { sessions: {} as Sessions }, (app) => {
      for (const [, endpoint] of endpointsOf('social'))
        registerEndpoint(app, endpoint as AnyEndpoint, () => ({ status: 'ok' }))
    })
    await fastify.register(service, { prefix: '/soc' })
    await fastify.ready()
  })
  afterAll(() => fastify.close())

  it('serves its endpoints there and says so where there is nothing', async () => {
    expect((await fastify.inject('/soc/health')).json()).toEqual({ status: 'ok' })
    expect((await fastify.inject('/soc/nothing')).json()).toMatchObject({ code: 'not_found' })
    expect((await fastify.inject('/health')).statusCode).toBe(404)
  })

  it('serves an address with a slash behind it, and a POST that names a type and has no body', async () => {
    expect((await fastify.inject('/soc/health/')).json()).toEqual({ status: 'ok' })
    const headers = { 'content-type': 'application/json' }
    const refused = await fastify.inject({ method: 'POST', url: '/soc/api/auth/login', headers })
    expect(refused.json()).toMatchObject({ code: 'bad_input', field: 'email' })
  })

  it('does not start without all of its endpoints', async () => {
    const service = buildService('social', { sessions: {} as Sessions }, () => {})
    await expect(createHttp(silentLogger()).register(service)).rejects.toThrow('The social service lacks')
  })

  it('logs no request that went well', async () => {
    const lines: string[] = []
    const chatty = createHttp(pino({ level: 'trace' }, { write: (line) => void lines.push(line) }))
    chatty.get('/', async () => 'well')
    expect((await chatty.inject('/')).body).toBe('well')
    await chatty.close()
    expect(lines).toEqual([])
  })

  it('names the methods of a path that is asked with another one', async () => {
    const reply = await fastify.inject({ method: 'DELETE', url: '/soc/health' })
    expect([reply.statusCode, reply.headers.allow, reply.json()]).toEqual([
      405,
      'GET',
      { error: 'DELETE is not possible here; use GET.', code: 'method_not_allowed' },
    ])
  })

  it('describes every endpoint of the table, its public twin and its errors', async () => {
    const served = (await fastify.inject('/soc/openapi.json')).json()
    expect(served.servers).toEqual([{ url: '/soc' }])
    for (const service of ['social', 'trading'] as const) {
      const { paths } = openApiOf(service, '1', '/') as { paths: Record<string, Record<string, object>> }
      for (const [name, endpoint] of endpointsOf(service))
        for (const path of [endpoint.path, endpoint.publicPath])
          if (path !== undefined)
            expect(paths[path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()], name).toBeDefined()
    }
    expect(served.paths['/api/auth/register'].post.responses).toMatchObject({
      400: { description: 'bad_input' },
      409: { description: 'email_taken, username_taken' },
    })
  })

  it('shows a reference page with every call, without a script of its own, linked to the product', async () => {
    const page = await fastify.inject('/soc/docs')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const [, endpoint] of endpointsOf('social')) {
      const path = `/soc${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
      expect(page.body).toContain(`<code>${path.replaceAll('/', '/<wbr>')}</code>`)
    }
    expect(page.body).not.toContain('`')
    expect(page.body).toContain('<a class="home" href="/dashboard">')
    expect(page.headers['content-security-policy']).toMatch(/style-src 'sha256-[\w+/]{43}=';/)
    expect(page.body.match(/<script[^>]*>/g)).toEqual(['<script src="/scheme.js">'])
    expect(page.body).toMatch(/ {2}email: string /)
  })
})
