import type { Bot, BotDraft } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { afterAll, expect, it } from 'vitest'
import type { BotWorth } from '../src/bots/bot-reads.ts'
import { botRoutes, botTradingRoutes } from '../src/bots/routes.ts'
import { exportUser } from '../src/user-data.ts'
import { entriesOf } from './support/bot-accounts.ts'
import { createBotsBench, scriptedMarket } from './support/bots-bench.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const HOUR = TIMEFRAME_MS['1h']
const START = Date.UTC(2024, 0, 1)
const BEFORE = 2600
const LIVED = 60
const series = (seed: number) => generateCandles({ candles: BEFORE + LIVED + 5, seed, startMs: START, clusters: 0.3 })
const CANDLES = new Map([
  ['BTCUSDT', series(3)],
  ['ETHUSDT', series(4)],
])

const bench = await createServiceBench()
const market = scriptedMarket(CANDLES)
market.nowMs = START + BEFORE * HOUR + 60_000
const room = createBotsBench(bench.db, market)
afterAll(() => bench.close())

const policy = (name: NonNullable<BotDraft['parameters']>['policy']): Partial<BotDraft> => ({
  parameters: { policy: name },
  initialBalance: 1000,
  maxDrawdown: 50,
})
const signal = (over: Partial<BotDraft> = {}): Partial<BotDraft> => ({
  mlModelVersion: 'v3',
  positionSize: 0.02,
  initialBalance: 1000,
  maxDrawdown: 50,
  ...over,
})
const KINDS: readonly Partial<BotDraft>[] = [
  signal(),
  signal({ marketType: 'futures', leverage: 5 }),
  signal({ marketType: 'futures', leverage: 3, tradingPairs: ['BTCUSDT', 'ETHUSDT'] }),
  policy('model_brake'),
  policy('steady_risk'),
  policy('trend_steady_risk'),
  policy('trend_ensemble'),
  policy('fixed_share'),
  policy('fixed_share'),
  signal({ mlModelVersion: 'v4', tradingPairs: ['ETHUSDT'] }),
]
const [PAUSED, STOPPED] = [8, 9]
const cents = (value: number) => Math.round(value * 100)

it('ten bots of all kinds are worth the same wherever one looks, with positions open in a market that stands still', async () => {
  const ids: string[] = []
  for (const [k, kind] of KINDS.entries())
    ids.push(await room.started({ visibility: 'public', name: `Kind ${k}`, ...kind }))
  for (let i = 0; i < LIVED; i++) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
    if (i === 40) await room.control.pause(ids[PAUSED]!, room.owner)
    if (i === 50) await room.control.stop(ids[STOPPED]!, room.owner)
    for (const [symbol, candles] of CANDLES) {
      const next = rowsFromCandles(candles).find(([ts]) => ts === Math.floor(market.nowMs / HOUR) * HOUR)
      if (next !== undefined) market.formingRows.set(symbol, next)
    }
    await room.runtime.between()
  }
  const app = bench.mount((server) => {
    botRoutes(server, room.service)
    const none = () => Promise.reject(new Error('not of this test'))
    botTradingRoutes(server, { control: room.control, reads: room.reads, parity: none })
  })
  const { admin } = bench.users
  const get = async (path: string) => (await call(app, 'GET', path, { as: admin })).body
  const list: Bot[] = await get('/api/bots')
  const dashboard: Bot[] = await get('/public/bots')
  const file = await exportUser(bench.db.orm, room.owner.userId, room.reads.worthOf)
  const subAccounts = await room.reads.subAccounts(room.owner)
  let open = 0
  for (const id of ids) {
    const bot = list.find((one) => one.id === id)!
    const shown = dashboard.find((one) => one.id === id)!
    const alone: Bot = await get(`/api/bots/${id}`)
    const details = await get(`/api/bots/${id}/balance`)
    const exported = (file.botWorth as BotWorth[]).find(({ botId }) => botId === id)!
    const returnOf = (equity: number) => (100 * (equity - bot.initialBalance)) / bot.initialBalance
    const figures = [bot, shown, alone].map((one) => [one.currentBalance, one.closedPnL, one.openPnL])
    figures.push([details.equity, details.closedPnL, details.openPnL])
    figures.push([exported.equity, exported.closedPnL, exported.openPnL])
    for (const one of figures)
      expect([...one, returnOf(one[0]!)].map(cents)).toEqual([...figures[0]!, returnOf(figures[0]![0]!)].map(cents))
    expect(cents(subAccounts.find(({ botId }) => botId === id)!.equity)).toBe(cents(bot.currentBalance))

    const { rows } = await bench.db.pool.query<{ symbol: string; quantity: string; cost: string }>(
      `select p.symbol, p.quantity::text, p.cost::text from trading.positions p
       join trading.accounts a on a.id = p.account_id where a.owner_id = $1 and p.quantity <> 0`,
      [id],
    )
    let ledger = (await entriesOf(bench.db, id)).reduce((sum, amount) => sum + amount, 0)
    for (const { symbol, quantity, cost } of rows) {
      const size = Number(quantity)
      const entryValue = bot.marketType === 'futures' ? Math.sign(size) * Number(cost) : 0
      ledger += size * (await market.price(symbol)) - entryValue
    }
    expect(cents(bot.currentBalance)).toBe(cents(ledger))
    const trades = await room.reads.trades(id, { limit: 1000 }, room.owner)
    expect(cents(bot.closedPnL)).toBe(cents(trades.reduce((sum, { netPnL }) => sum + netPnL, 0)))
    expect(bot.closedPnL + bot.openPnL).toBeCloseTo(bot.totalPnL, 6)
    expect(bot.totalPnL).toBeCloseTo(bot.currentBalance - bot.initialBalance, 6)
    open += bot.positions.length
  }
  expect(open).toBeGreaterThanOrEqual(5)
  const totals = list.reduce((sum, bot) => sum + bot.currentBalance, 0)
  const sum = (file.botWorth as BotWorth[]).reduce((all, { equity }) => all + equity, 0)
  expect(cents(totals)).toBe(cents(sum))
  const [paused, stopped] = [PAUSED, STOPPED].map((k) => list.find(({ id }) => id === ids[k])!)
  expect(paused!.status).toBe('paused')
  expect(paused!.positions).not.toEqual([])
  expect(stopped).toMatchObject({ status: 'stopped', openPnL: 0, positions: [] })
}, 60_000)
