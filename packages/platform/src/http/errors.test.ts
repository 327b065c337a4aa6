import { AppError } from '@shapecast/contracts/errors'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { answerTo, handleError } from './errors.ts'

/** What is logged where a request meets an error. */
async function loggedAt(error: Error): Promise<{ status: number; lines: Record<string, unknown>[] }> {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const fastify = Fastify({ loggerInstance: pino({ level: 'warn' }, stream) })
  fastify.setErrorHandler(handleError)
  fastify.get('/price', () => Promise.reject(error))
  const { statusCode: status } = await fastify.inject('/price')
  await fastify.close()
  return { status, lines }
}
const WARN = 40
const ERROR = 50

it('logs what will pass by itself as a line that says why, without a stack', async () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:443')
  const away = new AppError('venue_unreachable', 'binance does not answer.', {
    cause: new Error('fetch', { cause: refused }),
  })
  const { status, lines } = await loggedAt(away)
  expect(status).toBe(503)
  expect(lines).toMatchObject([
    { level: WARN, code: 'venue_unreachable', path: '/price', why: 'connect ECONNREFUSED 127.0.0.1:443' },
  ])
  expect(JSON.stringify(lines)).not.toContain('errors.test')
  const query = new Error('Failed query: select secret', {
    cause: Object.assign(new Error('going down'), { code: '57P01' }),
  })
  expect((await loggedAt(query)).lines).toMatchObject([{ level: WARN, code: 'unavailable', why: 'going down' }])
})

it('logs a fault of ours with its stack, and an expected refusal not at all', async () => {
  const { status, lines } = await loggedAt(new TypeError('a fault'))
  expect(status).toBe(500)
  expect(lines).toMatchObject([
    { level: ERROR, err: { message: 'a fault', stack: expect.stringContaining('errors.test') } },
  ])
  expect((await loggedAt(new AppError('not_found', 'There is none.'))).lines).toEqual([])
})

it.each([
  [400, 400, 'bad_input', 'cannot be understood'],
  [404, 404, 'not_found', 'nothing here'],
  [412, 412, 'precondition_failed', 'another one by now'],
  [413, 413, 'payload_too_large', 'too large'],
  [415, 400, 'bad_input', 'as JSON'],
  [416, 416, 'range_not_satisfiable', 'ends before'],
  [499, 400, 'bad_input', 'cannot be understood'],
  [500, 500, 'internal', 'on our side'],
])('what the server itself refuses with %d is told as %d %s', (statusCode, status, code, words) => {
  const error = Object.assign(new Error('insides'), { statusCode })
  expect(answerTo(error)).toMatchObject({ status, body: { code, error: expect.stringContaining(words) } })
})

it('a range beyond the end of a file is answered with the length of the file', () => {
  const headers = { 'content-range': 'bytes */5' }
  expect(answerTo({ statusCode: 416, headers })).toMatchObject({ status: 416, headers })
})
