import type { AddressInfo } from 'node:net'
import { AppError } from '@shapecast/contracts/errors'
import type { StreamEvent } from '@shapecast/contracts/stream'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addJob } from '../../../test/support/add-job.ts'
import { insertBot } from '../../../test/support/insert-bot.ts'
import { createServiceBench, type Person, type ServiceBench } from '../../../test/support/service-bench.ts'
import { createEventHub, type EventHub, type Outgoing, shownTo } from './event-hub.ts'
import { createEventWriter } from './event-writer.ts'
import { type Listener, listenToMessages } from './listener.ts'
import { CHANNEL, type LiveMessage, packMessages, readMessages, sendMessages } from './live-messages.ts'
import { registerStream } from './routes.ts'

const price = (last: number, symbol = 'BTCUSDT'): LiveMessage => ({
  t: 'ticker',
  venue: 'simulated',
  ticker: { symbol, last, change: null, percentage: null, timestamp: 0 },
})
const candle = (ts: number, closed: boolean, close = 1): LiveMessage => ({
  t: 'candle',
  venue: 'simulated',
  symbol: 'BTCUSDT',
  timeframe: '1m',
  row: [ts, 1, 2, 1, close, 5],
  closed,
})
const CANDLES = { kind: 'candle', symbol: 'BTCUSDT', timeframe: '1m' } as const
const PRICE = { kind: 'ticker', symbol: 'BTCUSDT' } as const
const hubOf = (mostKept?: number) =>
  createEventHub({ venue: 'simulated', now: Date.now, ...(mostKept === undefined ? {} : { mostKept }) })
function read(hub: EventHub, lastId: string | null = null, topics = [CANDLES, PRICE] as const) {
  const got: Outgoing[] = []
  const end = hub.subscribe({ topics, viewer: null, lastId, send: (event) => void got.push(event) })
  const said = () =>
    got.map(({ event }) => (event.event === 'candle' ? [event.data.candle[0], event.data.closed] : event.event))
  return { got, said, end }
}

describe('the hub', () => {
  it('begins with the newest of each price and candle, then says what comes, of its own venue and topics only', () => {
    const hub = hubOf()
    hub.publish([price(1), candle(60, false), price(2), candle(60, false, 2)])
    const reader = read(hub)
    expect(reader.got.map(({ event }) => event)).toMatchObject([
      { event: 'ticker', data: { last: 2 } },
      { event: 'candle', data: { candle: [60, 1, 2, 1, 2, 5], closed: false } },
    ])
    hub.publish([price(3, 'ETHUSDT'), { ...candle(60, true), venue: 'replay' } as LiveMessage, candle(60, true)])
    expect(reader.said().slice(2)).toEqual([[60, true]])
    reader.end()
    hub.publish([price(4)])
    expect(reader.got.length).toBe(3)
  })

  it('goes on after the last event that a reader has: every closed candle, and of what forms the newest', () => {
    const hub = hubOf()
    const first = read(hub)
    hub.publish([candle(0, false)])
    first.end()
    const lastId = first.got.at(-1)!.id
    hub.publish([candle(0, true), candle(60, false), candle(60, true), candle(120, false, 1), candle(120, false, 2)])
    expect(read(hub, lastId).said()).toEqual([
      [0, true],
      [60, true],
      [120, false],
    ])
    const all = read(hub, lastId)
    expect(read(hub, all.got.at(-1)!.id).said()).toEqual([])
  })

  it('says reset where the last event is of another process, or too long ago, or something was missed', () => {
    const hub = hubOf(2)
    expect(read(hub, 'other-5').said()).toEqual(['reset'])
    hub.publish([candle(0, true)])
    const reader = read(hub)
    hub.publish([candle(60, true)])
    const early = reader.got[0]!.id
    hub.publish([candle(120, true)])
    expect(read(hub, early).said()).toEqual([[120, true]])
    hub.publish([candle(180, true), candle(240, true)])
    expect(read(hub, early).said()[0]).toBe('reset')
    hub.reset()
    expect(reader.said().at(-1)).toBe('reset')
    expect(read(hub, reader.got[0]!.id).said()).toEqual(['reset'])
  })

  it('ends the wait for each job where something was missed', async () => {
    const hub = hubOf(2)
    const { signal } = new AbortController()
    const one = hub.jobEnded('x', signal)
    hub.reset()
    await one
    const both = ['x', 'y'].map((id) => hub.jobEnded(id, signal))
    hub.reset()
    await Promise.all(both)
  })

  it('shows jobs to who asked for them and to admins, downloads to managers too', () => {
    const job = {
      t: 'job',
      kind: 'training',
      id: 'x',
      userId: 'u',
      joined: [] as string[],
      visibility: 'askers',
      status: 'running',
      current: 1,
      total: 2,
    } as const
    const seen = (message: LiveMessage) =>
      [
        null,
        { userId: 'u', role: 'user' },
        { userId: 'v', role: 'user' },
        { userId: 'v', role: 'bot_manager' },
        { userId: 'v', role: 'admin' },
      ].map((viewer) => shownTo(message, viewer as never) !== null)
    expect(seen(job)).toEqual([false, true, false, false, true])
    expect(seen({ ...job, kind: 'download', visibility: 'managers' })).toEqual([false, true, false, true, true])
    expect(seen({ ...job, userId: null, joined: ['w', 'v'] })).toEqual([false, false, true, true, true])
    expect(seen({ t: 'task', id: 'x' })).toEqual([false, true, true, true, true])
  })

  it('takes a bot that becomes private away from other users, and says nothing of one that always was', () => {
    const bot = {
      t: 'bot',
      id: 'b',
      userId: 'u',
      venue: 'simulated',
      status: 'active',
      name: 'B',
      change: 'changed',
    } as const
    const seen = (isPublic: boolean, wasPublic: boolean) => {
      const message = { ...bot, public: isPublic, wasPublic }
      return [null, { userId: 'u', role: 'user' } as const].map(
        (viewer) => (shownTo(message, viewer)?.data as { change?: string })?.change,
      )
    }
    expect(seen(false, true)).toEqual(['removed', 'changed'])
    expect(seen(true, false)).toEqual(['created', 'changed'])
    expect(seen(false, false)).toEqual([undefined, 'changed'])
    expect(shownTo({ ...bot, public: false, wasPublic: true }, null)).toEqual({
      event: 'bot',
      data: { id: 'b', change: 'removed', status: null, name: null },
    })
  })
})

