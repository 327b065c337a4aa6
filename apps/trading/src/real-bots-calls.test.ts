import { exchangeOf } from '@shapecast/contracts/exchanges'
import { Policy } from '@shapecast/contracts/policy'
import { storePolicy } from '@shapecast/platform/policy'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { botRoutes, botTradingRoutes } from './features/bots/routes.ts'
import { createRealBotsBench, type RealBotsBench } from './testing/real-bots-bench.ts'
import { call, type Person } from './testing/service-bench.ts'

let bench: RealBotsBench
let app: ReturnType<RealBotsBench['mount']>
beforeAll(async () => {
  bench = await createRealBotsBench('bybit')
  const { bots, control, reads } = bench
  const parity = () => Promise.reject(new Error('not of these tests'))
  app = bench.mount((service) => {
    botRoutes(service, bots)
    botTradingRoutes(service, { control, reads, parity })
  })
})
beforeEach(() => bench.fresh())
afterAll(() => bench.end())

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, as: Person = bench.people.admin) =>
  call(app, method, `/api/bots${path}`, { as, ...(body === undefined ? {} : { body }) })
const start = (id: string, confirm?: string, as?: Person) =>
  send('POST', `/${id}/start`, confirm === undefined ? {} : { confirm }, as)
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.code]

it('is started with the words, a fresh password or code, and by its owner alone', async () => {
  const id = await bench.created()
  expect(refusal(await start(id))).toEqual([422, 'unprocessable'])
  expect((await start(id)).body.error).toBe('This bot trades real money. Write "real money" to start it.')
  for (const words of ['yes', 'Real money', 'real money '])
    expect(refusal(await start(id, words))).toEqual([400, 'bad_input'])
  expect(refusal(await start(id, 'real money', bench.people.manager))).toEqual([404, 'not_found'])
  await bench.confirmed(false)
  expect(refusal(await start(id, 'real money'))).toEqual([403, 'confirmation_required'])
  expect((await send('GET', `/${id}`)).body.status).toBe('stopped')

  // An admin may turn the second confirmation off for the installation; the words stay.
  await storePolicy(bench.db.orm, Policy.parse({ confirmRealBots: false }))
  expect(refusal(await start(id))).toEqual([422, 'unprocessable'])
  expect((await start(id, 'real money')).status).toBe(200)
  await storePolicy(bench.db.orm, Policy.parse({}))
})

it('trades at Bybit from start to stop, with its stop-loss there', async () => {
  expect(exchangeOf('bybit')?.spot).toMatchObject({ stops: true })
  const id = await bench.created({ stopLossPct: 5 })
  expect((await start(id, 'real money')).body.status).toBe('active')
  await bench.says('BUY', 20_000)
  await bench.settle()
  expect(bench.sent().map(({ type, status, qty }) => [type, status, qty])).toEqual([
    ['MARKET', 'FILLED', 0.01],
    ['STOP_LOSS', 'NEW', 0.00999],
  ])
  expect((await send('GET', `/${id}/balance`)).body.positions).toMatchObject([
    { symbol: 'BTCUSDT', quantity: 0.00999, entryPrice: 20_000, stopLossPrice: 19_000 },
  ])

  // Its sale needs the words, and no password: a stop must not wait for one.
  await bench.confirmed(false)
  expect(refusal(await send('POST', `/${id}/stop`, {}))).toEqual([422, 'unprocessable'])
  bench.setPrice(21_000)
  expect((await send('POST', `/${id}/stop`, { confirm: 'real money' })).status).toBe(200)
  await bench.settle()
  expect(bench.sent().map(({ type, status }) => `${type} ${status}`)).toEqual([
    'MARKET FILLED',
    'STOP_LOSS CANCELED',
    'MARKET FILLED',
  ])
  const [trade] = (await send('GET', `/${id}/trades`)).body
  expect(trade).toMatchObject({ entryPrice: 20_000, exitPrice: 21_000, quantity: 0.00999, exitReason: 'stopped' })
  // 0.00999 × 1,000 earned; 0.2 of fees for the purchase and 0.00999 × 21,000 × 0.001 for the sale.
  expect(trade.netPnL).toBeCloseTo(9.99 - 0.2 - 0.20979, 8)
  expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 8)
  expect((await send('GET', `/${id}`)).body).toMatchObject({ status: 'stopped', totalTrades: 1, winningTrades: 1 })
  expect((await send('DELETE', `/${id}`)).status).toBe(200)
})
