import { candlesFromRows } from '@shapecast/engine/candles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { botRoutes, botTradingRoutes } from './features/bots/routes.ts'
import {
  type BotsBench,
  createBotsBench,
  type ScriptedMarket,
  scriptedMarket,
} from './features/bots/testing/bots-bench.ts'
import { call, createServiceBench, type ServiceBench } from './testing/service-bench.ts'

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
  call(app, method, `/api/bots${path}`, { as: bench.people.owner, ...(body === undefined ? {} : { body }) })
const created = async (draft: object): Promise<string> =>
  (await send('POST', '', { name: 'B', initialBalance: 1000, maxDrawdown: 50, ...draft })).body.botId
/** The clock of the market goes to so many hours (and a minute) after its beginning, and the worker looks. */
const at = async (hours: number): Promise<void> => {
  market.nowMs = START + hours * HOUR + 60_000
  await room.runtime.catchUp('ml')
  await room.runtime.watch()
}

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
