import { candlesFromRows } from '@shapecast/engine/candles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { botRoutes, botTradingRoutes } from '../src/bots/routes.ts'
import { type BotsBench, createBotsBench, invented, type ScriptedMarket, scriptedMarket } from './support/bots-bench.ts'
import { call, createServiceBench, type ServiceBench } from './support/service-bench.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
/** Hours of 1,000 quote, from the sixth day on of 2,000. */
const RISE = 5 * 24
const BTC = candlesFromRows(
  Array.from({ length: 400 }, (_, i) => {
    const price = i < RISE ? 1000 : 2000
    return [START + i * HOUR, price, price, price, price, 1]
  }),
)

let bench: ServiceBench
let market: ScriptedMarket
let room: BotsBench
let app: ReturnType<ServiceBench['mount']>

beforeAll(async () => {
  bench = await createServiceBench()
})
beforeEach(async () => {
  await bench.db.pool.query('delete from trading.bots')
  market = scriptedMarket(new Map([['BTCUSDT', BTC]]))
  room = createBotsBench(bench.db, market)
  const { service, control, reads } = room
  const parity = () => Promise.reject(new Error('not of these tests'))
  app = bench.mount((mounted) => {
    botRoutes(mounted, service)
    botTradingRoutes(mounted, { control, reads, parity })
  })
})
afterAll(() => bench.close())

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  call(app, method, `/api/bots${path}`, { as: bench.users.owner, ...(body === undefined ? {} : { body }) })
const created = async (draft: object): Promise<string> =>
  (await send('POST', '', { name: 'B', initialBalance: 1000, maxDrawdown: 50, ...draft })).body.botId
/** The clock of the market goes to so many hours (and a minute) after its beginning, and the worker looks. */
const at = async (hours: number): Promise<void> => {
  market.nowMs = START + hours * HOUR + 60_000
  await room.runtime.catchUp()
  await room.runtime.between()
}

it('notifications of a bot in a replay carry the time of its market', async () => {
  await at(30)
  const id = await created({ parameters: { policy: 'fixed_share' } })
  await send('POST', `/${id}/start`)
  const { rows } = await bench.db.pool.query(
    'select action, market_at_ms from platform.activities where subject_id = $1 order by id',
    [id],
  )
  expect(rows).toEqual([
    { action: 'bot.created', market_at_ms: START + 30 * HOUR + 60_000 },
    { action: 'bot.started', market_at_ms: START + 30 * HOUR + 60_000 },
  ])
})

describe('a policy that decides once a day', () => {
  it('makes a missed 00:00 up at the next close of that day', async () => {
    await at(RISE - 10)
    const id = await created({ parameters: { policy: 'fixed_share' } })
    await send('POST', `/${id}/start`)
    await at(RISE - 9)
    // The price doubles in the first hour of the day; the process is down at 00:00, and back after 01:00.
    await at(RISE - 1)
    await at(RISE + 1)
    await at(RISE + 2)
    await at(RISE + 23)
    await at(RISE + 24)
    const { decisions } = (await send('GET', `/${id}/decisions?limit=100`)).body
    const told = decisions
      .toReversed()
      .map((one: { candleTs: number; rule: string; action: string }) => [
        Math.round((one.candleTs - START) / HOUR) + 1 - RISE,
        one.rule,
        one.action,
      ])
    // By the hour of the close after 00:00. 500 USDT were bought; at 2,000 they are two thirds of the equity.
    expect(told.filter(([, rule]: [number, string]) => rule !== 'missed' && rule !== 'not_decision_hour')).toEqual([
      [-9, 'target', 'opened_long'],
      [1, 'target', 'reduced'],
      [24, 'within_band', 'held'],
    ])
    expect(told.find(([hour]: [number]) => hour === 0)).toEqual([0, 'missed', 'held'])
    expect(told.find(([hour]: [number]) => hour === 2)).toEqual([2, 'not_decision_hour', 'held'])
  })
})

