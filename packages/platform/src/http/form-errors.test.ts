import { tradingEndpoint } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLogger } from '../logging.ts'
import type { Sessions } from '../sessions.ts'
import { createHttp } from './build-service.ts'
import { formError } from './errors.ts'
import { registerEndpoint } from './register-endpoint.ts'

const upload = tradingEndpoint('POST /files', {
  touches: [],
  summary: '',
  access: 'public',
  bodyKind: 'multipart',
  reply: z.array(z.number()),
})
const fastify = createHttp(silentLogger())
registerEndpoint(
  { name: 'trading', fastify, sessions: {} as Sessions, registered: new Set() },
  upload,
  async ({ request }) => {
    if (!request.isMultipart()) throw new AppError('bad_input', 'The handler wants a form.')
    const sizes: number[] = []
    for await (const part of request.files({ limits: { files: 1 } })) sizes.push((await part.toBuffer()).length)
    return sizes
  },
)
afterAll(() => fastify.close())

const part = (boundary: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n`
const send = (type: string, payload: string) =>
  fastify.inject({ method: 'POST', url: '/files', headers: { 'content-type': type }, payload })

it('what is not the fault of the form stays what it is', () => {
  const ours = [new TypeError('a bug'), new AppError('not_found', 'There is no such model.'), 'thrown text', null]
  for (const error of ours) expect(formError(error)).toBe(error)
})

describe('a form with files', () => {
  it('is read', async () => {
    const reply = await send('multipart/form-data; boundary=x', `${part('x')}--x--`)
    expect(reply.json()).toEqual({ data: [3] })
  })

  const long = 'y'.repeat(300)
  it.each([
    ['without a boundary', 'multipart/form-data', part('x'), 'The form cannot be read'],
    [
      'with a boundary that is too long',
      `multipart/form-data; boundary=${long}`,
      part(long),
      'The form cannot be read',
    ],
    ['cut off within a file', 'multipart/form-data; boundary=x', part('x').slice(0, -3), 'The form cannot be read'],
    ['cut off within its head', 'multipart/form-data; boundary=x', '--x\r\nrubbish', 'The form cannot be read'],
    [
      'with more files than it may have',
      'multipart/form-data; boundary=x',
      `${part('x')}${part('x')}--x--`,
      'more parts',
    ],
    ['that is another kind of text', 'text/csv', 'a,b', 'Send the files as multipart/form-data'],
    ['that is broken JSON', 'application/json', '{', 'Send the files as multipart/form-data'],
    ['that is JSON', 'application/json', '{}', 'The handler wants a form'],
  ])('%s is refused with what to do', async (_what, type, payload, text) => {
    const reply = await send(type, payload)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_input'])
    expect(reply.json().error).toContain(text)
  })
})
