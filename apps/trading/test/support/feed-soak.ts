import { CANDLE_COLUMNS, type Candles, emptyCandles, rowsFromCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { openLocalVenue } from '@shapecast/venues/testing/open-local-venue'
import { lastClosedOpen } from '@shapecast/venues/venue'
import { startFeed } from '../../src/market/feed/feed.ts'
import { knownGapsOf } from '../../src/market/gaps.ts'
import { createLiveMarket } from '../../src/market/live-market.ts'
import { createStoredCandles } from '../../src/market/stored-candles.ts'

const MINUTE_MS = 60_000
const START_MS = Date.UTC(2024, 0, 1)
/** Minutes that lie in the past when the feed starts: it has to fetch them. */
const PAST = 300
/** How long what is stored may take to become what the exchange has, once nothing strikes any more. */
const SETTLED_WITHIN_S = 240
/** A revision is of one of so many minutes: where its message is lost, the next connection reads that far back. */
const REVISED_OF = 50

export interface SoakPlan {
  readonly symbols: number
  readonly minutes: number
  /** Market minutes a real second. */
  readonly minutesASecond: number
  /** Real ms between one fault and the next. */
  readonly faultEveryMs: number
  readonly seed: number
  readonly onProgress?: (share: number) => void
}

export interface SoakResult {
  /** Candles that the exchange has, and of them those that are stored to the digit, not stored, or stored otherwise. */
  readonly expected: number
  readonly exact: number
  readonly missing: number
  readonly wrong: number
  /** Stored candles that the exchange does not have. */
  readonly invented: number
  /** Minutes that the exchange itself lacks, and how many of those are written down as such. */
  readonly gapMinutes: number
  readonly knownGapMinutes: number
  /** Candles that the exchange has revised after their close, and revisions written down. */
  readonly revised: number
  readonly revisionsKept: number
  /** Faults that struck, by kind. */
  readonly faults: Readonly<Record<string, number>>
  readonly requests: number
  readonly connections: number
  readonly feedChanges: number
  readonly seconds: number
}

/** A random walk with a hole of some minutes that nobody traded in. */
function withHole(candles: Candles, at: number, length: number): Candles {
  const kept = [...Array(candles.length).keys()].filter((i) => i < at || i >= at + length)
  const out = emptyCandles(kept.length)
  for (const column of CANDLE_COLUMNS)
    kept.forEach((from, to) => {
      out[column][to] = candles[column][from]!
    })
  return out
}

/**
 * Lets the feed follow a local exchange on a clock that runs ahead, while connections drop, messages are lost, come late
 * and twice, streams fall silent, requests are refused, slow or fail, candles are revised after their close, and the
 * feed changes hands. Then compares what is stored with what the exchange has.
 */
export async function soakFeed(db: Database, plan: SoakPlan): Promise<SoakResult> {
  const began = performance.now()
  const total = PAST + plan.minutes
  const random = createRandom(plan.seed)
  const ids = Array.from({ length: plan.symbols }, (_, i) => `COIN${String.fromCharCode(65 + i)}USDT`)
  // Trading goes on after the minutes that are compared: a stream that says nothing any more could not be followed.
  const traded = total + 2 * SETTLED_WITHIN_S * plan.minutesASecond
  const series = Object.fromEntries(
    ids.map((id, i) => {
      const candles = randomCandles(traded, START_MS, '1m', plan.seed + i)
      return [id, i % 2 === 0 ? withHole(candles, PAST + Math.floor(plan.minutes / 3), 7) : candles]
    }),
  )
  const { exchange, venue, close } = await openLocalVenue(
    // Where many requests were under way when the limit was met, a ban follows: it has to end within the test.
    { series, startMs: START_MS + PAST * MINUTE_MS, weights: { limit: 120, windowMs: 3_000, banMs: 2_000 } },
    { silenceMs: 4_000 },
  )
  exchange.faults.stream.duplicateEvery = 7
  exchange.faults.stream.lateEvery = 11
  exchange.faults.stream.lateBy = plan.symbols
  exchange.faults.stream.loseEvery = 53

  const log = silentLogger()
  const stored = createStoredCandles(db)
  const market = createLiveMarket({ source: venue, db, stored, log, now: Date.now })
  const followed = ids.map((symbol) => ({ symbol, timeframe: '1m' as const }))
  const start = () =>
    startFeed({
      db,
      venue: market,
      live: { source: venue, store: market.book },
      wanted: { lasting: async () => followed, used: async () => [] },
      closed: () => {},
      log,
      now: Date.now,
      timing: { overdueMs: 20 * MINUTE_MS, silentMs: 2_000, retryMs: 50, retryMostMs: 500, lookMs: 100 },
      tryEveryMs: 200,
    })
  let feed = start()
  let feedChanges = 0
  const revised = new Set<string>()

  /** A closed minute gets another close: the exchange has corrected itself, and tells its streams or not. */
  function revise(symbol: string, ts: number, isReported: boolean): void {
    const candle = exchange.data.candleAt(symbol, MINUTE_MS, ts)
    if (candle === null) return
    exchange.revise(symbol, { ...candle, close: candle.low, volume: candle.volume + 1 }, isReported)
    revised.add(`${symbol} ${ts}`)
  }
  function reviseOne(): void {
    const symbol = ids[Math.floor(random.next() * ids.length)]!
    const back = Math.floor(random.next() * REVISED_OF)
    revise(symbol, lastClosedOpen('1m', exchange.clock.now()) - back * MINUTE_MS, true)
  }
  async function cut(): Promise<void> {
    await settled(async () => exchange.streams.connections > 0)
    exchange.streams.cut()
  }
  async function revisionsKept(): Promise<number> {
    const { rows } = await db.pool.query<{ n: number }>('select count(*)::int as n from trading.candle_revisions')
    return rows[0]!.n
  }
  const strikes: (() => void | Promise<void>)[] = [
    cut,
    reviseOne,
    cut,
    () => exchange.faults.rest({ at: /klines/, times: 2, fault: { kind: 'limited', status: 429, retryAfterS: 1 } }),
    cut,
    () => exchange.faults.rest({ at: /klines/, times: 3, fault: { kind: 'status', status: 502 } }),
    reviseOne,
    () => exchange.faults.rest({ at: /klines/, times: 2, fault: { kind: 'drop' } }),
    () => {
      exchange.faults.stream.silent = true
    },
    () => {
      exchange.faults.stream.silent = false
    },
    () => exchange.faults.rest({ at: /klines/, times: 2, fault: { kind: 'slow', ms: 300 } }),
    async () => {
      await feed.stop()
      feed = start()
      feedChanges++
    },
    reviseOne,
  ]

  const endMs = START_MS + total * MINUTE_MS
  const all = { fromMs: START_MS, toMs: endMs - MINUTE_MS }
  const truthOf = (id: string) =>
    minutesOf(exchange.data.candles(id, MINUTE_MS, { startMs: START_MS, limit: total }), endMs)
  const compare = async (id: string) => {
    const rows = rowsFromCandles(await stored.candles(venue.name, id, '1m', all))
    return compared(truthOf(id), new Map(rows.map((row) => [row[0], row])))
  }
  async function knownGapMinutes(id: string): Promise<number> {
    const gaps = await knownGapsOf(db.orm, { venue: venue.name, symbol: id, timeframe: '1m' }, all)
    return gaps.reduce((sum, gap) => sum + (gap.toMs - gap.fromMs) / MINUTE_MS + 1, 0)
  }
  let stopClock = exchange.clock.run(plan.minutesASecond * 60)
  try {
    for (let at = 0; exchange.clock.now() < endMs || at < strikes.length; at++) {
      await new Promise((resolve) => setTimeout(resolve, plan.faultEveryMs))
      await strikes[at % strikes.length]!()
      plan.onProgress?.(Math.min(1, (exchange.clock.now() - START_MS) / (endMs - START_MS)))
    }
    exchange.faults.stream.silent = false
    // A revision that was told while no stream was up is found when the next one is, which a limit may hold up.
    await cut()
    await settled(async () => {
      for (const id of ids) {
        const { expected, exact } = await compare(id)
        if (exact < expected || (await knownGapMinutes(id)) < total - expected) return false
      }
      return true
    })
    // One that is not told at all is found too. Not much is traded until then, however slow this machine is.
    stopClock()
    stopClock = exchange.clock.run(plan.minutesASecond)
    const [id] = ids
    const kept = await revisionsKept()
    revise(id!, (await market.book.lastTs(id!, '1m'))!, false)
    await cut()
    await settled(async () => (await revisionsKept()) > kept)
  } finally {
    stopClock()
  }
  const faults = count(
    exchange.faults.log.map(({ what }) => what.replace(/:.*| at \d+| of coin\S+|COIN\w+ |\d+ (?=web)/g, '')),
  )
  stopClock()
  await feed.stop()

  const sums = { expected: 0, exact: 0, missing: 0, wrong: 0, invented: 0, gapMinutes: 0, knownGapMinutes: 0 }
  for (const id of ids) {
    const found = await compare(id)
    sums.expected += found.expected
    sums.exact += found.exact
    sums.missing += found.missing
    sums.wrong += found.wrong
    sums.invented += found.invented
    sums.gapMinutes += total - found.expected
    sums.knownGapMinutes += await knownGapMinutes(id)
  }
  const { length: requests } = exchange.requests
  const connections = exchange.streams.opened
  await close()
  const seconds = (performance.now() - began) / 1000
  return {
    ...sums,
    revised: revised.size,
    revisionsKept: await revisionsKept(),
    faults,
    requests,
    connections,
    feedChanges,
    seconds,
  }
}

interface Minute {
  ts: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}
const minutesOf = (minutes: readonly Minute[], endMs: number) =>
  new Map(
    minutes.filter((m) => m.ts < endMs).map((m) => [m.ts, [m.ts, m.open, m.high, m.low, m.close, m.volume]] as const),
  )

/** How rows that are stored stand to those that the exchange has, both by open time. */
function compared(known: ReadonlyMap<number, readonly number[]>, found: ReadonlyMap<number, readonly number[]>) {
  const sums = { expected: known.size, exact: 0, missing: 0, wrong: 0, invented: 0 }
  for (const [ts, row] of known) {
    const mine = found.get(ts)
    if (mine === undefined) sums.missing++
    else if (mine.join() === row.join()) sums.exact++
    else sums.wrong++
  }
  for (const ts of found.keys()) if (!known.has(ts)) sums.invented++
  return sums
}

function count(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

async function settled(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + SETTLED_WITHIN_S * 1_000
  while (!(await holds()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
}
