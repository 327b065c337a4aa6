/**
 * The track record over weeks of market time through what befalls it: two workers (sets of rooms on one database) that both
 * look for closed candles, connections that are cut under them, candles that come late, candles that are revised after they
 * were scored, a clock that steps back and pauses, versions that are retrained, archived and brought back. After it: every
 * candle that was there in time is sealed once by each active artifact, nothing after its outcome, the chain verifies, and
 * every outcome is the close that the market first told, within the fan or not as it was sealed.
 *
 *   npm run soak record [hours=200] [seed=1]
 *
 * Exit code 1 where anything is found. Models and forecasts are real, small ones: 60 hours took 10 s of processor time.
 */
import type { Candles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import type { ChainStore } from '@shapecast/trading/forecasts/record/record-store'
import { verifyRecord } from '@shapecast/trading/forecasts/record/verify-record'
import { activate } from '@shapecast/trading/models/active-artifacts'
import { createParts, type Parts } from '@shapecast/trading/parts'
import { memoryVenue } from '@shapecast/trading/test/support/memory-venue'
import { addQuickModel } from '@shapecast/trading/test/support/small-model'
import { withBenchDatabase } from './lib/bench-database.ts'

const HOUR = 3_600_000
const TRAINED = 1400
const HOURS = Number(process.argv[2] ?? 200)
const random = createRandom(Number(process.argv[3] ?? 1))
const chance = (p: number): boolean => random.next() < p
const SYMBOLS = ['BTCUSDT', 'ETHUSDT']
const whole = Object.fromEntries(
  SYMBOLS.map((symbol, i) => [symbol, generateCandles({ candles: TRAINED + HOURS + 20, seed: 60 + i })]),
) as Record<string, Candles>
const ts = whole.BTCUSDT!.ts

/** What is stored: candles that have come, by symbol and place, with the close that they have now. */
const closes = new Map<string, Map<number, number>>(SYMBOLS.map((symbol) => [symbol, new Map()]))
/** The close that a scorer found first. */
const firstSeen = new Map<string, number>()
const series: Record<string, Candles> = {}
let clockMs = 0

function publish(): void {
  for (const symbol of SYMBOLS) {
    const all = whole[symbol]!
    const known = closes.get(symbol)!
    const kept = [...known.keys()].filter((i) => all.ts[i]! + HOUR <= clockMs).sort((a, b) => a - b)
    const pick = (column: Float64Array) => Float64Array.from(kept, (i) => column[i]!)
    series[`${symbol} 1h`] = {
      length: kept.length,
      ts: pick(all.ts),
      open: pick(all.open),
      high: Float64Array.from(kept, (i) => Math.max(all.high[i]!, known.get(i)!)),
      low: Float64Array.from(kept, (i) => Math.min(all.low[i]!, known.get(i)!)),
      close: Float64Array.from(kept, (i) => known.get(i)!),
      volume: pick(all.volume),
    }
  }
}

/** What is wrong with the record, in words; and how much there is of it. */
async function examine(db: Database, store: ChainStore, expected: ReadonlySet<string>) {
  const findings: string[] = []
  const { rows: sealed } = await db.pool.query('select * from trading.sealed_predictions order by seq')
  const times = new Map<string, number>()
  for (const row of sealed) {
    const key = `${row.artifact_id} ${row.candle_ts}`
    times.set(key, (times.get(key) ?? 0) + 1)
    if (Number(row.market_time_ms) >= Number(row.candle_ts) + HOUR + 5 * 60_000) findings.push(`late: ${row.seq}`)
  }
  for (const key of expected) if (times.get(key) !== 1) findings.push(`sealed ${times.get(key) ?? 0} times: ${key}`)
  const { findings: broken, rows } = await verifyRecord(store)
  findings.push(...broken.map(({ seq, text }) => `row ${seq} ${text}`))
  const { rows: scores } = await db.pool.query(
    'select s.*, p.symbol, p.candle_ts, p.fan from trading.sealed_scores s join trading.sealed_predictions p using (seq)',
  )
  for (const { seq, horizon, price, covered_90, covered_50, symbol, candle_ts, fan } of scores) {
    const first = firstSeen.get(`${symbol} ${Number(candle_ts) + horizon * HOUR}`)
    if (price !== first) findings.push(`outcome ${seq}/${horizon} is ${price}, not ${first}`)
    const [q05, q25, , q75, q95] = (fan as number[]).slice((horizon - 1) * 5)
    if (covered_90 !== (price >= q05! && price <= q95!) || covered_50 !== (price >= q25! && price <= q75!))
      findings.push(`coverage of ${seq}/${horizon}`)
  }
  const { rows: missing } = await db.pool.query(
    `select p.seq, h from trading.sealed_predictions p cross join generate_series(1, 8) h
     left join trading.sealed_scores s on s.seq = p.seq and s.horizon = h
     where s.seq is null and p.candle_ts + h * ${HOUR} <= $1`,
    [ts[TRAINED + HOURS - 12]],
  )
  findings.push(...missing.map(({ seq, h }) => `no outcome of ${seq}/${h}`))
  return { findings, rows, outcomes: scores.length }
}

await withBenchDatabase(async ({ db }) => {
  const log = silentLogger()
  const queue = await createQueue(db, log)
  for (const symbol of SYMBOLS) for (let i = 0; i < TRAINED; i++) closes.get(symbol)!.set(i, whole[symbol]!.close[i]!)
  clockMs = ts[TRAINED - 1]! + HOUR
  publish()
  const venue = { ...memoryVenue(series), now: async () => clockMs }
  const worker = () => createParts({ db, queue, venue, log, now: () => clockMs })
  const workers = [worker(), worker()]
  for (const symbol of SYMBOLS)
    for (const version of ['v3', 'v4'])
      await addQuickModel(db, version, symbol, series[`${symbol} 1h`]!, { seed: Number(version.slice(1)) })

  /** What is told to a worker after each close: the newest candle of every series. */
  const sealNewest = async (parts: Parts): Promise<void> => {
    for (const symbol of SYMBOLS) {
      const candleTs = series[`${symbol} 1h`]!.ts.at(-1)!
      const close = { venue: 'replay', symbol, timeframe: '1h', candleTs } as const
      await parts.handleClose()(close)
    }
  }

  const faults = { late: 0, revised: 0, cut: 0, clock: 0, stages: 0, retrained: 0, paused: 0 }
  const late: { symbol: string; i: number; atHour: number }[] = []
  const expected = new Set<string>()
  let largestRssMb = 0

  for (let hour = 0; hour < HOURS; hour++) {
    const i = TRAINED + hour
    clockMs = ts[i]! + HOUR + 2_000
    for (const symbol of SYMBOLS)
      if (chance(0.03)) {
        faults.late++
        late.push({ symbol, i, atHour: hour + 1 + Math.floor(random.next() * 6) })
      } else closes.get(symbol)!.set(i, whole[symbol]!.close[i]!)
    for (const one of late.filter(({ atHour }) => atHour === hour))
      closes.get(one.symbol)!.set(one.i, whole[one.symbol]!.close[one.i]!)
    publish()
    if (chance(0.02)) {
      faults.stages++
      const stage = chance(0.5) ? 'archived' : 'staging'
      await db.pool.query('update trading.models set stage = $1 where version = $2', [stage, 'v4'])
    }
    if (chance(0.01)) {
      faults.retrained++
      const symbol = SYMBOLS[hour % 2]!
      const id = await addQuickModel(db, 'v3', symbol, series[`${symbol} 1h`]!, { seed: hour })
      const row = await workers[0]!.models().modelStore.artifact(id)
      await db.orm.transaction((tx) => activate(tx, row!))
    }
    if (chance(0.02)) {
      faults.paused++
      continue
    }
    const turns = Promise.allSettled(workers.map(sealNewest))
    if (chance(0.05)) {
      // Every connection is cut under them, as by a server that dies; a worker begins again with an empty head.
      faults.cut++
      await new Promise((resolve) => setTimeout(resolve, random.next() * 30))
      await db.pool.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await turns
      await workers[1]!.models().predictors.close()
      workers[1] = worker()
    } else for (const turn of await turns) if (turn.status === 'rejected') throw turn.reason
    if (chance(0.03)) {
      faults.clock++
      clockMs -= 2 * HOUR
      publish()
      await sealNewest(workers[0]!)
      clockMs += 2 * HOUR
      publish()
    }
    clockMs += 60_000
    for (const parts of workers) await sealNewest(parts)
    for (const symbol of SYMBOLS)
      if (closes.get(symbol)!.has(i)) {
        const { rows } = await db.pool.query(
          `select a.id, a.shown->'holdoutTo' as seen from trading.artifacts a join trading.models m using (version)
           where a.active and a.symbol = $1 and m.stage <> 'archived'`,
          [symbol],
        )
        for (const { id, seen } of rows) if (Number(seen) < ts[i]!) expected.add(`${id} ${ts[i]}`)
      }
    for (const symbol of SYMBOLS)
      for (const [k, close] of closes.get(symbol)!)
        if (k > TRAINED && !firstSeen.has(`${symbol} ${ts[k]}`)) firstSeen.set(`${symbol} ${ts[k]}`, close)
    if (chance(0.05)) {
      faults.revised++
      const symbol = SYMBOLS[hour % 2]!
      const k = i - Math.floor(random.next() * 5)
      if (closes.get(symbol)!.has(k)) closes.get(symbol)!.set(k, whole[symbol]!.close[k]! * 1.01)
    }
    largestRssMb = Math.max(largestRssMb, process.memoryUsage.rss() / 2 ** 20)
  }

  const { findings, rows, outcomes } = await examine(db, workers[0]!.forecasts().recordStore, expected)
  console.log(`${HOURS} hours of ${SYMBOLS.length} symbols and 2 versions; faults: ${JSON.stringify(faults)}`)
  console.log(
    `${rows} sealed (${expected.size} expected), ${outcomes} outcomes, ${Math.round(largestRssMb)} MB at most`,
  )
  for (const finding of findings.slice(0, 20)) console.log(finding)
  console.log(findings.length === 0 ? 'Nothing found.' : `${findings.length} found.`)
  process.exitCode = findings.length === 0 ? 0 : 1
  for (const parts of workers) await parts.models().predictors.close()
  await queue.stop()
})
