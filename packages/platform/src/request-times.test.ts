import { describe, expect, it } from 'vitest'
import { createHttp } from './http/build-service.ts'
import { silentLogger } from './logging.ts'
import { RequestTimes } from './request-times.ts'

/** The value of a line of the text format, by its name and all of its labels. */
const sampleOf = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('times of requests', () => {
  it('are counted by listener, method, route and status; what is not found under one name', async () => {
    const times = new RequestTimes()
    const fastify = createHttp(silentLogger())
    times.observe(fastify, 'gateway')
    await fastify.register(async (service) => {
      service.get('/bots/:id', async (request) => request.params)
      service.get('/fails', async () => {
        throw new TypeError('a bug')
      })
    })
    for (const url of ['/bots/1', '/bots/2', '/fails', '/nothing', '/nowhere']) await fastify.inject(url)
    await fastify.inject({ method: 'HEAD', url: '/bots/3' })
    await fastify.close()
    const text = times.text()
    const countOf = (method: string, route: string, status: number) =>
      sampleOf(
        text,
        `shapecast_http_request_seconds_count{listener="gateway",method="${method}",route="${route}",status="${status}"}`,
      )
    expect(countOf('GET', '/bots/:id', 200)).toBe(2)
    expect(countOf('HEAD', '/bots/:id', 200)).toBe(1)
    expect(countOf('GET', '/fails', 500)).toBe(1)
    expect(countOf('GET', 'unknown', 404)).toBe(2)
    expect(text.match(/_count\{/g)).toHaveLength(4)
  })

  it('fall into cumulative buckets, whose last one is the count', async () => {
    const times = new RequestTimes()
    const fastify = createHttp(silentLogger())
    times.observe(fastify, 'a "quoted" one')
    fastify.get('/slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return ''
    })
    fastify.get('/quick', () => '')
    await Promise.all([fastify.inject('/slow'), fastify.inject('/slow')])
    await fastify.close()
    const text = times.text()
    const labels = 'listener="a \\"quoted\\" one",method="GET",route="/slow",status="200"'
    const bucket = (le: string) => sampleOf(text, `shapecast_http_request_seconds_bucket{le="${le}",${labels}}`)
    expect([bucket('0.005'), bucket('0.05'), bucket('30'), bucket('+Inf')]).toEqual([0, 0, 2, 2])
    expect(sampleOf(text, `shapecast_http_request_seconds_sum{${labels}}`)).toBeGreaterThan(0.119)
    expect(text.startsWith('# HELP shapecast_http_request_seconds ')).toBe(true)
    expect(text).toContain('# TYPE shapecast_http_request_seconds histogram\n')
  })
})
