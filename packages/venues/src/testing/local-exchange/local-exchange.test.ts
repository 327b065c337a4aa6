import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { MINUTE_MS, SERIES_START_MS, until, weekOfMinutes } from '../open-local-venue.ts'
import { type LocalExchange, type LocalExchangeOptions, startLocalExchange } from './local-exchange.ts'

const START = SERIES_START_MS + 3000 * MINUTE_MS

let exchange: LocalExchange
afterEach(() => exchange.close())

async function open(options: Partial<LocalExchangeOptions> = {}) {
  exchange = await startLocalExchange({ series: weekOfMinutes(), startMs: START, ...options })
  return exchange
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://${exchange.address}${path}`, { headers })
const refusal = async (path: string, headers?: Record<string, string>) => {
  const reply = await get(path, headers)
  return [reply.status, ((await reply.json()) as { code: number }).code]
}

/** A signed query; `over` spoils it. */
function signed(timestamp: number, over: { secret?: string } = {}): string {
  const query = `timestamp=${timestamp}&recvWindow=5000`
  const secret = over.secret ?? exchange.credentials.secret
  return `${query}&signature=${createHmac('sha256', secret).update(query).digest('hex')}`
}

describe('the local exchange over REST', () => {
  it('writes klines as Binance does', async () => {
    await open({ startMs: START + 30_000 })
    const reply = await get('/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=2')
    const rows = (await reply.json()) as unknown[][]
    expect(rows.map((r) => r[0])).toEqual([START - MINUTE_MS, START])
    expect(rows[0]).toHaveLength(12)
    expect(rows[0]![6]).toBe(START - 1)
    expect(rows[0]![1]).toMatch(/^\d+\.\d{8}$/)
    expect(reply.headers.get('x-mbx-used-weight-1m')).toBe('2')
  })

  it('refuses with the codes of Binance', async () => {
    await open()
    expect(await refusal('/api/v3/klines?symbol=NOSUCH&interval=1m')).toEqual([400, -1121])
    expect(await refusal('/api/v3/klines?symbol=BTCUSDT&interval=2s')).toEqual([400, -1120])
    expect(await refusal('/api/v3/klines?interval=1m')).toEqual([400, -1102])
    expect(await refusal('/api/v3/nothing')).toEqual([404, -1000])
  })

  it('checks key, signature and time', async () => {
    await open()
    const key = { 'X-MBX-APIKEY': exchange.credentials.apiKey }
    const account = (query: string, headers: Record<string, string> = key) =>
      refusal(`/api/v3/account?${query}`, headers)
    expect(await account(signed(START))).toEqual([200, undefined])
    expect(await account(signed(START), { 'X-MBX-APIKEY': 'x' })).toEqual([401, -2015])
    expect(await account(signed(START, { secret: 'x' }))).toEqual([400, -1022])
    expect(await account(signed(START - 5001))).toEqual([400, -1021])
    expect(await account(signed(START + 1000))).toEqual([400, -1021])
  })

  it('limits by weight, with the seconds to wait, and bans who goes on', async () => {
    await open({ weights: { limit: 4, windowMs: 60_000, patience: 2, banMs: 5000 } })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await get('/api/v3/klines?symbol=BTCUSDT&interval=1m')).status)
    expect(statuses).toEqual([200, 200, 429, 429, 418, 418])
    const banned = await get('/api/v3/ping')
    expect(Number(banned.headers.get('retry-after'))).toBeLessThanOrEqual(5)
    // The other interface counts for itself.
    expect((await get('/fapi/v1/ping')).status).toBe(200)
    expect(exchange.faults.log).toHaveLength(5)
  })
})

describe('the local exchange over websockets', () => {
  it('serves streams by path, combined streams, and takes subscriptions back', async () => {
    await open()
    const byPath: { e: string; s: string }[] = []
    const combined: { stream: string; data: { e: string } }[] = []
    const one = new WebSocket(`ws://${exchange.address}/ws/btcusdt@kline_1m`)
    const two = new WebSocket(`ws://${exchange.address}/stream?streams=btcusdt@miniTicker/ethusdt@ticker`)
    one.on('message', (m) => byPath.push(JSON.parse(String(m))))
    two.on('message', (m) => combined.push(JSON.parse(String(m))))
    await until(() => one.readyState === 1 && two.readyState === 1, 'open')
    exchange.clock.advance(MINUTE_MS)
    await until(() => byPath.length === 2 && combined.length === 2, 'messages')
    expect(byPath).toMatchObject([
      { e: 'kline', s: 'BTCUSDT', k: { t: START, x: true } },
      { e: 'kline', s: 'BTCUSDT', k: { t: START + MINUTE_MS, x: false } },
    ])
    expect(combined.map((m) => [m.stream, m.data.e])).toEqual([
      ['btcusdt@miniTicker', '24hrMiniTicker'],
      ['ethusdt@ticker', '24hrTicker'],
    ])
    one.send(JSON.stringify({ method: 'UNSUBSCRIBE', params: ['btcusdt@kline_1m'], id: 7 }))
    await until(() => byPath.length === 3, 'the answer')
    expect(byPath[2]).toEqual({ id: 7, result: null })
    exchange.clock.advance(MINUTE_MS)
    await until(() => combined.length === 4, 'messages')
    expect(byPath).toHaveLength(3)
    one.terminate()
    two.terminate()
  })
})

describe('its clock', () => {
  it('stops at every full minute on its way, and runs at a speed', async () => {
    await open()
    const stops: number[] = []
    const end = exchange.clock.onStep((now) => stops.push(now - START))
    exchange.clock.advance(150_000)
    expect(stops).toEqual([60_000, 120_000, 150_000])
    const stop = exchange.clock.run(60_000, 5)
    await until(() => exchange.clock.now() - START >= 600_000, 'ten minutes')
    stop()
    end()
  })
})
