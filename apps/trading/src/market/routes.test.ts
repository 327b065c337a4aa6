import { ROLES, type Role } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { createSimulatedVenue } from '@shapecast/venues/simulated/simulated-venue'
import { binanceCsv, randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { zipOf } from '@shapecast/venues/testing/zip'
import type { Venue } from '@shapecast/venues/venue'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { TRADING_MIGRATIONS } from '../../test/support/trading-migrations.ts'
import { followFunding } from './funding/follow-funding.ts'
import { createStoredFunding } from './funding/funding-store.ts'
import { fundingRoutes } from './funding/routes.ts'
import { openVenue } from './open-venue.ts'
import { registerMarketRoutes } from './routes.ts'
import { createStoredCandles } from './stored-candles.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const NOW = Date.UTC(2026, 5, 1, 12, 30)
const unused = () => Promise.reject(new Error('not of this test'))
/** A token is the name of a role. */
const sessions = {
  verify: async (token: string) => {
    const role = ROLES.find((r): r is Role => r === token)
    if (role === undefined) throw new AppError('unauthorized', 'Sign in again.')
    return { userId: '01890000-0000-7000-8000-00000000000a', role, sid: '01890000-0000-7000-8000-00000000000b' }
  },
  issue: unused,
  end: unused,
  endOthers: unused,
  requireProof: unused,
  endAll: unused,
  whenEnded: () => () => {},
}

const db = await createTestDatabase([TRADING_MIGRATIONS])
afterAll(() => db?.close())

const open: ReturnType<typeof createHttp>[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((fastify) => fastify.close()))
})
async function serve(venue: Venue, maxUploadBytes?: number) {
  const fastify = createHttp(silentLogger())
  open.push(fastify)
  const app = { name: 'trading' as const, fastify, sessions, registered: new Set<never>() }
  const downloads = { request: unused, read: unused }
  fundingRoutes(app, { db, venue, fundingOf: createStoredFunding(db.orm, venue.name), now: () => NOW })
  registerMarketRoutes(app, { db, venue, testnet: true, downloads, now: () => NOW, maxUploadBytes })
  return fastify
}
const simulated = () => createSimulatedVenue({ now: () => NOW })
const replay = () =>
  openVenue(
    { market: 'replay', testnet: true, replayFrom: null, replaySpeed: 0 },
    {
      db,
      stored: createStoredCandles(db),
      live: { answers: unused, open: unused },
      log: silentLogger(),
      now: () => NOW,
    },
  )

describe('the market of a fresh installation, simulated', () => {
  it('is 503 with the reason and the shape of its health while the database takes no changes', async () => {
    await db.pool.query(`
      create function read_only() returns trigger language plpgsql as
        $$ begin raise exception 'insides' using errcode = 'read_only_sql_transaction'; end $$;
      create trigger read_only before insert on platform.installation for each row execute function read_only()`)
    const reply = await (await serve(simulated())).inject('/health')
    await db.pool.query('drop function read_only cascade')
    expect(reply.statusCode).toBe(503)
    expect(reply.json()).toEqual({
      error: 'The database takes no changes just now: it is set to read only. Try again in a moment.',
      code: 'unavailable',
      data: expect.objectContaining({ status: 'error', testnet: true, websocket: { public: false, private: false } }),
    })
  })

  it('says in its health that its prices are simulated', async () => {
    const reply = await (await serve(simulated())).inject('/health')
    expect([reply.statusCode, reply.json().data]).toEqual([
      200,
      {
        status: 'ok',
        testnet: true,
        venue: 'simulated',
        market: 'simulated',
        marketTime: NOW,
        marketSpeed: 1,
        websocket: { public: false, private: false },
        feedLagMs: null,
        clockSkewMs: null,
      },
    ])
  })

  it('lists markets, a ticker and candles without a token at the public paths, and with one at the others', async () => {
    const fastify = await serve(simulated())
    for (const path of ['markets', 'ticker/BTCUSDT', 'ohlcv/BTCUSDT?timeframe=15m&limit=7', 'candles/series']) {
      const open = await fastify.inject(`/public/${path}`)
      expect(open.statusCode).toBe(200)
      expect((await fastify.inject(`/api/${path}`)).statusCode).toBe(401)
      const closed = await fastify.inject({ url: `/api/${path}`, headers: { authorization: 'Bearer user' } })
      expect(closed.json()).toEqual(open.json())
    }
  })

  it('gives candles as rows, oldest first, up to a time', async () => {
    const fastify = await serve(simulated())
    const newest = (await fastify.inject('/public/ohlcv/btcusdt')).json().data
    expect([newest.length, newest[0].length, newest.at(-1)[0]]).toEqual([100, 6, Date.UTC(2026, 5, 1, 11)])
    const older = (await fastify.inject(`/public/ohlcv/BTCUSDT?limit=3&before=${newest[0][0]}`)).json().data
    expect(older.map((row: number[]) => newest[0][0] - row[0]!)).toEqual([3 * HOUR, 2 * HOUR, HOUR])
  })

  it.each([
    ['/public/ohlcv/NOPEUSDT', 422, 'unknown_symbol'],
    ['/public/ticker/NOPEUSDT', 422, 'unknown_symbol'],
    ['/public/ohlcv/BTCUSDT?timeframe=2h', 400, 'bad_input'],
    ['/public/ohlcv/BTCUSDT?limit=10001', 400, 'bad_input'],
  ])('refuses %s with %i', async (url, status, code) => {
    const reply = await (await serve(simulated())).inject(url)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })
})