describe('a slow reader', () => {
  /** Takes one write, then none until it is drained. */
  function slow() {
    const written: string[] = []
    let drain = () => {}
    let destroyed = false
    const raw = {
      write: (text: string) => {
        written.push(text)
        return false
      },
      once: (_: string, then: () => void) => {
        drain = then
      },
      destroy: () => {
        destroyed = true
      },
    }
    return { raw: raw as never, written, drain: () => drain(), destroyed: () => destroyed }
  }
  const event = (n: number, key: string): Outgoing => ({
    id: `e-${n}`,
    key,
    event: { event: 'ticker', data: { symbol: 'BTCUSDT', last: n, change: null, percentage: null, timestamp: 0 } },
  })

  it('gets the newest of each topic when it reads on, and nothing is queued meanwhile', () => {
    const { raw, written, drain } = slow()
    const writer = createEventWriter(raw, () => 0)
    for (let n = 0; n < 10_000; n++) writer.send(event(n, n % 2 === 0 ? 'even' : 'odd'))
    expect(written.length).toBe(1)
    drain()
    expect(written.length).toBe(2)
    expect([...written[1]!.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual(['e-9998', 'e-9999'])
  })

  it('gets every closed candle', () => {
    const { raw, written, drain } = slow()
    const writer = createEventWriter(raw, () => 0)
    const hub = hubOf()
    hub.subscribe({ topics: [CANDLES], viewer: null, lastId: null, send: writer.send })
    hub.publish([candle(0, true), candle(60, true), candle(120, true), candle(180, false), candle(180, false, 2)])
    drain()
    const rows = [...written[1]!.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!).candle)
    expect(rows.map((row) => [row[0], row[4]])).toEqual([
      [60, 1],
      [120, 1],
      [180, 2],
    ])
  })

  it('is told to read again where too much waits, and is let go where it takes nothing for a minute', () => {
    let now = 0
    const { raw, written, drain, destroyed } = slow()
    const writer = createEventWriter(raw, () => now)
    for (let n = 0; n < 600; n++) writer.send(event(n, `job ${n}`))
    drain()
    expect(written[1]).toMatch(/event: reset/)
    now = 60_001
    writer.beat()
    expect(destroyed()).toBe(true)
  })
})

it('packs messages into notifications under 8,000 bytes and reads them back; what is none of ours is left out', () => {
  const messages = Array.from({ length: 200 }, (_, i) => price(i))
  const payloads = packMessages(messages)
  expect(payloads.length).toBeGreaterThan(1)
  expect(Math.max(...payloads.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000)
  expect(payloads.flatMap(readMessages)).toEqual(messages)
  expect(readMessages('[{"t":"later"},17]')).toEqual([])
  expect(readMessages('{')).toEqual([])
})

describe('over HTTP, from another process', () => {
  let bench: ServiceBench
  beforeAll(async () => {
    bench = await createServiceBench()
  })
  afterAll(() => bench?.close())

  let hub: EventHub
  let listener: Listener
  let app: FastifyInstance
  let address = ''
  const looks: unknown[] = []
  beforeEach(async () => {
    hub = hubOf()
    listener = await listenToMessages({
      url: bench.db.url,
      log: silentLogger(),
      onMessages: hub.publish,
      onGap: hub.reset,
    })
    app = bench.mount((service) =>
      registerStream(service, {
        hub,
        now: Date.now,
        requireSymbol: async (symbol) => {
          if (symbol !== 'BTCUSDT') throw new AppError('unknown_symbol', `There is no ${symbol}.`)
        },
        use: (topics) => void looks.push(...topics),
      }),
    )
    await app.listen({ host: '127.0.0.1', port: 0 })
    address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    await listener.stop()
    await app.close()
  })

  async function follow(path: string, as: Person | null = null, lastId?: string) {
    const reply = await fetch(`${address}${path}`, {
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
    })
    const events: { id: string; event: string; data: StreamEvent['data'] }[] = []
    const reading = (async () => {
      let text = ''
      for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const parts = text.split('\n\n')
        text = parts.pop()!
        for (const part of parts) {
          const { id, event, data } = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
          if (data !== undefined) events.push({ id, event, data: JSON.parse(data) })
        }
      }
    })()
    return { reply, events, reading }
  }

  it('streams prices that another process announces, resumes, and ends when the service does', async () => {
    const { pool } = bench.db
    const first = await follow('/public/stream?topics=ticker:BTCUSDT,candle:BTCUSDT:1m')
    expect(first.reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(looks.slice(-2)).toEqual([PRICE, CANDLES])
    await sendMessages(pool, [candle(0, true), price(5)])
    await eventually(() => expect(first.events.map(({ event }) => event)).toEqual(['candle', 'ticker']))
    await sendMessages(pool, [candle(60, true)])
    await eventually(() => expect(first.events.length).toBe(3))
    const again = await follow('/public/stream?topics=candle:BTCUSDT:1m', null, first.events[0]!.id)
    await eventually(() => expect(again.events).toEqual([first.events[2]]))
    await app.close()
    await Promise.all([first.reading, again.reading])
  })

  it('shows a private bot and its jobs to its owner alone, as the database changes', async () => {
    const { owner, other } = bench.users
    const [mine, stranger, anybody] = await Promise.all([
      follow('/api/stream?topics=bots,jobs', owner),
      follow('/api/stream?topics=bots,jobs', other),
      follow('/public/stream?topics=bots,jobs', owner),
    ])
    const hidden = await insertBot(bench.db, owner.userId, { visibility: 'private' })
    const shown = await insertBot(bench.db, owner.userId, { visibility: 'public' })
    await addJob(bench.db, { kind: 'backtest', userId: owner.userId })
    await eventually(() => expect(mine.events.length).toBe(3))
    expect(mine.events.map(({ data }) => data)).toMatchObject([
      { id: hidden, change: 'created' },
      { id: shown, change: 'created', status: 'stopped', name: 'B' },
      { kind: 'backtest', status: 'queued', progress: { current: 0, total: 9 } },
    ])
    await bench.db.pool.query("update trading.bots set visibility = 'private' where id = $1", [shown])
    for (const { events } of [stranger, anybody]) {
      await eventually(() => expect(events.length).toBe(2))
      expect(events.map(({ data }) => data)).toMatchObject([
        { id: shown, change: 'created' },
        { id: shown, change: 'removed' },
      ])
    }
  })

  it('says reset to open streams after the connection to the database was lost', async () => {
    const reader = await follow('/public/stream?topics=ticker:BTCUSDT')
    await bench.db.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shapecast-listener' and datname = current_database()",
    )
    await eventually(() => expect(reader.events.map(({ event }) => event)).toEqual(['reset']))
    await bench.db.pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify([price(9)])])
    await eventually(() => expect(reader.events.at(-1)!.data).toMatchObject({ last: 9 }))
  })

  it.each([
    ['/public/stream', 400],
    ['/public/stream?topics=nonsense', 400],
    ['/public/stream?topics=candle:BTCUSDT:2h', 400],
    [`/public/stream?topics=${Array.from({ length: 21 }, (_, i) => `ticker:A${i}USDT`).join()}`, 400],
    ['/public/stream?topics=ticker:NOPEUSDT', 422],
    ['/api/stream?topics=jobs', 401],
  ])('refuses %s with %i', async (path, status) => {
    expect((await app.inject(path)).statusCode).toBe(status)
  })
})
