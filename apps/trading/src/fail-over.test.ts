import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { rowsFromCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, weekOfMinutes } from '@shapecast/venues/testing/open-local-venue'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Candidate, LOST_LEAD_LASTS_MS, standForLead } from './features/feed/leader-lock.ts'
import { createStoredCandles } from './features/market/stored-candles.ts'
import { TRADING_MIGRATIONS } from './testing/trading-migrations.ts'

let db: Database
beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
})
const children: ChildProcess[] = []
const candidates: Candidate[] = []
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
  }
  await Promise.all(candidates.splice(0).map((one) => one.stop()))
  await db.close()
})

const stand = (name: string, worked: string[] = []) => {
  const candidate = standForLead({
    url: db.url,
    name,
    log: silentLogger(),
    tryEveryMs: 50,
    async lead() {
      worked.push('started')
      return { stop: async () => void worked.push('stopped') }
    },
  })
  candidates.push(candidate)
  return candidate
}

it('lets one of three lead, another when it gives up, and each name by itself', async () => {
  const three = [stand('one'), stand('one'), stand('one')]
  const leading = () => three.filter((candidate) => candidate.leads())
  await eventually(() => expect(leading().length).toBe(1))
  const other = stand('two')
  await eventually(() => expect(other.leads()).toBe(true))
  const [first] = leading()
  await first!.stop()
  await eventually(() => expect(leading().length).toBe(1))
  expect(leading()[0]).not.toBe(first)
})

it('stops the work and stands again where its connection breaks', async () => {
  const worked: string[] = []
  const candidate = stand('one', worked)
  await eventually(() => expect(candidate.leads()).toBe(true))
  await db.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shapecast-feed' and datname = current_database()",
  )
  await eventually(() => expect(worked).toEqual(['started', 'stopped', 'started']))
})

const SYMBOLS = 'BTCUSDT,ETHUSDT'
const SPEED = 120
const startOf = SERIES_START_MS + 500 * MINUTE_MS

/** Two processes with a feed each, on one database and one exchange whose clock makes two minutes a second. */
async function twoFeeds() {
  const local = await openLocalVenue({ startMs: startOf })
  const { exchange } = local
  const stopClock = exchange.clock.run(SPEED)
  const startedAt = Date.now()
  const script = join(import.meta.dirname, 'testing/feed-process.ts')
  const args = [
    script,
    db.url,
    JSON.stringify(exchange.urls),
    SYMBOLS,
    String(startOf),
    String(startedAt),
    String(SPEED),
  ]
  const start = () => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    let said = ''
    child.stdout.on('data', (data: Buffer) => {
      said += data
    })
    return { child, leads: () => said.trimEnd().split('\n').at(-1) === 'leads' }
  }
  const feeds = [start(), start()]
  const leader = () =>
    eventually(() => {
      const found = feeds.find((feed) => feed.leads())
      expect(found).toBeDefined()
      return found!
    })
  await leader()
  return { exchange, feeds, leader, stopClock, close: local.close }
}

const stored = (from: number, to: number) =>
  Promise.all(
    SYMBOLS.split(',').map(async (symbol) =>
      rowsFromCandles(await createStoredCandles(db).candles('binance', symbol, '1m', { fromMs: from, toMs: to })),
    ),
  )

it.each([
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
] as const)('goes on in another process where the one that leads is %s, and no candle is lost', async (_, signal) => {
  const { exchange, feeds, leader, stopClock, close } = await twoFeeds()
  const week = weekOfMinutes()
  const closedTo = () => Math.floor(exchange.clock.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS
  const begin = closedTo()
  const complete = async (to: number) => {
    const index = (ms: number) => (ms - SERIES_START_MS) / MINUTE_MS
    const expected = SYMBOLS.split(',').map((symbol) =>
      rowsFromCandles(week[symbol]!).slice(index(begin), index(to) + 1),
    )
    expect(await stored(begin, to)).toEqual(expected)
  }
  await eventually(() => complete(begin + 3 * MINUTE_MS))
  const gone = await leader()
  gone.child.kill(signal)
  const [other] = feeds.filter((feed) => feed !== gone)
  await eventually(() => expect(other!.leads()).toBe(true))
  const later = closedTo() + 3 * MINUTE_MS
  await eventually(() => complete(later))
  stopClock()
  await close()
})

it('does so within ten seconds of real time, as its waits are set', () =>
  expect(LOST_LEAD_LASTS_MS).toBeLessThan(10_000))