describe('an upload of candles', () => {
  const candles = randomCandles(300, START, '1h')
  const upload = (content: string | Buffer, fileName = 'candles.csv') => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), fileName)
    return form
  }
  const send = async (payload: FormData, query: string, role = 'bot_manager', maxUploadBytes?: number) =>
    (await serve(await replay(), maxUploadBytes)).inject({
      method: 'POST',
      url: `/api/candles/import?${query}`,
      headers: { authorization: `Bearer ${role}` },
      payload,
    })

  it('becomes the market of the replay: its symbol, ticker, candles and series', async () => {
    const zip = zipOf({ 'BTCUSDT-1h-2024-01.csv': binanceCsv(candles, '1h') })
    const reply = await send(upload(zip, '../x/BTCUSDT-1h-2024-01.zip'), 'symbol=btcusdt&timeframe=1h')
    expect(reply.statusCode).toBe(200)
    expect(reply.json().data).toMatchObject({
      accepted: true,
      taken: 300,
      dialect: 'binance',
      symbol: 'BTCUSDT',
      venue: 'replay',
    })
    expect(reply.json().data.file).not.toContain('/')

    const fastify = await serve(await replay())
    const get = async (url: string) => (await fastify.inject(url)).json().data
    expect(await get('/public/markets')).toMatchObject([{ id: 'BTCUSDT', base: 'BTC', quote: 'USDT', tickSize: 0.01 }])
    expect(await get('/public/ticker/BTCUSDT')).toMatchObject({
      last: candles.close[299],
      timestamp: START + 300 * HOUR,
    })
    expect(await get('/public/ohlcv/BTCUSDT?limit=1000')).toEqual(rowsFromCandles(candles))
    expect(await get('/public/candles/series')).toEqual([
      {
        venue: 'replay',
        symbol: 'BTCUSDT',
        timeframe: '1h',
        candles: 300,
        first: START,
        last: START + 299 * HOUR,
        gapCount: 0,
        missingCandles: 0,
      },
    ])
    expect(await get('/health')).toMatchObject({
      venue: 'replay',
      market: 'replay',
      marketTime: START + 300 * HOUR,
      marketSpeed: 0,
    })
  })

  it('answers a bad file with the report of its faults', async () => {
    const reply = await send(upload(`${shapecastCsv(candles)}torn,row`), 'symbol=ETHUSDT&timeframe=1h')
    expect(reply.json().data).toMatchObject({ accepted: false, taken: 0, refused: [{ line: 302, text: 'torn,row' }] })
    const good = await send(upload(`${shapecastCsv(candles)}torn,row`), 'symbol=ETHUSDT&timeframe=1h&skipBadRows=true')
    expect(good.json().data).toMatchObject({ accepted: true, taken: 300, refusedCount: 1 })
  })

  it('is for managers', async () => {
    expect((await send(upload('x'), 'symbol=ETHUSDT&timeframe=1h', 'user')).statusCode).toBe(403)
    expect((await send(upload('x'), 'symbol=ETHUSDT&timeframe=1h', 'nobody')).statusCode).toBe(401)
  })

  it('is refused when it is too large or not a file', async () => {
    const query = 'symbol=ETHUSDT&timeframe=1h'
    const large = await send(upload(shapecastCsv(candles)), query, 'admin', 10_000)
    expect([large.statusCode, large.json().code]).toEqual([413, 'payload_too_large'])
    const empty = await send(new FormData(), query)
    expect([empty.statusCode, empty.json().code]).toEqual([400, 'bad_input'])
    const json = await (await serve(await replay())).inject({
      method: 'POST',
      url: `/api/candles/import?${query}`,
      headers: { authorization: 'Bearer admin' },
      payload: {},
    })
    expect([json.statusCode, json.json().field]).toEqual([400, 'file'])
  })

  it('does not go into the simulated market', async () => {
    const reply = await send(upload('x'), 'symbol=ETHUSDT&timeframe=1h&venue=simulated')
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'venue'])
  })
})

