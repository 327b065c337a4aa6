import { botResults } from '@shapecast/contracts/bot-results'
import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createPortfolio } from '@shapecast/engine/portfolio'
import { createRandom } from '@shapecast/engine/random'
import { selectCandles } from '@shapecast/venues/venue'
import { afterAll, expect, it } from 'vitest'
import type { ResultsContext } from '../src/bots/bot-results.ts'
import { createBotStore } from '../src/bots/bot-store.ts'
import type { SlippageContext } from '../src/bots/own-slippage.ts'
import { botResultRoutes, ownSlippageRoutes } from '../src/bots/routes.ts'
import { botDecisions, botEquity, botStates, botTrades } from '../src/bots/tables.ts'
import { createTradingStore } from '../src/bots/trading-store.ts'
import { createOrderStore } from '../src/ledger/order-store.ts'
import { accounts } from '../src/ledger/tables.ts'
import { botAccountsOn } from './support/bot-accounts.ts'
import { insertBot } from './support/insert-bot.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const HOUR = TIMEFRAME_MS['1h']
/** The last day of January. */
const START = Date.UTC(2024, 0, 31, 22)
const VENUE = 'simulated'

const DECIDED: Pick<typeof botDecisions.$inferInsert, 'symbol' | 'votes' | 'signal' | 'reason' | 'decidedAt'> = {
  symbol: 'BTCUSDT',
  votes: [],
  signal: 'HOLD',
  reason: '',
  decidedAt: 0,
}

const bench = await createServiceBench()
afterAll(() => bench.close())
const { orm } = bench.db
const orders = createOrderStore({ venue: VENUE, kind: 'simulated' })
const books = botAccountsOn(VENUE)
const bots = createBotStore(orm, VENUE, books)
const results: ResultsContext = {
  states: createTradingStore(orm, books),
  async read(id) {
    const bot = await bots.find(id)
    if (bot === undefined) throw new AppError('not_found', 'There is no such bot.')
    return bot
  },
  // Closes 100, 100, 110, 99 of the hours from START − 1 h on.
  candles: async (_symbol, _timeframe, { fromMs, toMs }) =>
    candlesFromRows(
      [100, 100, 110, 99]
        .map((close, i): [number, number, number, number, number, number] => {
          const ts = START + (i - 1) * HOUR
          return [ts, close, close, close, close, 1]
        })
        .filter(([ts]) => ts >= fromMs && ts <= toMs),
    ),
  executed: (wanted) => orders.executed(orm, wanted),
}
const app = bench.mount((server) => botResultRoutes(server, results))

const read = async (id: string) => {
  const { status, body } = await call(app, 'GET', `/api/bots/${id}/results`, { as: bench.users.owner })
  expect(status).toBe(200)
  return botResults.reply.parse(body)
}

/** A market order of a bot that was filled at once; answers its id. */
async function filled(accountId: string, side: 'buy' | 'sell', price: number, quantity: bigint): Promise<string> {
  const order = { accountId, symbol: 'BTCUSDT', side, type: 'market', status: 'filled', source: 'bot' } as const
  const { id: orderId } = await orders.insert(orm, {
    ...order,
    clientOrderId: crypto.randomUUID(),
    quantity,
    filled: quantity,
    createdAtMs: 0,
  })
  const fill = { orderId, accountId, tradeId: '1', price, quantity, notional: 0n, fee: 0n, atMs: 0 }
  await orders.addFills(orm, [fill])
  return orderId
}

it('a bot without trades has no results', async () => {
  expect(await read(await insertBot(bench.db, bench.users.owner.userId))).toEqual({
    trades: 0,
    expectancy: null,
    averageWin: null,
    averageLoss: null,
    longestLosingRun: 0,
    fees: 0,
    timeInMarketPct: null,
    exposurePct: null,
    slippage: null,
    months: [],
    years: [],
    decisions: [],
  })
})

