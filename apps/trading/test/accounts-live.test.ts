import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue, type Queue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, weekOfMinutes } from '@shapecast/venues/testing/open-local-venue'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compose } from '../src/compose.ts'
import { createLiveMarket } from '../src/market/live-market.ts'
import { createStoredCandles } from '../src/market/stored-candles.ts'
import { createParts } from '../src/parts.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { addQuickModel } from './support/small-model.ts'
import { TRADING_MIGRATIONS } from './support/trading-migrations.ts'

/** Virtual accounts with the rooms that they get their prices and predictions from. */
let db: Database
let queue: Queue
beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
  queue = await createQueue(db, silentLogger())
})
afterEach(async () => {
  await queue.stop()
  await db.close()
})

const userId = '01890000-0000-7000-8000-000000000001'
const asked = { member: { userId, role: 'user', address: 'test' }, request: null } as const
const order = { symbol: 'BTCUSDT', type: 'market', amount: 0.01, isVirtual: true } as const

it('fill at the price of an exchange, send nothing there, and wait through its outage without missing a candle', async () => {
  const week = weekOfMinutes()
  const { exchange, venue, close } = await openLocalVenue({ series: week })
  try {
    const stored = createStoredCandles(db)
    const parts = () => {
      const market = createLiveMarket({ source: venue, db, stored, log: silentLogger(), now: Date.now })
      return createParts({ db, queue, venue: market, log: silentLogger() })
    }
    const { orders } = parts().accounts()
    const last = exchange.data.last('BTCUSDT')!
    const bought = await orders.orders.place({ ...order, side: 'buy' }, asked)
    expect(bought).toMatchObject({ status: 'filled', isVirtual: true, market: 'live', venue: 'binance' })
    expect(bought.average).toBeCloseTo(last * 1.0005, 8)

    // Where the coming hour reaches at its highest, and when.
    const from = SERIES_START_MS + 3001 * MINUTE_MS
    const hour = week.BTCUSDT!.high.subarray(3001, 3061)
    const highest = Math.max(...hour)
    const at = hour.indexOf(highest)
    const limit = { ...order, side: 'sell', type: 'limit', price: highest } as const
    const { id } = await orders.orders.place(limit, asked)

    exchange.clock.advance(90 * MINUTE_MS)
    exchange.faults.rest({ at: /klines/, times: 1000, fault: { kind: 'status', status: 502 } })
    await orders.watchOrders()
    expect((await orders.orders.list(userId, { limit: 1 }))[0]).toMatchObject({ id, status: 'open' })
    exchange.faults.clear()
    // Another process, that has not been told to leave the exchange alone for a while.
    await parts().accounts().orders.watchOrders()
    expect((await orders.orders.list(userId, { limit: 1 }))[0]).toMatchObject({
      id,
      status: 'filled',
      average: highest,
      filledAtMarketTime: from + (at + 1) * MINUTE_MS,
    })
    expect(exchange.requests.filter(({ name }) => /^(POST|DELETE)/.test(name))).toEqual([])
  } finally {
    await close()
  }
})

