import type { Bot, BotRecord } from '@shapecast/contracts/bots'
import { portfolio } from '@shapecast/contracts/portfolio'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { candlesFromRows } from '@shapecast/engine/candles'
import { afterAll, expect, it } from 'vitest'
import { createBotFiles } from '../src/bots/bot-files.ts'
import { createPortfolioHistory } from '../src/bots/portfolio-history.ts'
import { portfolioRoutes } from '../src/bots/routes.ts'
import { createEquityStore, type NewEquity } from '../src/ledger/equity-store.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const HOUR = TIMEFRAME_MS['1h']
const START = Date.UTC(2024, 0, 1)
const bench = await createServiceBench()
afterAll(() => bench.close())

/** Closes of the hours that end at START, START + 1 h …: quote per base. */
const CLOSES: Readonly<Record<string, readonly number[]>> = { BTCUSDT: [100, 110, 121, 121, 133.1] }
const candles = async (symbol: string, _: string, { fromMs, toMs }: { fromMs: number; toMs: number }) =>
  candlesFromRows(
    (CLOSES[symbol] ?? [])
      .map((close, i): [number, number, number, number, number, number] => {
        const ts = START + (i - 1) * HOUR
        return [ts, close, close, close, close, 1]
      })
      .filter(([ts]) => ts >= fromMs && ts <= toMs),
  )

interface Owned {
  id: string
  accountId: string
  isVirtual: boolean
  initialBalance: number
  equity: number
}

/** A user whose bots were worth what `hours` say at START, START + 1 h …, and are worth their `equity` half an hour after the last. */
async function userWith(
  venue: string,
  own: readonly Owned[],
  hours: readonly Partial<NewEquity>[][],
  begun: readonly [string, { sinceMs: number | null; peak: number }][] = [],
) {
  const userId = crypto.randomUUID()
  const kept = createEquityStore(venue)
  for (const [hour, rows] of hours.entries()) {
    const atMs = START + hour * HOUR
    const figures = { closedPnL: 0, openPnL: 0, isVirtual: true, deposits: 100, equity: 100, botId: null }
    await kept.keep(
      bench.db.orm,
      rows.map((row) => ({ ...figures, atMs, userId, accountId: crypto.randomUUID(), ...row })),
    )
  }
  const history = createPortfolioHistory({
    orm: bench.db.orm,
    kept,
    bots: { ownOf: async () => own.map((bot) => ({ ...bot, tradingPairs: ['BTCUSDT'] }) as unknown as BotRecord) },
    states: { begun: async () => new Map(begun) },
    equity: { moneyOf: async () => own as never },
    candles,
    marketNow: async () => START + (hours.length - 1) * HOUR + HOUR / 2,
  })
  return { userId, history }
}

const bot = (over: Partial<Owned>): Owned => ({
  id: crypto.randomUUID(),
  accountId: crypto.randomUUID(),
  isVirtual: true,
  initialBalance: 100,
  equity: 100,
  ...over,
})
const rounded = (points: readonly { pct: number }[] | undefined) =>
  points?.map(({ pct }) => Math.round(1e6 * pct) / 1e6)

it('counts neither a new bot nor a deleted one as profit, and holds each pair with what its bot began with', async () => {
  const [a, b, gone] = [bot({ equity: 121 }), bot({ initialBalance: 300, equity: 330 }), crypto.randomUUID()]
  const rowOf = ({ accountId, id: botId, initialBalance: deposits }: Owned, equity: number) => ({
    accountId,
    botId,
    deposits,
    equity,
  })
  const { history, userId } = await userWith(
    'portfolio',
    [a, b],
    [
      [rowOf(a, 100), { accountId: gone, botId: gone, equity: 100 }],
      // 200 → 220: +10 %, the half of it by a bot that is deleted then.
      [rowOf(a, 110), { accountId: gone, botId: gone, equity: 110 }],
      // 300 come, 410 → 420.25: +2.5 %.
      [rowOf(a, 110), rowOf(b, 310.25)],
      // 420.25 → 378.225: −10 %.
      [rowOf(a, 110), rowOf(b, 268.225)],
    ],
    [
      [a.id, { sinceMs: START + HOUR, peak: 100 }],
      [b.id, { sinceMs: null, peak: 440 }],
    ],
  )
  const { virtual, real, courses } = await history(userId, '30d')
  expect(real).toBeNull()
  // And at last 378.225 → 451.
  const now = 100 * (1.1 * 1.025 * 0.9 * (451 / 378.225) - 1)
  expect(rounded(virtual?.points)).toEqual([0, 10, 12.75, 1.475, Math.round(1e6 * now) / 1e6])
  expect(virtual?.worstDrawdownPct).toBeCloseTo(10, 9)
  expect(virtual?.drawdownPct).toBe(0)
  // BTC: 100, 110, 121, 121, and no close since. 110 → 121 beside 310.25 that are new: 431.25 / 420.25.
  const held = Math.round(1e8 * (1.1 * (431.25 / 420.25) - 1)) / 1e6
  expect(rounded(virtual?.hold)).toEqual([0, 10, held, held, held])
  expect(new Map(courses.map(({ botId, ...course }) => [botId, course]))).toEqual(
    new Map([
      // BTC from 110, its close when the bot began, to 121 an hour before the last full one; 133.1 is not closed yet.
      [a.id, { values: [100, 110, 110, 110, 121], holdPct: expect.closeTo(10, 9), drawdownPct: 0 }],
      // 330 of 440.
      [b.id, { values: [310.25, 268.225, 330], holdPct: null, drawdownPct: 25 }],
    ]),
  )
})

