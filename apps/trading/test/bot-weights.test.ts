import { botWeights } from '@shapecast/contracts/bot-weights'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { unseen } from '../src/bots/bot-rights.ts'
import { createBotStore } from '../src/bots/bot-store.ts'
import type { WeightsContext } from '../src/bots/bot-weights.ts'
import { botWeightRoutes } from '../src/bots/routes.ts'
import { botDecisions, bots } from '../src/bots/tables.ts'
import { createTradingStore } from '../src/bots/trading-store.ts'
import { maySee } from '../src/ground/ownership.ts'
import { botAccountsOn } from './support/bot-accounts.ts'
import { insertBot } from './support/insert-bot.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const NOW = START + 400 * HOUR + 60_000
const VENUE = 'simulated'

const bench = await createServiceBench()
afterAll(() => bench.close())
const { owner, other, admin } = bench.users
const books = botAccountsOn(VENUE)
const records = createBotStore(bench.db.orm, VENUE, books)
const random = createRandom(4)
const moves = Array.from({ length: 400 }, () => 0.01 * random.normal())
/** How many times as far as the market a pair moves, and its first and last hour. */
const PAIRS: Record<string, [times: number, from: number, to: number]> = {
  BTCUSDT: [1, 0, 400],
  ETHUSDT: [3, 0, 400],
  NEWUSDT: [1, 390, 400],
  OLDUSDT: [1, 0, 300],
}
const position = (symbol: string, worth: number) => ({
  symbol,
  side: 'long' as const,
  quantity: 1,
  entryPrice: worth,
  markPrice: worth,
  markedBy: 'last' as const,
  worth,
  unrealizedPnL: 0,
  entryTime: 0,
})
const weights: WeightsContext = {
  states: createTradingStore(bench.db.orm, books),
  async read(id, viewer) {
    const bot = await records.find(id)
    if (bot === undefined || !maySee(bot, viewer)) throw unseen()
    return bot
  },
  equity: {
    one: async () => ({
      accountId: null,
      accountCreatedAtMs: 0,
      balance: 1000,
      fees: 0,
      equity: 1000,
      closedPnL: 0,
      openPnL: 0,
      positions: [position('BTCUSDT', 300), position('ETHUSDT', 100)],
    }),
  },
  candles: async (symbol, _timeframe, { fromMs, toMs }) => {
    const [times, from, to] = PAIRS[symbol]!
    let close = 100
    return candlesFromRows(
      moves
        .map((move, hour): [number, number, number, number, number, number] => {
          close *= Math.exp(times * move)
          return [START + hour * HOUR, close, close, close, close, 1]
        })
        .slice(from, to)
        .filter(([ts]) => ts >= fromMs && ts <= toMs),
    )
  },
  marketNow: async () => NOW,
}
const app = bench.mount((server) => botWeightRoutes(server, weights))
const read = (id: string, as = owner) => call(app, 'GET', `/api/bots/${id}/weights`, { as })
const bot = (over: Parameters<typeof insertBot>[2] = {}) =>
  insertBot(bench.db, owner.userId, {
    tradingPairs: Object.keys(PAIRS),
    parameters: { policy: 'trend_ensemble' },
    ...over,
  })

it('the weights of a bot list holding, target and share of the risk of each pair, and why one is left out', async () => {
  const id = await bot()
  const decided = (symbol: string, candleTs: number, target: number | null) => ({
    botId: id,
    symbol,
    candleTs,
    target,
    votes: [],
    rule: 'signal' as const,
    signal: 'HOLD' as const,
    action: 'held' as const,
    reason: '',
    decidedAt: 0,
  })
  await bench.db.orm
    .insert(botDecisions)
    .values([
      decided('BTCUSDT', 1, 0.1),
      decided('BTCUSDT', 2, 0.25),
      decided('BTCUSDT', 3, null),
      decided('ETHUSDT', 2, 0),
      decided('OLDUSDT', 2, 0.2),
    ])
  const { status, body } = await read(id)
  expect(status).toBe(200)
  const { pairs, universe, cashPct, bandPct, correlations, volatilityPct } = botWeights.reply.parse(body)
  expect(universe).toBeNull()
  expect(pairs.map(({ symbol, nowPct, targetPct, state }) => [symbol, nowPct, targetPct, state])).toEqual([
    ['BTCUSDT', 30, 25, 'follows'],
    ['ETHUSDT', 10, 0, 'follows'],
    ['NEWUSDT', 0, null, 'no_target'],
    ['OLDUSDT', 0, 20, 'silent'],
  ])
  expect([cashPct, bandPct]).toEqual([60, 2.5])
  expect(pairs[3]!.lastAt).toBe(START + 300 * HOUR)
  // They move alike, ETH three times as far: 0.3 × 1 and 0.1 × 3 are half of the risk each.
  expect(pairs[0]!.riskPct).toBeCloseTo(50, 9)
  expect(pairs[1]!.riskPct).toBeCloseTo(50, 9)
  expect(volatilityPct).toBeCloseTo(0.6 * pairs[0]!.volatilityPct!, 9)
  expect(pairs[2]!.volatilityPct).toBeNull()
  expect(correlations.map(({ a, b, value }) => [a, b, Number(value.toFixed(9))])).toEqual([
    ['ETHUSDT', 'BTCUSDT', 1],
    ['OLDUSDT', 'BTCUSDT', 1],
    ['OLDUSDT', 'ETHUSDT', 1],
  ])
})

it('refuses a bot that trades its signal', async () => {
  const { status, body } = await read(await bot({ parameters: null }))
  expect([status, body.code]).toEqual([422, 'unprocessable'])
})

it('the weights of a bot are shown to its owner and admins, and to everybody while the bot is public', async () => {
  const id = await bot()
  const open = async () => (await call(app, 'GET', `/public/bots/${id}/weights`)).status
  expect([(await read(id, other)).status, (await read(id, admin)).status, await open()]).toEqual([404, 200, 404])
  await bench.db.orm.update(bots).set({ visibility: 'public' }).where(eq(bots.id, id))
  expect(await open()).toBe(200)
})
