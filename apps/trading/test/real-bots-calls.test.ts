import { exchangeOf } from '@shapecast/contracts/exchanges'
import { Policy } from '@shapecast/contracts/policy'
import { storePolicy } from '@shapecast/platform/policy'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { botRoutes, botTradingRoutes } from '../src/bots/routes.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'
import { call, type Person } from './support/service-bench.ts'

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

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, as: Person = bench.users.admin) =>
  call(app, method, `/api/bots${path}`, { as, ...(body === undefined ? {} : { body }) })
const start = (id: string, confirm?: string, as?: Person) =>
  send('POST', `/${id}/start`, confirm === undefined ? {} : { confirm }, as)
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.code]

it('a real bot is started by its owner alone, with the words and a fresh password or code', async () => {
  const id = await bench.created()
  expect(refusal(await start(id))).toEqual([422, 'unprocessable'])
  expect((await start(id)).body.error).toBe('This bot trades real money. Write "real money" to start it.')
  for (const words of ['yes', 'Real money', 'real money '])
    expect(refusal(await start(id, words))).toEqual([400, 'bad_input'])
  expect(refusal(await start(id, 'real money', bench.users.manager))).toEqual([404, 'not_found'])
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

describe('the daily loss', () => {
  const limits = { maxOrderNotional: 1e6, maxPositionNotional: 1e6, maxDayLoss: 5, maxDayOrders: 100 }
  const lost = async (id: string): Promise<number> => {
    const trades: { netPnL: number }[] = (await send('GET', `/${id}/trades`)).body
    return -trades.reduce((sum, { netPnL }) => sum + netPnL, 0)
  }
  /** It buys at 20,000, and the price falls by so much. */
  const loses = async (fall: number): Promise<void> => {
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.script.signal = 'HOLD'
    bench.setPrice(20_000 - fall)
    await bench.tick()
    await bench.settle()
  }

  it('is lost once a day, over any number of starts', async () => {
    const id = await bench.created({ maxDrawdown: 50, parameters: { limits } })
    await start(id, 'real money')
    await loses(600)
    // 0.2 of fees and 0.00999 × 600 = 5.994, and the fee of the sale, 0.19381.
    const words = 'It lost 6.19 USDT since 00:00 UTC, and may lose 5 a day'
    expect((await send('GET', `/${id}`)).body).toMatchObject({ status: 'paused' })
    expect(await lost(id)).toBeCloseTo(6.3878, 3)
    for (let k = 0; k < 2; k++) {
      const again = await start(id, 'real money')
      expect([again.status, again.body.code]).toEqual([409, 'conflict'])
      expect(again.body.error).toMatch(
        /^It lost 6.39 USDT since 00:00 UTC, and may lose 5 a day: start it after 00:00 UTC/,
      )
      await loses(600)
    }
    expect((await send('GET', `/${id}`)).body.statusReason).toContain(words)
    expect(await lost(id)).toBeCloseTo(6.3878, 3)

    // Stopped is no way round it; the next day is another day.
    await send('POST', `/${id}/stop`, { confirm: 'real money' })
    expect((await start(id, 'real money')).status).toBe(409)
    bench.exchange.clock.advance(86_400_000)
    bench.setPrice(20_000)
    expect((await start(id, 'real money')).status).toBe(200)
  })

  it('adds up what several starts of a day have lost, and counts from 00:00 UTC', async () => {
    const id = await bench.created({ maxDrawdown: 50, parameters: { limits } })
    for (let k = 0; k < 2; k++) {
      expect((await start(id, 'real money')).status).toBe(200)
      await loses(150)
      expect((await send('GET', `/${id}`)).body.status).toBe('active')
      expect((await send('POST', `/${id}/stop`, { confirm: 'real money' })).status).toBe(200)
      await bench.settle()
    }
    // Two starts have lost 1.9 each (1.5 and the fees); the third is stopped at 5 in all.
    expect(await lost(id)).toBeCloseTo(3.8, 1)
    await start(id, 'real money')
    await loses(150)
    const bot = (await send('GET', `/${id}`)).body
    expect(bot.status).toBe('paused')
    expect(bot.statusReason).toMatch(/^It lost 5\.\d\d USDT since 00:00 UTC, and may lose 5 a day/)
    expect(await lost(id)).toBeLessThan(6)
  })
})

describe('a position that is kept', () => {
  it('stays with its stop-loss at the exchange, without the words, until it is sold with them', async () => {
    const id = await bench.created({ stopLossPct: 5 })
    await start(id, 'real money')
    await bench.says('BUY', 20_000)
    await bench.settle()
    const stopped = await send('POST', `/${id}/stop`, { position: 'keep' })
    expect(stopped.body).toMatchObject({
      status: 'stopped',
      statusReason:
        'It keeps 0.00999 BTCUSDT, with the stop-loss and take profit that stand at the exchange. Nothing else acts on it until the bot is started or told to sell.',
    })
    await bench.says('SELL', 20_500)
    await bench.settle()
    expect(bench.sent().map(({ type, status }) => `${type} ${status}`)).toEqual(['MARKET FILLED', 'STOP_LOSS NEW'])
    expect((await send('DELETE', `/${id}`)).status).toBe(409)

    expect(refusal(await send('POST', `/${id}/stop`, { position: 'sell' }))).toEqual([422, 'unprocessable'])
    expect((await send('POST', `/${id}/stop`, { position: 'sell', confirm: 'real money' })).status).toBe(200)
    await bench.settle()
    expect((await send('GET', `/${id}/trades`)).body).toMatchObject([{ quantity: 0.00999, exitReason: 'stopped' }])
  })

  it('is booked when its stop-loss sells it, and the bot says no more that it keeps it', async () => {
    const id = await bench.created({ stopLossPct: 5 })
    await start(id, 'real money')
    await bench.says('BUY', 20_000)
    await bench.settle()
    await send('POST', `/${id}/stop`, { position: 'keep' })
    bench.setPrice(18_990)
    await bench.settle()
    expect((await send('GET', `/${id}/trades`)).body).toMatchObject([{ quantity: 0.00999, exitReason: 'stop_loss' }])
    expect((await send('GET', `/${id}`)).body).toMatchObject({ status: 'stopped', statusReason: null })
  })

  it('goes on with a later start', async () => {
    const id = await bench.created()
    await start(id, 'real money')
    await bench.says('BUY', 20_000)
    await bench.settle()
    await send('POST', `/${id}/stop`, { position: 'keep' })
    expect((await start(id, 'real money')).body).toMatchObject({ status: 'active', statusReason: null })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sent()).toHaveLength(1)
    await bench.says('SELL', 20_000)
    await bench.settle()
    expect((await send('GET', `/${id}/trades`)).body).toMatchObject([{ quantity: 0.00999, exitReason: 'signal' }])
  })
})

describe('a position near the smallest order of 5 USDT', () => {
  it('is not bought where its stop-loss could not stand, and the decision says why', async () => {
    const id = await bench.created({ stopLossPct: 5, positionSize: 0.001 })
    await start(id, 'real money')
    await bench.says('BUY', 5_200)
    await bench.settle()
    expect(bench.sent()).toEqual([])
    const [decision] = (await send('GET', `/${id}/decisions`)).body.decisions
    // 0.00099 of 0.001 can be sold after the fee: 4.89 USDT at 4,940.
    expect(decision).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    expect(decision.reason).toBe(
      'No order: at its stop-loss the position would be worth 4.89 USDT, and the exchange sells nothing under 5: it needs a larger position.',
    )
  })

  it('is held when the price has made it too small, not bought twice, and named beside the stop that cannot sell it', async () => {
    const id = await bench.created({ positionSize: 0.001 })
    await start(id, 'real money')
    await bench.says('BUY', 5_200)
    await bench.settle()
    await bench.says('BUY', 5_000)
    await bench.settle()
    expect(bench.sent()).toHaveLength(1)
    const { positions, equity } = (await send('GET', `/${id}/balance`)).body
    expect(positions).toMatchObject([{ quantity: 0.000999 }])
    expect(equity).toBeCloseTo(1000 - 0.0052 - 0.000999 * 200, 6)
    await send('POST', `/${id}/stop`, { confirm: 'real money' })
    await bench.settle()
    expect((await send('GET', `/${id}`)).body).toMatchObject({
      status: 'stopped',
      statusReason: 'It could not sell 0.00099 BTCUSDT, worth 4.95 USDT: too little for an order, which takes 5.',
    })
    // Nothing is left to be done by the bot: it can be started, or deleted.
    expect((await send('DELETE', `/${id}`)).status).toBe(200)
  })
})
