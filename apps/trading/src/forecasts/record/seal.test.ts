import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { type Logger, silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createServiceBench } from '../../../test/support/service-bench.ts'
import { createRecordStore } from './record-store.ts'
import { createScoreStore } from './score-store.ts'
import { createSealer, type SealingArtifact } from './seal-predictions.ts'
import { verifyRecord } from './verify-record.ts'

const HOUR = 3_600_000
const ALL = generateCandles({ candles: 2400, seed: 8 })
let market: Candles
let clockMs: number
let artifacts: SealingArtifact[]
let warned: string[]
/** What happens while an artifact makes its forecast. */
let whileForecasting: (version: string) => Promise<void>

/** Prices of the 5, 25, 50, 75 and 95 % quantiles one to eight candles ahead. */
let fanOf: (price: number) => number[]

/** The market right after candle `i` has closed. */
const at = (i: number): number => {
  market = sliceCandles(ALL, 0, i + 1)
  clockMs = ALL.ts[i]! + HOUR + 1500
  return ALL.ts[i]!
}

const bench = await createServiceBench()
afterAll(() => bench.close())
beforeEach(async () => {
  warned = []
  whileForecasting = async () => {}
  fanOf = (price) => Array.from({ length: 8 }, () => [0.9, 0.95, 1, 1.05, 1.1].map((x) => x * price)).flat()
  artifacts = ['a', 'b'].map((version, i) => ({
    id: `00000000-0000-4000-8000-00000000000${i}`,
    version,
    hash: version,
    origin: 'trained',
    shown: { holdoutTo: ALL.ts[0]! },
  }))
  const { pool } = bench.db
  for (const table of ['sealed_scores', 'sealed_predictions', 'sealed_head'])
    await pool.query(`alter table trading.${table} disable trigger all; delete from trading.${table}`)
  await pool.query("insert into trading.sealed_head values (1, 0, repeat('0', 64))")
})

const log = (): Logger => Object.assign(silentLogger(), { warn: (_: object, text: string) => warned.push(text) })

const sealer = (marketTime: () => Promise<number | null> = async () => clockMs) =>
  createSealer({
    venue: 'replay',
    store: createRecordStore(bench.db.orm, 'replay'),
    models: { activeOn: async () => artifacts },
    async forecast({ version, toMs }) {
      await whileForecasting(version)
      const i = market.ts.indexOf(toMs)
      const price = market.close[i]!
      return {
        prediction: {
          timestamp: toMs,
          aligned_ts: toMs + HOUR,
          signal: 'HOLD',
          confidence: 0.5,
          current_price: price,
          lstm_prediction: price,
          transformer_prediction: price,
          stopLoss: price,
          reasoning: 'none',
          edgeBps: 0,
          verdict: null,
          version,
          hash: version,
        },
        pUp: 0.5,
        horizon: 1,
        fan: fanOf(price),
        reversalUp: true,
        climatology: 0.5,
      }
    },
    load: async (_symbol, _timeframe, { fromMs = 0, toMs = Number.POSITIVE_INFINITY }) => {
      const from = market.ts.findIndex((ts) => ts >= fromMs)
      const to = market.ts.findLastIndex((ts) => ts <= toMs) + 1
      return from < 0 ? sliceCandles(market, 0, 0) : sliceCandles(market, from, Math.max(from, to))
    },
    marketTime,
    log: log(),
    now: () => clockMs,
  })
const seal = (candleTs: number) => sealer()('BTCUSDT', '1h', candleTs)
const count = async (table: string) =>
  (await bench.db.pool.query(`select count(*)::int as n from trading.${table}`)).rows[0].n