describe('an upload of funding rates', () => {
  const EIGHT = 8 * HOUR
  const csv = (from: number, count: number) =>
    Array.from({ length: count }, (_, k) => `${START + (from + k) * EIGHT},8,${(from + k) / 1e6}`).join('\n')
  const send = async (content: string, role = 'bot_manager') => {
    const form = new FormData()
    form.append('file', new Blob([content]), 'BTCUSDT-fundingRate-2024-01.csv')
    return (await serve(await replay())).inject({
      method: 'POST',
      url: '/api/funding/import?symbol=btcusdt',
      headers: { authorization: `Bearer ${role}` },
      payload: form,
    })
  }
  const known = (...stretches: [number, number][]) =>
    stretches.map(([from, to]) => ({ from: START + from * EIGHT, to: START + to * EIGHT }))
  const of = createStoredFunding(db.orm, 'replay')

  it('is kept with its gaps, which a later file closes; twice the same file changes nothing', async () => {
    expect(await of('BTCUSDT')).toBeNull()
    expect((await send(csv(1, 3))).json().data).toEqual({
      read: 3,
      funding: { venue: 'replay', symbol: 'BTCUSDT', rates: 3, known: known([0, 3]) },
    })
    expect((await send(csv(6, 2))).json().data.funding).toMatchObject({ rates: 5, known: known([0, 3], [5, 7]) })
    expect((await of('BTCUSDT'))!.known).toHaveLength(2)
    await send(csv(6, 2))
    const closed = { venue: 'replay', symbol: 'BTCUSDT', rates: 7, known: known([0, 7]) }
    expect((await send(csv(4, 2))).json().data.funding).toEqual(closed)
    const list = await (await serve(await replay())).inject({
      url: '/api/funding',
      headers: { authorization: 'Bearer user' },
    })
    expect(list.json().data).toEqual([closed])
    const series = (await of('BTCUSDT'))!
    expect([...series.ts].map((ts) => (ts - START) / EIGHT)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect([...series.rate]).toEqual([1, 2, 3, 4, 5, 6, 7].map((k) => k / 1e6))
    expect([...series.mark].every(Number.isNaN)).toBe(true)
  })

  it('says what a carry would have come to, for everybody who is signed in; nothing without rates', async () => {
    const carry = async (symbol: string, query = '') =>
      (await serve(await replay())).inject({
        url: `/api/funding/${symbol}/carry${query}`,
        headers: { authorization: 'Bearer user' },
      })
    const [year] = (await carry('BTCUSDT', '?feeRate=0&slippageBps=0')).json().data
    expect(year).toMatchObject({ settlements: 7, paid: 0 })
    expect(year.net).toBeCloseTo(28e-6 / 2, 12)
    expect((await carry('BTCUSDT')).json().data[0].net).toBeCloseTo((28e-6 - 4 * 0.0011) / 2, 12)
    const [none, wrong] = [await carry('ETHUSDT'), await carry('BTCUSDT', '?feeRate=2')]
    expect([none.statusCode, none.json().code, wrong.statusCode]).toEqual([404, 'not_found', 400])
  })

  it('is refused whole where a line is none, and is for managers', async () => {
    const reply = await send(`${csv(20, 2)}\ntorn`)
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'file'])
    expect(reply.json().error).toMatch(/^Line 3 /)
    expect((await of('BTCUSDT'))!.ts).toHaveLength(7)
    expect((await send(csv(20, 2), 'user')).statusCode).toBe(403)
  })

  it('cannot be downloaded from a market that is no exchange', async () => {
    const reply = await (await serve(simulated())).inject({
      method: 'POST',
      url: '/api/funding/download',
      headers: { authorization: 'Bearer admin' },
      payload: { symbol: 'BTCUSDT', from: 0 },
    })
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'unprocessable'])
  })

  it('is gone on with at an exchange once the next rate is due', async () => {
    const asked: object[] = []
    const at = (clockMs: number) =>
      followFunding({
        db,
        venue: {
          name: 'replay',
          source: {
            clock: () => clockMs,
            funding: async (query: object) => {
              asked.push(query)
              return [{ timeMs: START + 8 * EIGHT, rate: 8e-6, mark: Number.NaN, intervalMs: null }]
            },
          },
        } as never,
        fundingOf: of,
      })
    await at(START + 8 * EIGHT - 1)
    expect(asked).toEqual([])
    await at(START + 8 * EIGHT + 9)
    expect(asked).toEqual([{ symbol: 'BTCUSDT', fromMs: START + 7 * EIGHT, untilMs: START + 8 * EIGHT + 9 }])
    expect((await of('BTCUSDT'))!.known).toEqual([{ fromMs: START, untilMs: START + 8 * EIGHT }])
  })
})
