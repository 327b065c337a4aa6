import { describe, expect, it } from 'vitest'
import type { Database } from './database/database.ts'
import { createHttp } from './http/build-service.ts'
import { silentLogger } from './logging.ts'
import { createMetrics } from './metrics.ts'

const pool = { totalCount: 3, idleCount: 2, waitingCount: 0 }
const metricsOf = () => createMetrics({ db: { pool } as unknown as Database, queue: null })

/** The value of `shapecast_http_request_seconds_<kind>` whose labels are these, in any order. */
function sampleOf(text: string, kind: string, labels: Record<string, string>): number | undefined {
  const wanted = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  const start = `shapecast_http_request_seconds_${kind}{`
  const line = text.split('\n').find((one) => {
    const found = one.startsWith(start) ? one.slice(start.length, one.lastIndexOf('}')) : null
    return found !== null && found.length === wanted.join(',').length && wanted.every((label) => found.includes(label))
  })
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')))
}

describe('times of requests', () => {
  it('are counted by listener, method, route and status; what is not found under one name', async () => {
    const metrics = metricsOf()
    const fastify = createHttp(silentLogger())
    metrics.observe(fastify, 'gateway')
    await fastify.register(async (service) => {
      service.get('/bots/:id', async (request) => request.params)
      service.get('/fails', async () => {
        throw new TypeError('a bug')
      })
    })
    for (const url of ['/bots/1', '/bots/2', '/fails', '/nothing', '/nowhere']) await fastify.inject(url)
    await fastify.inject({ method: 'HEAD', url: '/bots/3' })
    await fastify.close()
    const text = await metrics.text()
    const countOf = (method: string, route: string, status: string) =>
      sampleOf(text, 'count', { listener: 'gateway', method, route, status })
    expect(countOf('GET', '/bots/:id', '200')).toBe(2)
    expect(countOf('HEAD', '/bots/:id', '200')).toBe(1)
    expect(countOf('GET', '/fails', '500')).toBe(1)
    expect(countOf('GET', 'unknown', '404')).toBe(2)
    expect(text.match(/request_seconds_count\{/g)).toHaveLength(4)
  })

  it('fall into cumulative buckets, whose last one is the count', async () => {
    const metrics = metricsOf()
    const fastify = createHttp(silentLogger())
    metrics.observe(fastify, 'gateway')
    fastify.get('/slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return ''
    })
    fastify.get('/quick', () => '')
    await Promise.all([fastify.inject('/slow'), fastify.inject('/slow'), fastify.inject('/quick')])
    await fastify.close()
    const text = await metrics.text()
    const labels = { listener: 'gateway', method: 'GET', route: '/slow', status: '200' }
    const bucket = (le: string) => sampleOf(text, 'bucket', { le, ...labels })
    expect([bucket('0.005'), bucket('0.05'), bucket('30'), bucket('+Inf')]).toEqual([0, 0, 2, 2])
    expect(sampleOf(text, 'sum', labels)).toBeGreaterThan(0.1)
    expect(text).toContain('# TYPE shapecast_http_request_seconds histogram\n')
  })
})