it('sums up trades, closes, months and decisions', async () => {
  const botId = await insertBot(bench.db, bench.users.owner.userId)
  const trade = { botId, symbol: 'BTCUSDT', side: 'long', quantity: 1, exitPrice: 0, funding: 0 } as const
  await orm.insert(botTrades).values([
    // The later exit first: the order is that of the exits.
    {
      ...trade,
      entryTime: START + HOUR,
      exitTime: Date.UTC(2025, 0, 1),
      entryPrice: 100,
      netPnL: -20,
      fees: 2,
      exitReason: 'stop_loss',
    },
    {
      ...trade,
      entryTime: START,
      exitTime: START + HOUR,
      entryPrice: 200,
      netPnL: 50,
      fees: 1,
      exitReason: 'signal',
    },
  ])
  // 1,000 at first: +10 % in January, then −10 %.
  await orm
    .insert(botEquity)
    .values([1050, 1100, 990].map((equity, i) => ({ botId, atMs: START + (i + 1) * HOUR, equity })))
  const decision = { ...DECIDED, botId }
  await orm.insert(botDecisions).values([
    { ...decision, candleTs: 1, rule: 'below_cost', action: 'no_order' },
    { ...decision, candleTs: 2, rule: 'below_cost', action: 'no_order' },
    { ...decision, candleTs: 3, rule: 'signal', action: 'opened_long' },
  ])
  expect(await read(botId)).toEqual({
    trades: 2,
    expectancy: 15,
    averageWin: 50,
    averageLoss: -20,
    longestLosingRun: 1,
    fees: 3,
    // 200 of 1,050 at the first close, 100 of 1,100 and of 990 at the others.
    timeInMarketPct: 100,
    exposurePct: expect.closeTo((100 * (200 / 1050 + 100 / 1100 + 100 / 990)) / 3, 9),
    slippage: null,
    months: [
      {
        from: START,
        to: START + HOUR,
        pnl: expect.closeTo(100, 9),
        returnPct: expect.closeTo(10, 9),
        // Held from its first close on: 100 → 110.
        holdPct: expect.closeTo(10, 9),
        maxDrawdownPct: 0,
        trades: 2,
      },
      {
        from: START + 2 * HOUR,
        to: START + 2 * HOUR,
        pnl: expect.closeTo(-110, 9),
        returnPct: expect.closeTo(-10, 9),
        holdPct: expect.closeTo(-10, 9),
        maxDrawdownPct: expect.closeTo(10, 9),
        trades: 0,
      },
    ],
    years: [2025, 2024],
    decisions: [
      { action: 'no_order', rule: 'below_cost', count: 2 },
      { action: 'opened_long', rule: 'signal', count: 1 },
    ],
  })
})

it('counts what is open as held', async () => {
  const botId = await insertBot(bench.db, bench.users.owner.userId)
  await orm.insert(botEquity).values([1, 2].map((i) => ({ botId, atMs: START + i * HOUR, equity: 500 })))
  const portfolio = createPortfolio(1000, ['BTCUSDT'])
  Object.assign(portfolio.pairs[0]!.account, { side: -1, size: -2, entryPrice: 50, entryTime: START + HOUR })
  await orm.insert(botStates).values({ botId, timeframe: '1h', decidedTs: 0, portfolio, worstDrawdownPct: 0 })
  // 2 × 50 of 500, at the second of two closes.
  expect(await read(botId)).toMatchObject({ timeInMarketPct: 50, exposurePct: 10 })
})