it('never adds real money to virtual', async () => {
  const [toy, earnest] = [bot({ equity: 50 }), bot({ isVirtual: false, equity: 104 })]
  const { history, userId } = await userWith(
    'apart',
    [toy, earnest],
    [
      [
        { accountId: toy.accountId, botId: toy.id },
        { accountId: earnest.accountId, botId: earnest.id, isVirtual: false },
        { botId: null, equity: 1e6 },
      ],
    ],
  )
  const { virtual, real } = await history(userId, 'all')
  expect(rounded(virtual?.points)).toEqual([0, -50])
  expect(rounded(real?.points)).toEqual([0, 4])
  expect(virtual?.drawdownPct).toBe(50)
})

it('a user without bots has no portfolio history, and holding is left out where a price is unknown', async () => {
  const { history, userId } = await userWith('nothing', [], [[]])
  expect(await history(userId, '30d')).toEqual({ virtual: null, real: null, courses: [] })
  const own = bot({ equity: 101 })
  const late = await userWith(
    'unpriced',
    [own],
    [...Array.from({ length: 8 }, () => []), [{ accountId: own.accountId, botId: own.id }]],
  )
  const { virtual } = await late.history(late.userId, '90d')
  expect(rounded(virtual?.points)).toEqual([0, 1])
  expect(virtual?.hold).toEqual([])
})

it('answers a signed-in user with their own bots only', async () => {
  const own = bot({ equity: 110 })
  const { history } = await userWith('called', [own], [[{ accountId: own.accountId, botId: own.id }]])
  const files = createBotFiles(async () => [], history)
  const app = bench.mount((server) => portfolioRoutes(server, { history, files }))
  const { status, body } = await call(app, 'GET', '/api/portfolio?span=all', { as: bench.users.owner })
  expect(status).toBe(200)
  expect(rounded(portfolio.reply.parse(body).virtual?.points)).toEqual([10])
  expect((await call(app, 'GET', '/api/portfolio?span=1y', { as: bench.users.owner })).status).toBe(400)
  expect((await call(app, 'GET', '/api/portfolio')).status).toBe(401)
})

it('saves bots in the asked order as CSV that no spreadsheet takes for formulas, and what own ones hold', async () => {
  const { owner, other } = bench.users
  const held = { symbol: 'BTCUSDT', side: 'long', quantity: 0.02, entryTime: 0, entryPrice: 50_000, markPrice: 56_550 }
  const shown = (name: string, changes: Partial<Bot>): Bot =>
    ({
      ...{ id: crypto.randomUUID(), name, userId: owner.userId, isVirtual: true, status: 'active', strategy: 'ml' },
      ...{ parameters: null, tradingPairs: ['BTCUSDT', 'ETHUSDT'], initialBalance: 1000, currentBalance: 1300 },
      ...{ totalPnL: 300, closedPnL: 100, openPnL: 200, positions: [], totalTrades: 4, winningTrades: 3, ...changes },
    }) as unknown as Bot
  const position = { ...held, worth: 1131, unrealizedPnL: 131, stopLossPrice: 45_000, takeProfitPrice: null }
  const ash = shown('=Ash, "first"', { positions: [position as Bot['positions'][number]] })
  const beech = shown('Beech', { userId: other.userId, isVirtual: false, strategy: 'openai', totalTrades: 0 })
  const courses = [{ botId: ash.id, values: [], holdPct: 41.28, drawdownPct: 8.95 }]
  const history = async () => ({ virtual: null, real: null, courses })
  const files = createBotFiles(async () => [beech, ash], history)
  const app = bench.mount((server) => portfolioRoutes(server, { history, files }))
  const linesOf = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${owner.token}` }
    return (await app.inject({ method, url, headers, ...(payload && { payload }) })).body.trimEnd().split('\r\n')
  }
  const asked = await linesOf('POST', '/api/bots/export', { ids: [ash.id, crypto.randomUUID(), beech.id] })
  expect(asked).toEqual([
    'name,money,state,does,pairs,equity_usdt,return_pct,hold_pct,closed_pnl_usdt,open_pnl_usdt,positions,drawdown_pct,trades,win_rate_pct',
    `"'=Ash, ""first""",virtual,active,Model signal · holds 87% BTC,BTCUSDT ETHUSDT,1300,30,41.28,100,200,long 0.02 BTCUSDT,8.95,4,75`,
    'Beech,real,active,OpenAI signal · holds nothing,BTCUSDT ETHUSDT,1300,30,,100,200,,,0,',
  ])
  expect((await linesOf('POST', '/api/bots/export', {}))[1]).toMatch(/^Beech,/)
  expect(await linesOf('GET', '/api/bots/positions/export')).toEqual([
    'bot,money,pair,side,quantity,opened_at,entry_price,live_price,worth_usdt,price_pnl_usdt,stop,target',
    `"'=Ash, ""first""",virtual,BTCUSDT,long,0.02,1970-01-01T00:00:00.000Z,50000,56550,1131,131,45000,`,
  ])
})