describe('a prediction goes on record', () => {
  it('before the next one is made, so that a slow model makes no other late', async () => {
    whileForecasting = async (version) => {
      if (version === 'a') return
      expect(await count('sealed_predictions')).toBe(1)
      clockMs += HOUR
    }
    expect(await seal(at(1000))).toEqual({ sealed: 1, open: 1, late: true })
    const { rows } = await bench.db.pool.query('select version, market_time_ms from trading.sealed_predictions')
    expect(rows).toEqual([{ version: 'a', market_time_ms: ALL.ts[1000]! + HOUR + 1500 }])
  })

  it('not at all where it had to wait for another writer until its outcome showed', async () => {
    const writer = await bench.db.pool.connect()
    await writer.query('begin')
    await writer.query('select * from trading.sealed_head for update')
    const sealing = seal(at(1000))
    await eventually(async () => expect(await waitingForLocks(bench.db.pool)).toHaveLength(1))
    clockMs += 5 * 60_000
    await writer.query('commit')
    writer.release()
    expect(await sealing).toEqual({ sealed: 0, open: 2, late: true })
    expect(await count('sealed_predictions')).toBe(0)
  })

  it('not at all where the next candle is stored already, whatever the clock says', async () => {
    const candleTs = at(1000)
    market = sliceCandles(ALL, 0, 1002)
    expect(await seal(candleTs)).toEqual({ sealed: 0, open: 2, late: true })
    expect(await count('sealed_predictions')).toBe(0)
  })

  it('leaves out a candle whose outcome its artifact has seen, as after a restarted replay', async () => {
    artifacts = artifacts.map((one, i) => ({ ...one, shown: { holdoutTo: ALL.ts[i === 0 ? 1000 : 999]! } }))
    expect(await seal(at(1000))).toEqual({ sealed: 1, open: 0, late: false })
    expect(await seal(at(1001))).toEqual({ sealed: 2, open: 0, late: false })
  })

  it('not by an artifact in whose place another predicts by now: that one seals when it is asked', async () => {
    artifacts = artifacts.map((one) => (one.version === 'a' ? { ...one, hash: 'the one before' } : one))
    expect(await seal(at(1000))).toEqual({ sealed: 1, open: 1, late: false })
    const { rows } = await bench.db.pool.query('select version from trading.sealed_predictions')
    expect(rows).toEqual([{ version: 'b' }])
  })

  it('without a forecast being made where it is too late for it', async () => {
    let forecasts = 0
    whileForecasting = async () => {
      forecasts++
    }
    const candleTs = at(1000)
    clockMs = candleTs + HOUR + 5 * 60_000
    expect(await seal(candleTs)).toEqual({ sealed: 0, open: 2, late: true })
    expect(forecasts).toBe(0)
  })

  it('by the clock on the wall where the market has none', async () => {
    const candleTs = at(1000)
    const one = sealer(async () => null)
    expect(await one('BTCUSDT', '1h', candleTs)).toMatchObject({ sealed: 2, late: false })
    const { rows } = await bench.db.pool.query('select distinct market_time_ms from trading.sealed_predictions')
    expect(rows).toEqual([{ market_time_ms: candleTs + HOUR + 1500 }])
    clockMs = ALL.ts[1001]! + HOUR + 5 * 60_000
    expect(await one('BTCUSDT', '1h', ALL.ts[1001]!)).toMatchObject({ sealed: 0, late: true })
  })

  it('once, by however many processes, in one chain without a gap', async () => {
    for (let i = 1000; i < 1010; i++) {
      at(i)
      await Promise.all([seal(ALL.ts[i]!), seal(ALL.ts[i]!), seal(ALL.ts[i]!)])
    }
    expect(await count('sealed_predictions')).toBe(20)
    expect(await verifyRecord(createRecordStore(bench.db.orm, 'replay'))).toMatchObject({ rows: 20, findings: [] })
  })

  it('or is said once not to, while it keeps failing, and again where it fails again', async () => {
    const fail = async () => {
      throw new Error('no forecast')
    }
    whileForecasting = fail
    const one = sealer()
    const said = ['a prediction could not be sealed', 'a prediction could not be sealed']
    for (let tries = 0; tries < 3; tries++)
      expect(await one('BTCUSDT', '1h', at(1000))).toEqual({ sealed: 0, open: 2, late: false })
    expect(warned).toEqual(said)
    whileForecasting = async () => {}
    await one('BTCUSDT', '1h', at(1000))
    whileForecasting = fail
    await one('BTCUSDT', '1h', at(1001))
    expect(warned).toEqual([...said, ...said])
  })
})