it('learns slippage from own fills with real money that took at once: planted 2 bps and noise are found within 1 bp after 200', async () => {
  const random = createRandom(5)
  const hours = candlesFromRows(
    Array.from({ length: 600 }, (_, i) => {
      const close = 100 * Math.exp(0.004 * random.normal())
      return [START + i * HOUR, close, close, close, close, 1000]
    }),
  )
  const slippage: SlippageContext = {
    states: createTradingStore(orm, books),
    executed: (wanted) => orders.executed(orm, wanted),
    candles: async (_symbol, _timeframe, { fromMs, toMs }) => selectCandles(hours, { fromMs, toMs }),
    marketNow: async () => START + 600 * HOUR,
  }
  const app = bench.mount((server) => ownSlippageRoutes(server, slippage))
  const ask = async (as = bench.users.admin) =>
    (await call(app, 'GET', '/api/slippage?symbol=BTCUSDT&notional=1000', { as })).body
  const plant = async (userId: string, isVirtual: boolean, count: number, from: number) => {
    const botId = await insertBot(bench.db, userId, { isVirtual, name: crypto.randomUUID() })
    const [account] = await orm
      .insert(accounts)
      .values({ ownerKind: 'bot', ownerId: botId, venue: VENUE, kind: isVirtual ? 'virtual' : 'real', createdAtMs: 0 })
      .returning()
    const accountId = account!.id
    for (let i = 0; i < count; i++) {
      const k = from + i
      const [side, sign] = i % 2 === 0 ? (['buy', 1] as const) : (['sell', -1] as const)
      const close = hours.close[k]!
      const price = close * (1 + (sign * (2 + 3 * random.normal())) / 10_000)
      const quantity = BigInt(1 + random.below(20)) * 100_000_000n
      const orderId = await filled(accountId, side, price, quantity)
      const candle = [close, close, close, close]
      const decision = { ...DECIDED, botId, orderId, candleTs: hours.ts[k]!, candle }
      await orm.insert(botDecisions).values({ ...decision, rule: 'signal', action: 'opened_long' })
    }
  }
  const { admin, other } = bench.users
  await plant(admin.userId, true, 40, 30)
  await plant(admin.userId, false, 29, 30)
  expect(await ask()).toEqual({ fills: 29, estimate: null })
  await plant(admin.userId, false, 171, 100)
  const { fills, estimate } = await ask()
  expect(fills).toBe(200)
  expect(Math.abs(estimate.expectedBps - 2)).toBeLessThan(1)
  expect(estimate.intervalBps[0]).toBeLessThan(2)
  expect(estimate.intervalBps[1]).toBeGreaterThan(2)
  expect(await ask(other)).toEqual({ fills: 0, estimate: null })
  await bench.db.pool.query(
    `update trading.orders set rests_until_ms = 1 where id = (
      select d.order_id from trading.bot_decisions d join trading.bots b on b.id = d.bot_id
      where b.user_id = $1 and not b.is_virtual limit 1)`,
    [admin.userId],
  )
  expect((await ask()).fills).toBe(199)
  expect((await call(app, 'GET', '/api/slippage?symbol=BTCUSDT&notional=1000')).status).toBe(401)
})

it('counts what fills cost against the closes of their decisions, and no order that nobody decided', async () => {
  const botId = await insertBot(bench.db, bench.users.owner.userId)
  const [account] = await orm
    .insert(accounts)
    .values({ ownerKind: 'bot', ownerId: botId, venue: VENUE, kind: 'virtual', createdAtMs: 0 })
    .returning()
  const accountId = account!.id
  const ONE = 100_000_000n
  const decidedAt = (candleTs: number, close: number | null, orderId: string) => ({
    ...DECIDED,
    botId,
    candleTs,
    orderId,
    rule: 'signal' as const,
    action: 'opened_long' as const,
    candle: close === null ? null : [1, 2, 3, close],
  })
  await orm.insert(botDecisions).values([
    // 2 bought 0.5 above the close, 1 sold 0.2 above it, and one of which the close is not known.
    decidedAt(1, 100, await filled(accountId, 'buy', 100.5, 2n * ONE)),
    decidedAt(2, 110, await filled(accountId, 'sell', 110.2, ONE)),
    decidedAt(3, null, await filled(accountId, 'buy', 500, ONE)),
  ])
  await filled(accountId, 'sell', 50, ONE)
  expect((await read(botId)).slippage).toEqual({ paid: expect.closeTo(0.8, 9), orders: 2 })
})