it('trade on what the current model says of the market, with its stop-loss', async () => {
  const candles = generateCandles({ candles: 1600, seed: 5, momentum: 0.4 })
  const predictors: { close(): Promise<unknown> }[] = []
  /** Hours of a replay that stands at the close of the `count`-th. */
  const standingAt = (count: number) => {
    const closeMs = candles.ts[count - 1]! + 3_600_000
    const price = { symbol: 'BTCUSDT', last: candles.close[count - 1]!, change: null, percentage: null }
    const venue = {
      ...memoryVenue({ 'BTCUSDT 1h': sliceCandles(candles, 0, count) }),
      now: async () => closeMs,
      ticker: async () => ({ ...price, timestamp: closeMs }),
    }
    const parts = createParts({ db, queue, venue, log: silentLogger(), now: () => closeMs })
    predictors.push(parts.models().predictors)
    return parts
  }
  try {
    const draft = { symbol: 'BTCUSDT', amount: 0.1, enableStopLoss: true, timeframe: '1h', isVirtual: true } as const
    const whole = standingAt(1600)
    await expect(whole.accounts().orders.autoTrades.trade(draft, asked)).rejects.toMatchObject({
      code: 'model_not_trained',
    })
    await addQuickModel(db, 'v3', 'BTCUSDT', candles)
    const rows = await whole.forecasts().predictions.history({ symbol: 'BTCUSDT', timeframe: '1h', limit: 300 })
    const buying = rows.findLast(({ signal }) => signal === 'BUY')!
    const holding = rows.findLast(({ signal, timestamp }) => signal === 'HOLD' && timestamp > buying.timestamp)
    const there = standingAt(candles.ts.indexOf(buying.timestamp) + 1)

    const bought = await there.accounts().orders.autoTrades.trade(draft, asked)
    expect(bought).toMatchObject({ action: 'bought', market: 'replay', prediction: { signal: 'BUY', version: 'v3' } })
    expect(bought.notice).toContain('Replayed history')
    expect(bought.order!.average).toBeCloseTo(buying.current_price * 1.0005, 8)
    expect(bought.stopOrder).toMatchObject({ status: 'open', amount: 0.1, stopPrice: bought.prediction.stopLoss })
    expect(bought.prediction.stopLoss).toBeLessThan(buying.current_price)
    await expect(there.accounts().orders.autoTrades.trade(draft, asked)).rejects.toMatchObject({ code: 'conflict' })

    // The replay has no minutes: the stop is held against its hours, in the order in which they came.
    await whole.accounts().orders.watchOrders()
    const from = candles.ts.indexOf(buying.timestamp) + 1
    const after = candles.low.subarray(from).findIndex((low) => low <= bought.prediction.stopLoss)
    const stop = (await whole.accounts().orders.orders.list(userId, { limit: 1 }))[0]!
    if (after === -1) expect(stop.status).toBe('open')
    else expect(stop).toMatchObject({ status: 'filled', filledAtMarketTime: candles.ts[from + after]! + 3_600_000 })

    expect(holding).toBeDefined()
    const held = standingAt(candles.ts.indexOf(holding!.timestamp) + 1)
    expect(await held.accounts().orders.autoTrades.trade(draft, asked)).toMatchObject({ action: 'none', order: null })
  } finally {
    await Promise.all(predictors.map((one) => one.close()))
  }
})

it('the worker fills waiting virtual orders without a request', async () => {
  const market = { last: 100, timestamp: 1_000_000 }
  const venue = {
    ...memoryVenue({ 'BTCUSDT 1h': generateCandles({ candles: 3, seed: 1 }) }),
    now: async () => market.timestamp,
    ticker: async () => ({ ...market, symbol: 'BTCUSDT', change: null, percentage: null }),
  }
  const deps = { db, queue, venue, log: silentLogger() }
  const worker = await compose(deps).worker()
  try {
    const { orders } = createParts(deps).accounts()
    await orders.orders.place({ ...order, side: 'buy', type: 'limit', amount: 1, price: 90 }, asked)
    Object.assign(market, { last: 89.5, timestamp: 1_001_000 })
    await eventually(async () =>
      expect((await orders.orders.list(userId, { limit: 1 }))[0]).toMatchObject({
        status: 'filled',
        average: 90,
        filledAtMarketTime: 1_001_000,
      }),
    )
  } finally {
    await worker.stop()
  }
})

it('the worker looks up real orders', async () => {
  const venue = { ...memoryVenue({}), name: 'binance', kind: 'live' } as const
  const secretKey = 'a secret key that is long enough for a test'
  const { rows } = await db.pool.query<{ id: string }>(
    `insert into trading.accounts (owner_kind, owner_id, venue, kind, network, created_at_ms) values ('user', $1, 'binance', 'real', 'testnet', 0) returning id`,
    [userId],
  )
  await db.pool.query(
    `insert into trading.orders (account_id, key_mark, client_order_id, symbol, side, type, status,
       quantity, filled, source, created_at_ms, looks, next_look_ms)
     values ($1, 'mark', 'sc0', 'BTCUSDT', 'buy', 'limit', 'open', 1, 0, 'user', 0, 0, 0)`,
    [rows[0]!.id],
  )
  const deps = { db, queue, venue, log: silentLogger(), secretKey, testnet: true }
  const worker = await compose(deps).worker()
  try {
    const { orders } = createParts(deps).accounts()
    await eventually(async () =>
      expect((await orders.orders.list(userId, { limit: 1 }))[0]).toMatchObject({
        isVirtual: false,
        status: 'open',
        statusReason: expect.stringContaining('no API key'),
      }),
    )
  } finally {
    await worker.stop()
  }
})