describe('outcomes', () => {
  const outcomes = async () =>
    (await bench.db.pool.query('select horizon, price from trading.sealed_scores where seq = 1 order by 1')).rows
  const ALL_EIGHT = Array.from({ length: 8 }, (_, h) => ({ horizon: h + 1, price: ALL.close[201 + h] }))

  it('are known however long nobody looked', async () => {
    await seal(at(200))
    await seal(at(2300))
    expect(await outcomes()).toEqual(ALL_EIGHT)
  })

  it('are known once a late candle has arrived', async () => {
    await seal(at(200))
    at(210)
    const whole = market
    market = { ...market, ts: market.ts.map((ts, i) => (i === 203 ? ts - 1 : ts)) }
    await seal(ALL.ts[210]!)
    expect(await outcomes()).toEqual(ALL_EIGHT.filter(({ horizon }) => horizon !== 3))
    market = whole
    await seal(ALL.ts[210]!)
    expect(await outcomes()).toEqual(ALL_EIGHT)
  })

  it('count as within 90 % or 50 % by the quantiles of their own horizon, both ends included', async () => {
    const around = [
      [-2, -1, 0, 1, 2],
      [-2, 1, 2, 3, 4],
      [-4, -3, -2, -1, 2],
      [1, 2, 3, 4, 5],
      [-5, -4, -3, -2, -1],
      [0, 1, 2, 3, 4],
      [-4, -3, -2, -1, 0],
      [-1, 0, 1, 2, 3],
    ]
    // What comes h candles after candle 200, and what of it lies around it.
    fanOf = () => around.flatMap((distances, h) => distances.map((distance) => ALL.close[201 + h]! + distance))
    await seal(at(200))
    fanOf = () => [-3, -2, -1, 0, 1].map((distance) => ALL.close[202]! + distance)
    await seal(at(201))
    await seal(at(208))
    const { rows } = await bench.db.pool.query(
      "select covered_90, covered_50 from trading.sealed_scores s join trading.sealed_predictions using (seq) where version = 'a' order by seq, s.horizon",
    )
    const said = rows.map(({ covered_90, covered_50 }) => [covered_90, covered_50].map(Number).join(''))
    expect(said).toEqual(['11', '10', '10', '00', '00', '10', '10', '11', '11'])
  })

  it('stay as the market first told them where a candle is revised', async () => {
    await seal(at(200))
    await seal(at(201))
    market = { ...market, close: market.close.map((close) => close * 2) }
    await seal(ALL.ts[201]!)
    const { rows } = await bench.db.pool.query('select price from trading.sealed_scores where seq = 1')
    expect(rows).toEqual([{ price: ALL.close[201] }])
  })
})

