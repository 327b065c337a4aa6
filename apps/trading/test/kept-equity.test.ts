import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { afterAll, expect, it } from 'vitest'
import { createEquityKeeper } from '../src/bots/keep-equity.ts'
import { createEquityStore } from '../src/ledger/equity-store.ts'
import type { EquityRow } from '../src/ledger/tables.ts'
import { pruneHistory } from '../src/prune-history.ts'
import { deleteUser, exportUser } from '../src/user-data.ts'
import { createBotsBench, scriptedMarket } from './support/bots-bench.ts'
import { openCutDatabase } from './support/cut-database.ts'
import { openAccounts } from './support/open-accounts.ts'
import { createServiceBench } from './support/service-bench.ts'
import { simulatedMarket } from './support/simulated-market.ts'

const HOUR = TIMEFRAME_MS['1h']
const DAY = 24 * HOUR
const START = Date.UTC(2024, 0, 1)
const CANDLES = new Map([['BTCUSDT', generateCandles({ candles: 700, seed: 3, startMs: START, clusters: 0.3 })]])

const bench = await createServiceBench()
const cut = await openCutDatabase(bench.db)
const market = scriptedMarket(CANDLES)
market.nowMs = START + 500 * HOUR
const room = createBotsBench(bench.db, market)
const kept = createEquityStore('replay')
const noPeople = async () => []
const keeperOn = (db: Database, asked = createBotsBench(db, market)) =>
  createEquityKeeper({ db, kept, bots: asked.store, equity: asked.equity, users: noPeople, marketNow: market.now })
const keep = keeperOn(bench.db)
const rowsOf = (since = 0) => kept.of(bench.db.orm, room.owner.userId, { since })
afterAll(async () => {
  await cut.close()
  await bench.close()
})

/** Lets the market go on by hours, to a moment after the last of them. */
async function pass(hours: number, momentMs = 5_000): Promise<void> {
  market.nowMs -= market.nowMs % HOUR
  for (let i = 0; i < hours; i++) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
  }
  market.nowMs += momentMs
}

it('the equity of every bot is kept at each full hour, also of bots that are deleted later', async () => {
  const choices = { mlModelVersion: 'v3', positionSize: 0.02, initialBalance: 1000, maxDrawdown: 50 }
  const ids = [
    await room.started(choices),
    await room.started({ ...choices, marketType: 'futures', leverage: 5 }),
    await room.started({ ...choices, initialBalance: 500 }),
  ]
  for (let hour = 0; hour < 30; hour++) {
    await pass(1)
    await keep()
    await keep()
    const now = await rowsOf(market.nowMs - HOUR)
    for (const bot of await room.equity.shown(await room.store.list('all'))) {
      const row = now.find(({ botId }) => botId === bot.id)!
      expect([row.atMs % HOUR, row.equity, row.deposits]).toEqual([0, bot.currentBalance, bot.initialBalance])
      expect([row.closedPnL, row.openPnL]).toEqual([bot.closedPnL, bot.openPnL])
      expect(row.deposits + row.closedPnL + row.openPnL).toBeCloseTo(row.equity, 8)
    }
  }
  const before = await rowsOf()
  expect(before).toHaveLength(3 * 30)
  expect(new Set(before.map(({ equity }) => equity)).size).toBeGreaterThan(10)

  await room.control.stop(ids[0]!, room.owner)
  await pass(2)
  await room.service.delete(ids[0]!, room.owner)
  expect((await rowsOf()).filter(({ botId }) => botId === ids[0])).toHaveLength(30)
  const { accountEquity } = await exportUser(bench.db.orm, room.owner.userId)
  expect(accountEquity).toHaveLength(90)
})