describe('a virtual bot that is stopped', () => {
  const balance = async (id: string) => (await send('GET', `/${id}/balance`)).body
  const trades = async (id: string) => (await send('GET', `/${id}/trades`)).body
  /** The forming candle stands at the price of its hour, and the worker looks. */
  const forms = async (hours: number): Promise<void> => {
    await at(hours)
    const price = hours < RISE ? 1000 : 2000
    market.formingRows.set('BTCUSDT', [START + Math.floor(hours) * HOUR, price, price, price, price, 0])
    await room.runtime.between()
  }
  /** A bot that holds half a coin, bought at 1,000, with a take profit at 1,500. */
  const holding = async (name = 'B'): Promise<string> => {
    await forms(RISE - 10)
    const id = await created({ name, parameters: { policy: 'fixed_share' }, takeProfitPct: 50 })
    await send('POST', `/${id}/start`)
    await forms(RISE - 9)
    expect((await balance(id)).positions).toMatchObject([{ symbol: 'BTCUSDT', quantity: 0.5, markPrice: 1000 }])
    return id
  }

  it('sells what it holds at the next price without a body, as with position "sell"', async () => {
    for (const body of [undefined, { position: 'sell' }]) {
      market.formingRows.clear()
      const id = await holding(body === undefined ? 'no body' : 'sell')
      expect((await send('POST', `/${id}/stop`, body)).body).toMatchObject({ status: 'stopped', statusReason: null })
      expect((await send('POST', `/${id}/stop`, body)).status).toBe(409)
      await forms(RISE - 9)
      expect(await trades(id)).toMatchObject([{ quantity: 0.5, exitReason: 'stopped' }])
      expect((await balance(id)).positions).toEqual([])
    }
  })

  it('keeps its position where that is asked for: no target acts, equity goes on, and a start takes it on', async () => {
    const id = await holding()
    const stopped = await send('POST', `/${id}/stop`, { position: 'keep' })
    expect(stopped.body).toMatchObject({
      status: 'stopped',
      statusReason:
        'It keeps 0.5 BTCUSDT. No stop-loss and no take profit acts on it, until the bot is started or told to sell.',
    })
    const before = (await balance(id)).equity
    await forms(RISE + 5)
    const kept = await balance(id)
    expect(kept.positions).toMatchObject([{ quantity: 0.5, markPrice: 2000, takeProfitPrice: null }])
    expect(kept.equity).toBeCloseTo(before + 0.5 * 1000, 8)
    expect(await trades(id)).toEqual([])
    const reset = await send('POST', `/${id}/reset`)
    expect([reset.status, reset.body.error]).toEqual([
      409,
      'B has kept its position. Sell it first: stop the bot again with position "sell".',
    ])

    expect((await send('POST', `/${id}/start`)).body).toMatchObject({ status: 'active', statusReason: null })
    expect((await balance(id)).positions[0].takeProfitPrice).toBeCloseTo(1.5 * kept.positions[0].entryPrice, 8)
    await forms(RISE + 5)
    expect(await trades(id)).toMatchObject([{ quantity: 0.5, exitReason: 'take_profit' }])
  })

  it('is told later to sell what it kept; one that holds nothing stops either way', async () => {
    const id = await holding()
    await send('POST', `/${id}/stop`, { position: 'keep' })
    expect((await send('POST', `/${id}/stop`, { position: 'keep' })).status).toBe(409)
    expect((await send('POST', `/${id}/stop`, { position: 'sell' })).body.statusReason).toBeNull()
    await forms(RISE - 8)
    expect(await trades(id)).toMatchObject([{ quantity: 0.5, exitReason: 'stopped' }])
    expect((await send('POST', `/${id}/stop`, { position: 'sell' })).status).toBe(409)

    const empty = await created({ name: 'empty' })
    await send('POST', `/${empty}/start`)
    const { body } = await send('POST', `/${empty}/stop`, { position: 'keep' })
    expect(body).toMatchObject({ status: 'stopped', statusReason: null })
    expect((await send('POST', `/${empty}/start`)).status).toBe(200)
  })

  it('is stopped while it is paused, too', async () => {
    const id = await holding()
    await send('POST', `/${id}/pause`)
    expect((await send('POST', `/${id}/stop`, { position: 'keep' })).body.status).toBe('stopped')
    expect((await send('POST', `/${id}/stop`, { position: 'hold' })).status).toBe(400)
  })

  it('and keeps a position on futures can still be liquidated', async () => {
    market.nowMs = START + (RISE - 10) * HOUR + 60_000
    const draft = { mlModelVersion: 'v3', marketType: 'futures', leverage: 10, positionSize: 0.5 }
    const { mlModelVersion } = draft
    const says = (signal: 'SELL' | 'HOLD') => ({
      ...invented(mlModelVersion, 'BTCUSDT', 0),
      forecast: { ...invented(mlModelVersion, 'BTCUSDT', 0).forecast, signal },
    })
    room = createBotsBench(bench.db, market, { forecast: () => says('SELL') })
    const id = await created(draft)
    await room.control.start(id, { ...bench.users.owner, sid: '' })
    await forms(RISE - 9)
    expect((await balance(id)).positions).toMatchObject([{ side: 'short', quantity: 0.5 }])
    const { body } = await send('POST', `/${id}/stop`, { position: 'keep' })
    expect(body.statusReason).toContain('but it can be liquidated')
    await forms(RISE + 1)
    expect(await trades(id)).toMatchObject([{ side: 'short', exitReason: 'liquidation' }])
    expect((await send('GET', `/${id}`)).body).toMatchObject({ status: 'stopped', statusReason: null })
  })
})