describe('the sums over scored predictions', () => {
  it('come to what they do by hand, and leave out what is not known at the signal horizon', async () => {
    const store = createRecordStore(bench.db.orm, 'replay')
    const clock = async () => ({ madeAtMs: 1, marketTimeMs: 1 })
    // P(up), whether the last move would be reversed to a rise, and the price one candle after 100.
    const said = [
      [0.7, false, 110],
      [0.4, true, 90],
      [0.8, false, 90],
      [0.5, true, 100],
      [0.5, true, 90],
      [0.9, true, null],
    ] as const
    for (const [i, [pUp, reversalUp, price]] of said.entries()) {
      const of = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', version: 'a' }
      const artifact = { artifactId: artifacts[0]!.id, artifactHash: 'a' }
      const prices = { price: 100, lstm: 100, transformer: 100, stopLoss: 100, fan: new Array(10).fill(100) }
      const call = { signal: 'HOLD', confidence: 0.5, edgeBps: 0, reasoning: '', horizon: 1 } as const
      const row = { ...of, ...artifact, ...prices, ...call, candleTs: i * HOUR, pUp, climatology: 0.6, reversalUp }
      await store.append(row, clock)
      const score = { seq: i + 1, covered90: true, covered50: false, scoredAtMs: 2 }
      if (price !== null) await store.addScores([{ ...score, horizon: 1, price }])
      await store.addScores([{ ...score, horizon: 2, price: 500 }])
    }
    const [sums] = await createScoreStore(bench.db.orm, 'replay').sums({ version: 'a' })
    expect(sums).toMatchObject({
      horizon: 1,
      sealed: 6,
      moved: 4,
      flat: 1,
      hits: 3,
      majorityHits: 1,
      reversalHits: 1,
      // 0.09 + 0.16 + 0.64 + 0 + 0.25, and 0.16 + 0.36 + 0.36 + 0.01 + 0.36.
      brier: expect.closeTo(1.14, 9),
      climatologyBrier: expect.closeTo(1.25, 9),
      gainSquares: expect.closeTo(0.07 ** 2 + 0.2 ** 2 + 0.28 ** 2 + 0.01 ** 2 + 0.11 ** 2, 9),
      chanceSquares: expect.closeTo(4 * (0.1 ** 2 + 0.2 ** 2 + 0.2 ** 2 + 0.1 ** 2 + 0.1 ** 2) * 0.24, 9),
    })
    expect(await createScoreStore(bench.db.orm, 'replay').months({ version: 'a' })).toEqual([
      { month: '1970-01', horizon: 1, outcomes: 5, moved: 4, hits: 3, brier: expect.closeTo(1.14, 9) },
    ])
    expect(await createScoreStore(bench.db.orm, 'binance').sums({})).toEqual([])
  })
})

it('counts calls that were expected to pay, and those that the price paid by more than a round trip of 22 bps', async () => {
  const store = createRecordStore(bench.db.orm, 'replay')
  // The call, what it was expected to leave, and the price after 100.
  const said = [
    ['BUY', 5, 100.23],
    ['BUY', 5, 100.21],
    ['SELL', 5, 99.7],
    ['SELL', 5, 101],
    ['BUY', 0, 110],
    ['HOLD', 5, 110],
    ['BUY', 5, null],
  ] as const
  for (const [i, [signal, edgeBps, price]] of said.entries()) {
    const of = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', version: 'a', horizon: 1 }
    const artifact = { artifactId: artifacts[0]!.id, artifactHash: 'a' }
    const prices = { price: 100, lstm: 100, transformer: 100, stopLoss: 100, fan: new Array(10).fill(100) }
    const call = { signal, confidence: 0.5, edgeBps, reasoning: '', pUp: 0.6, climatology: 0.5, reversalUp: true }
    await store.append({ ...of, ...artifact, ...prices, ...call, candleTs: i * HOUR }, async () => ({
      madeAtMs: 1,
      marketTimeMs: 1,
    }))
    const score = { seq: i + 1, horizon: 1, covered90: true, covered50: false, scoredAtMs: 2 }
    if (price !== null) await store.addScores([{ ...score, price }])
  }
  const [sums] = await createScoreStore(bench.db.orm, 'replay').sums({ version: 'a' })
  expect(sums).toMatchObject({ sealed: 7, worthCalls: 4, paidCalls: 2 })
})

describe('the record', () => {
  it('finds the series that have something on record, by whatever version', async () => {
    await seal(at(1000))
    artifacts = artifacts.map((one) => ({ ...one, id: one.id.replace(/^0/, '1') }))
    await sealer()('ADAUSDT', '1h', at(1000))
    expect(await createRecordStore(bench.db.orm, 'replay').series()).toEqual([
      { symbol: 'ADAUSDT', timeframe: '1h' },
      { symbol: 'BTCUSDT', timeframe: '1h' },
    ])
    expect(await createRecordStore(bench.db.orm, 'binance').series()).toEqual([])
  })
})
