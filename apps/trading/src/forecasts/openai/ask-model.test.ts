import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { openModel } from './ask-model.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const GOOD = { signal: 'BUY', confidence: 0.7, stopLoss: 95, reasoning: 'It rises.' }
const completion = (content: unknown, more: object = {}) => ({
  choices: [
    { finish_reason: 'stop', message: { content: typeof content === 'string' ? content : JSON.stringify(content) } },
  ],
  usage: { prompt_tokens: 1200, completion_tokens: 40 },
  ...more,
})
const answering = (body: unknown, status = 200) =>
  serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
const ask = async (baseUrl: string, how: { tryMs?: number; totalMs?: number; retries?: number } = {}) => {
  const model = await openModel({ apiKey: 'sk-secret', baseUrl, model: 'm', retries: 0, ...how })
  return model([{ role: 'user', content: 'now?' }])
}

describe('a language model that is asked', () => {
  it('gets the messages and a closed schema, under the key; its decision and its tokens come back', async () => {
    let asked: { url?: string | undefined; key?: string | undefined; body: Record<string, unknown> } | undefined
    const url = await serve((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      request.on('end', () => {
        asked = { url: request.url, key: request.headers.authorization, body: JSON.parse(text) }
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(completion(GOOD)))
      })
    })
    expect(await ask(url)).toEqual({ decision: GOOD, failure: null, status: null, inputTokens: 1200, outputTokens: 40 })
    expect(asked).toMatchObject({ url: '/v1/chat/completions', key: 'Bearer sk-secret' })
    expect(asked!.body).toMatchObject({
      model: 'm',
      messages: [{ role: 'user', content: 'now?' }],
      response_format: { type: 'json_schema', json_schema: { strict: true, schema: { additionalProperties: false } } },
    })
  })

  it.each<[what: string, body: unknown]>([
    ['a size of its own', completion({ ...GOOD, positionSize: 1000 })],
    ['another signal', completion({ ...GOOD, signal: 'SELL EVERYTHING' })],
    ['a confidence of 7', completion({ ...GOOD, confidence: 7 })],
    ['a stop-loss in words', completion({ ...GOOD, stopLoss: '95' })],
    ['a missing field', completion({ signal: 'BUY' })],
    ['words around its JSON', completion(`Sure! ${JSON.stringify(GOOD)}`)],
    [
      'an answer cut off',
      completion(GOOD, { choices: [{ finish_reason: 'length', message: { content: JSON.stringify(GOOD) } }] }),
    ],
    ['no choice', { choices: [] }],
    ['no content', completion('', { choices: [{ finish_reason: 'stop', message: { content: null } }] })],
    ['null', 'null'],
    ['JSON that ends early', '{"choices": ['],
    ['an endless nesting', '['.repeat(100_000)],
    ['more than 256 KiB', completion({ ...GOOD, reasoning: 'x'.repeat(300_000) })],
  ])('%s is no decision', async (_what, body) => {
    expect(await ask(await answering(body))).toMatchObject({ decision: null, failure: 'bad_output' })
  })

  it('a page in place of JSON is no decision', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<h1>Welcome</h1>')
    })
    expect(await ask(url)).toMatchObject({ decision: null, failure: 'bad_output' })
  })

  it('a body without an end is cut off', async () => {
    let sent = 0
    let gone: () => void = () => {}
    const closed = new Promise<void>((resolve) => {
      gone = resolve
    })
    const url = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json')
      const more = () => {
        while (response.write('x'.repeat(65_536))) sent += 65_536
      }
      response.on('drain', more)
      response.on('close', gone)
      more()
    })
    expect(await ask(url)).toMatchObject({ decision: null, failure: 'bad_output' })
    await closed
    expect(sent).toBeLessThan(50_000_000)
  })

  it('a refusal is told as one, and its tokens count', async () => {
    const refusal = completion('', {
      choices: [{ finish_reason: 'stop', message: { content: null, refusal: 'No advice.' } }],
    })
    expect(await ask(await answering(refusal))).toEqual({
      decision: null,
      failure: 'refused',
      status: null,
      inputTokens: 1200,
      outputTokens: 40,
    })
  })

  it('usage that makes no sense counts as none', async () => {
    const odd = completion(GOOD, { usage: { prompt_tokens: -5, completion_tokens: 1e300 } })
    expect(await ask(await answering(odd))).toMatchObject({ decision: GOOD, inputTokens: 0, outputTokens: 0 })
  })

  it('a wrong key is asked about once; an overloaded server again, until it answers', async () => {
    let calls = 0
    const url = await serve((request, response) => {
      calls++
      const first = calls % 2 === 1
      const wrong = request.headers.authorization !== 'Bearer sk-secret'
      response.writeHead(wrong ? 401 : first ? 503 : 200, { 'content-type': 'application/json', 'retry-after-ms': '1' })
      response.end(JSON.stringify(first ? { error: { message: 'sk-secret' } } : completion(GOOD)))
    })
    expect(await ask(url, { retries: 2 })).toMatchObject({ decision: GOOD })
    expect(calls).toBe(2)
    const stranger = await openModel({ apiKey: 'sk-other', baseUrl: url, model: 'm', retries: 2 })
    expect(await stranger([])).toMatchObject({ decision: null, failure: 'rejected', status: 401 })
    expect(calls).toBe(3)
    expect(await ask(await answering('{}', 503), { retries: 1 })).toMatchObject({ failure: 'unreachable', status: 503 })
  })

  it('a server that says nothing, or lets its answer drip, is given up; one that is not there is told as such', async () => {
    const silent = await serve(() => {})
    expect(await ask(silent, { tryMs: 30 })).toMatchObject({ decision: null, failure: 'timed_out' })
    const dripping = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.write('{"choices"')
    })
    expect(await ask(dripping, { totalMs: 100 })).toMatchObject({ decision: null, failure: 'timed_out' })
    expect(await ask('http://127.0.0.1:1/v1')).toMatchObject({ decision: null, failure: 'unreachable' })
  })

  it('a redirect takes the key nowhere else', async () => {
    let reached = false
    const other = await serve((_request, response) => {
      reached = true
      response.end()
    })
    const url = await serve((_request, response) => {
      response.writeHead(307, { location: `${other}/chat/completions` })
      response.end()
    })
    expect(await ask(url)).toMatchObject({ decision: null, failure: 'unreachable' })
    expect(reached).toBe(false)
  })
})
