import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsFromCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, weekOfMinutes } from '@shapecast/venues/testing/open-local-venue'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createStoredCandles } from '../src/market/stored-candles.ts'
import { TRADING_MIGRATIONS } from './support/trading-migrations.ts'

let db: Database
beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
})
const children: ChildProcess[] = []
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
  }
  await Promise.all(ends.splice(0).map((end) => end()))
  await db.close()
})

const SYMBOLS = 'BTCUSDT,ETHUSDT'
const startOf = SERIES_START_MS + 500 * MINUTE_MS + 10_000

/** Two processes with a feed each, on one database and one exchange, whose clock is theirs and moves only when told. */
async function twoFeeds() {
  const { exchange, close } = await openLocalVenue({ startMs: startOf })
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-clock-'))
  const clockFile = join(folder, 'now')
  const tell = (nowMs: number) => {
    writeFileSync(`${clockFile}.next`, String(nowMs))
    renameSync(`${clockFile}.next`, clockFile)
  }
  tell(startOf)
  exchange.clock.onStep(tell)
  const args = [
    join(import.meta.dirname, 'support/feed-process.ts'),
    db.url,
    JSON.stringify(exchange.urls),
    SYMBOLS,
    clockFile,
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
  ends.push(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })
  return { exchange, feeds, leader }
}

const stored = () =>
  Promise.all(
    SYMBOLS.split(',').map(async (symbol) =>
      rowsFromCandles(await createStoredCandles(db).candles('binance', symbol, '1m', {})),
    ),
  )

it.each([
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
] as const)('the feed goes on in another process when the leader is %s, and no candle is lost', async (_, signal) => {
  const { exchange, feeds, leader } = await twoFeeds()
  const week = weekOfMinutes()
  const complete = async () => {
    const closed = Math.floor((exchange.clock.now() - SERIES_START_MS) / MINUTE_MS)
    const expected = SYMBOLS.split(',').map((symbol) => rowsFromCandles(week[symbol]!).slice(0, closed))
    expect(await stored()).toEqual(expected)
  }
  // The clock moves only once all is there: a feed that reads the exchange's clock meanwhile would be minutes out.
  const goOn = async () => {
    await eventually(complete)
    exchange.clock.advance(3 * MINUTE_MS)
  }
  const gone = await leader()
  await goOn()
  await eventually(complete)
  // It stands still first: the other cannot lead, and so read the exchange's clock, while that moves.
  gone.child.kill('SIGSTOP')
  exchange.clock.advance(3 * MINUTE_MS)
  gone.child.kill(signal)
  const [other] = feeds.filter((feed) => feed !== gone)
  await eventually(() => expect(other!.leads()).toBe(true))
  await goOn()
  await eventually(complete)
})