it('the equity curve of a bot ends at its reset: what a reset gives is no profit', async () => {
  const id = await room.started({ mlModelVersion: 'v3', positionSize: 0.02, initialBalance: 1000, maxDrawdown: 50 })
  const of = async () => (await rowsOf()).filter(({ botId }) => botId === id)
  for (let hour = 0; hour < 12; hour++) {
    await pass(1)
    await keep()
  }
  await room.control.stop(id, room.owner)
  const forming = rowsFromCandles(CANDLES.get('BTCUSDT')!).find(([ts]) => ts > market.nowMs - HOUR)!
  market.formingRows.set('BTCUSDT', forming)
  await room.runtime.between()
  await room.control.reset(id, room.owner)
  await pass(1)
  await keep()
  const rows = await of()
  expect(rows).toHaveLength(13)
  const [before, after] = [rows.slice(0, -1), rows.at(-1)!]
  expect(new Set(before.map(({ accountId }) => accountId)).size).toBe(1)
  expect(after.accountId).not.toBe(before[0]!.accountId)
  expect([after.equity, after.deposits, before.at(-1)!.equity === 1000]).toEqual([1000, 1000, false])
  await room.service.delete(id, room.owner)
})

it('leaves an hour out at which nobody looked in time', async () => {
  await pass(1, 6 * 60_000)
  await keep()
  expect(await rowsOf(market.nowMs - HOUR)).toEqual([])
})

it('asks as many questions for forty bots as for two', async () => {
  await pass(1)
  const before = (await room.store.list('all')).length
  const asking = keeperOn({ ...bench.db, ...cut })
  cut.cutAt(0, 'before')
  await asking()
  const few = cut.asked()
  for (let i = 0; i < 40 - before; i++) await room.started({ mlModelVersion: 'v3', initialBalance: 1000 })
  await pass(1)
  cut.cutAt(0, 'before')
  await asking()
  expect(await rowsOf(market.nowMs - HOUR)).toHaveLength(40)
  expect([few, cut.asked()]).toEqual([few, few])
  expect(few).toBeLessThan(12)
})

it('the equity of virtual accounts of users is kept, equal to their balance', async () => {
  const nowMs = Date.UTC(2025, 5, 1, 12)
  const predict = () => Promise.reject(new Error('not of this test'))
  const prices = simulatedMarket(() => nowMs)
  const { orders, account, ledger } = openAccounts({
    db: bench.db,
    market: prices,
    predict,
    log: silentLogger(),
    now: () => nowMs,
  })
  const userId = crypto.randomUUID()
  const asked = { member: { userId, role: 'user', address: 'test' }, request: null } as const
  const order = { symbol: 'BTCUSDT', type: 'market', isVirtual: true } as const
  await orders.place({ ...order, side: 'buy', amount: 0.02 }, asked)
  await orders.place({ ...order, side: 'sell', amount: 0.01 }, asked)
  const bots = { list: async () => [] }
  const equity = { moneyOf: async () => [] }
  const { equity: own } = ledger
  const users = account.worths
  await createEquityKeeper({ db: bench.db, kept: own, bots, equity, users, marketNow: async () => nowMs })()
  const [row, ...more] = await own.of(bench.db.orm, userId)
  const shown = await account.balance(userId)
  expect(more).toEqual([])
  expect(row).toMatchObject({ botId: null, atMs: nowMs, equity: shown.equity, deposits: 10_000 })
  expect(row!.closedPnL).toBeCloseTo(shown.realisedPnl! - shown.fees!, 8)
  expect(row!.deposits + row!.closedPnL + row!.openPnL).toBeCloseTo(row!.equity, 8)

  await bench.db.orm.transaction((tx) => deleteUser(tx, userId))
  expect(await own.of(bench.db.orm, userId)).toEqual([])
})

it('of equity older than 90 days the last hour of each UTC day is kept', async () => {
  const own = createEquityStore('thinned')
  const [accountId, userId] = [crypto.randomUUID(), crypto.randomUUID()]
  const row = (hour: number): Omit<EquityRow, 'venue'> => {
    const figures = { equity: hour, closedPnL: 0, openPnL: 0, deposits: 0 }
    return { accountId, atMs: START + hour * HOUR, userId, botId: null, isVirtual: true, ...figures }
  }
  await own.keep(
    bench.db.orm,
    Array.from({ length: 100 * 24 + 1 }, (_, hour) => row(hour)),
  )
  await pruneHistory(bench.db, 20_000)
  const hours = (await own.of(bench.db.orm, userId)).map(({ atMs }) => atMs - START)
  expect(hours.slice(0, 12)).toEqual([
    ...Array.from({ length: 10 }, (_, day) => day * DAY + 23 * HOUR),
    10 * DAY,
    10 * DAY + HOUR,
  ])
  expect(hours).toHaveLength(10 + 90 * 24 + 1)
})
