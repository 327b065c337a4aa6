import { AppError } from '@shapecast/contracts/errors'
import type { Candles } from '@shapecast/engine/candles'
import { sliceCandles } from '@shapecast/engine/candles'
import { wilsonInterval } from '@shapecast/ml/evaluate/intervals'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { afterAll, describe, expect, it } from 'vitest'
import { liveScores, type ScoreSums, worthCalls } from '../src/forecasts/record/live-scores.ts'
import { sealableUntil } from '../src/forecasts/record/seal-window.ts'
import { createSpanCounter, spanOfAll } from '../src/forecasts/record/sealed-span.ts'
import { verifyRecord } from '../src/forecasts/record/verify-record.ts'
import { recordRoutes } from '../src/forecasts/routes.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call } from './support/service-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'

const HOUR = 3_600_000
const ALL = generateCandles({ candles: 1700, seed: 8 })
const series: Record<string, Candles> = {}
let clockMs = 0

/** The market right after candle `i` has closed. */
const at = (i: number) => {
  series['BTCUSDT 1h'] = sliceCandles(ALL, 0, i + 1)
  clockMs = ALL.ts[i]! + HOUR + 1500
  return ALL.ts[i]!
}
const seal = (i: number) => parts.forecasts().seal('BTCUSDT', '1h', at(i))

at(1600)
const venue = { ...memoryVenue(series), now: async () => clockMs }
const bench = await createPartsBench(venue, () => clockMs)
const parts = bench.parts
const app = bench.mount((service) => recordRoutes(service, parts.forecasts().record))
for (const version of ['v3', 'v4', 'old'])
  await addQuickModel(bench.db, version, 'BTCUSDT', MODEL_CANDLES, version === 'old' ? {} : { seed: 2 })
await bench.db.pool.query("update trading.models set stage = 'archived' where version = 'old'")
afterAll(() => bench.close())

const rowsOf = async (table: string) =>
  (await bench.db.pool.query(`select * from trading.${table} order by seq`)).rows as Record<string, unknown>[]

describe('the time in which a prediction may be sealed', () => {
  it.each([
    ['1m', 75],
    ['5m', 330],
    ['15m', 990],
    ['1h', 3900],
    ['1d', 86_700],
  ] as const)('of a %s candle that opens at 0 ends after %i s', (timeframe, seconds) => {
    expect(sealableUntil(0, timeframe)).toBe(seconds * 1000)
  })
})

describe('sealing predictions', () => {
  it('writes down production and staging at the close of a candle, once, and archived ones not', async () => {
    expect(await seal(1600)).toEqual({ sealed: 2, open: 0, late: false })
    expect(await seal(1600)).toEqual({ sealed: 0, open: 0, late: false })
    const rows = await rowsOf('sealed_predictions')
    expect(rows.map((row) => row.version).sort()).toEqual(['v3', 'v4'])
    expect(rows.map((row) => Number(row.seq))).toEqual([1, 2])
    expect(Number(rows[0]!.candle_ts)).toBe(ALL.ts[1600])
    expect(Number(rows[0]!.market_time_ms)).toBeLessThan(ALL.ts[1600]! + HOUR + 5 * 60_000)
    expect(rows[0]!.previous_hash).toBe('0'.repeat(64))
    expect(rows[1]!.previous_hash).toBe(rows[0]!.row_hash)
  })

  it('seals nothing once the outcome shows: the next candle is there, or five minutes of its hour are over', async () => {
    at(1602)
    expect(await parts.forecasts().seal('BTCUSDT', '1h', ALL.ts[1601]!)).toEqual({
      sealed: 0,
      open: 2,
      late: true,
    })
    at(1601)
    clockMs = ALL.ts[1601]! + HOUR + 5 * 60_000
    expect(await parts.forecasts().seal('BTCUSDT', '1h', ALL.ts[1601]!)).toMatchObject({
      sealed: 0,
      late: true,
    })
  })

  it('waits for a candle that is not stored yet', async () => {
    at(1601)
    clockMs = ALL.ts[1602]! + HOUR + 10
    expect(await parts.forecasts().seal('BTCUSDT', '1h', ALL.ts[1602]!)).toEqual({
      sealed: 0,
      open: 2,
      late: false,
    })
  })

  it('cannot be taken back: the database refuses changes and deletions', async () => {
    for (const change of [
      "update trading.sealed_predictions set signal = 'BUY'",
      'delete from trading.sealed_predictions',
      'truncate trading.sealed_predictions cascade',
      'delete from trading.sealed_scores',
    ])
      await expect(bench.db.pool.query(change)).rejects.toThrow('append-only')
  })

  it('is done as a candle closes, however often that is told', async () => {
    const candleTs = at(1603)
    const close = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h', candleTs } as const
    await parts.handleClose()(close)
    const sealed = (await rowsOf('sealed_predictions')).filter((row) => Number(row.candle_ts) === ALL.ts[1603])
    expect(sealed).toHaveLength(2)
    await Promise.all([1, 2, 3].map(() => parts.handleClose()(close)))
    expect(await rowsOf('sealed_predictions')).toHaveLength(4)
  })
})

describe('the record of a version', () => {
  it('is scored as outcomes come, horizon by horizon, and shown with its baselines', async () => {
    for (let i = 1604; i <= 1640; i++) await seal(i)
    const { body, status } = await call(app, 'GET', '/public/ml/track-record/v3?limit=1000')
    expect(status).toBe(200)
    // Sealed: candle 1600 and 1603 … 1640. The last one's outcome is not there yet.
    expect(body.total).toMatchObject({ sealed: 39, outcomes: 38 })
    expect(body.newest).toHaveLength(39)
    expect(body.newest[0].outcome).toBeNull()
    const index = (ts: number) => (ts - ALL.ts[0]!) / HOUR
    let [hits, brier, variance] = [0, 0, 0]
    const { climatology } = (await parts.forecasts().recordStore.after(0, 1))[0]!
    for (const row of body.newest.slice(1)) {
      const [now, next] = [ALL.close[index(row.timestamp)]!, ALL.close[index(row.timestamp) + 1]!]
      expect(row.outcome).toMatchObject({ price: next, correct: row.pUp > 0.5 === next > now })
      hits += row.pUp > 0.5 === next > now ? 1 : 0
      brier += (row.pUp - (next > now ? 1 : 0)) ** 2
      variance += 4 * (row.pUp - climatology) ** 2 * climatology * (1 - climatology)
    }
    expect(body.total.accuracy).toBeCloseTo(hits / 38, 12)
    expect(body.total.brier).toBeCloseTo(brier / 38, 12)
    const [low, high] = body.total.brierSkillInterval
    // No narrower than chance alone makes it: 1.96 standard errors of the gain to both sides, as a share of climatology's.
    const chance = (1.959964 * Math.sqrt(variance / 38 / ((38 * 233) / 400))) / body.total.climatologyBrier
    expect((high - low) / 2).toBeGreaterThanOrEqual(chance - 1e-9)
    const [btc] = body.series
    expect(btc.coverage.map((row: { horizon: number }) => row.horizon)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    // Each horizon farther lacks one outcome more.
    expect(btc.coverage.map((row: { outcomes: number }) => row.outcomes)).toEqual([38, 37, 36, 35, 34, 33, 32, 31])
    expect(body.months.reduce((sum: number, month: { outcomes: number }) => sum + month.outcomes, 0)).toBe(38)
    expect(body.reliability.map((bin: { outcomes: number }) => bin.outcomes)).toEqual([8, 8, 8, 7, 7])
    const forecasts: number[] = body.reliability.map((bin: { predicted: number }) => bin.predicted)
    expect(forecasts).toEqual(forecasts.toSorted((a, b) => a - b))
    expect(body.course.unit).toBe('day')
    expect(body.course.parts.reduce((sum: number, part: { outcomes: number }) => sum + part.outcomes, 0)).toBe(38)
    expect(body.head).toEqual({ rows: 78, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  it('says how many of the candles that it could have sealed it did not', async () => {
    const spans = async () => {
      const { body } = await call(app, 'GET', '/public/ml/track-record/v3')
      const { entries } = (await call(app, 'GET', '/public/ml/leaderboard')).body
      expect(entries.find((entry: { version: string }) => entry.version === 'v3').span).toEqual(body.span)
      expect(body.series[0].span).toEqual(body.span)
      return body.span
    }
    // Candles 1600 … 1640 without 1601, which was too late, and 1602, which nobody sealed.
    expect(await spans()).toEqual({ candles: 41, missed: 2 })
    // Nobody works for three candles: of the last one the time to seal it is not over, of the others it is.
    at(1643)
    expect(await spans()).toEqual({ candles: 43, missed: 4 })
    clockMs = ALL.ts[1643]! + HOUR + 5 * 60_000
    expect(await spans()).toEqual({ candles: 44, missed: 5 })
    // A candle that never was cannot be missed.
    const whole = series['BTCUSDT 1h']!
    const without = (column: Float64Array) => column.filter((_, i) => i !== 1642)
    const { ts, open, high, low, close, volume } = whole
    series['BTCUSDT 1h'] = {
      length: whole.length - 1,
      ts: without(ts),
      open: without(open),
      high: without(high),
      low: without(low),
      close: without(close),
      volume: without(volume),
    }
    clockMs += 60_001
    expect(await spans()).toEqual({ candles: 43, missed: 4 })
    // In the archive it seals nothing more: what it has said stands by itself.
    await bench.db.pool.query("update trading.models set stage = 'archived' where version = 'v3'")
    expect(await spans()).toEqual({ candles: 41, missed: 2 })
    await bench.db.pool.query("update trading.models set stage = 'production' where version = 'v3'")
    at(1640)
  })

  it('appears among charted predictions as live, among backfilled ones', async () => {
    const from = ALL.ts[1599]!
    const rows = await parts.forecasts().predictions.history({
      symbol: 'BTCUSDT',
      timeframe: '1h',
      limit: 4,
      from,
      to: ALL.ts[1602]!,
    })
    expect(rows.map((row) => row.source)).toEqual(['backfilled', 'live', 'backfilled', 'backfilled'])
    expect(rows[1]!.reasoning).not.toBe('Cached ML signal')
  })

  it('does not say what was missed where its candles cannot be read', async () => {
    const count = createSpanCounter({
      load: async () => {
        throw new AppError('unknown_symbol', 'gone')
      },
      now: () => clockMs,
    })
    const [first, third] = [ALL.ts[1600]!, ALL.ts[1602]!]
    const record = { version: 'v3', symbol: 'GONEUSDT', timeframe: '1h' as const, sealed: 2, newest: third }
    expect(await count({ ...record, gaps: [[first, third]] }, null)).toBeNull()
    expect(await count({ ...record, gaps: [] }, third)).toEqual({ candles: 2, missed: 0 })
    expect(spanOfAll([{ candles: 5, missed: 2 }, null])).toBeNull()
    expect(
      spanOfAll([
        { candles: 5, missed: 2 },
        { candles: 7, missed: 0 },
      ]),
    ).toEqual({ candles: 12, missed: 2 })
  })

  it('answers who is not there, and ranks those who are by the skill that is surest', async () => {
    const { owner } = bench.users
    const unknown = await call(app, 'GET', '/api/ml/track-record/nobody', { as: owner })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
    expect((await call(app, 'GET', '/api/ml/track-record/v3')).status).toBe(401)
    const { body } = await call(app, 'GET', '/public/ml/leaderboard')
    expect(body.entries.map((entry: { version: string }) => entry.version).sort()).toEqual(['v3', 'v4'])
    const [first, second] = body.entries.map(
      (e: { scores: { brierSkillInterval: number[] } }) => e.scores.brierSkillInterval[0],
    )
    expect(first).toBeGreaterThanOrEqual(second)
    expect((await call(app, 'GET', '/public/ml/leaderboard?symbol=ETHUSDT')).body.entries).toEqual([])
  })
})

describe('verifying the record', () => {
  const verify = async (expected?: { rows: number; hash: string }) =>
    (await verifyRecord(parts.forecasts().recordStore, expected)).findings
  /** Past the triggers, as only the owner of the database can, and undone afterwards. */
  const tampered = async (change: string, look: () => Promise<void>) => {
    const tables = ['sealed_predictions', 'sealed_scores', 'sealed_head']
    const { pool } = bench.db
    for (const table of tables) {
      await pool.query(`alter table trading.${table} disable trigger all`)
      await pool.query(`create table trading.copy_${table} as table trading.${table}`)
    }
    try {
      await pool.query(change)
      await look()
    } finally {
      for (const table of [...tables].reverse()) await pool.query(`delete from trading.${table}`)
      for (const table of tables) {
        await pool.query(`insert into trading.${table} table trading.copy_${table}`)
        await pool.query(`drop table trading.copy_${table}`)
        await pool.query(`alter table trading.${table} enable trigger all`)
      }
    }
  }

  it('finds nothing in a record that is as it was written', async () => {
    const { rows, head, findings } = await verifyRecord(parts.forecasts().recordStore)
    expect([rows, findings]).toEqual([78, []])
    expect(await verify(head)).toEqual([])
  })

  it.each([
    ['an edited signal', 'update trading.sealed_predictions set p_up = 0.9 where seq = 5', 5, 'was edited'],
    ['an edited time', 'update trading.sealed_predictions set made_at_ms = 1 where seq = 5', 5, 'was edited'],
    ['a deleted row', 'delete from trading.sealed_predictions where seq = 7', 8, 'a row that was deleted'],
    ['rows cut off at the end', 'delete from trading.sealed_predictions where seq > 75', 76, 'cut short'],
    ['outcomes of rows that are gone', 'delete from trading.sealed_predictions where seq = 7', 7, 'has an outcome'],
  ])('finds %s', async (_name, change, seq, text) => {
    await tampered(change, async () => {
      expect(await verify()).toContainEqual({ seq, text: expect.stringContaining(text) })
    })
    expect(await verify()).toEqual([])
  })

  it('finds a row whose hash was made to fit its forged values, at the row after it', async () => {
    const { rowHash } = await import('../src/forecasts/record/row-hash.ts')
    const [row] = await parts.forecasts().recordStore.after(9, 1)
    const { rowHash: _kept, ...values } = row!
    const forged = rowHash({ ...values, signal: 'BUY', pUp: 0.99 })
    await tampered(
      `update trading.sealed_predictions set signal = 'BUY', p_up = 0.99, row_hash = '${forged}' where seq = 10`,
      async () => expect(await verify()).toEqual([{ seq: 11, text: expect.stringContaining('does not follow') }]),
    )
  })

  it('finds a record that was rewritten as a whole by a head that somebody kept', async () => {
    const kept = await parts.forecasts().recordStore.head()
    const cut = `delete from trading.sealed_scores where seq > 76; delete from trading.sealed_predictions where seq > 76;
      update trading.sealed_head set rows = 76, hash = (select row_hash from trading.sealed_predictions where seq = 76)`
    await tampered(cut, async () => {
      expect(await verify()).toEqual([])
      expect(await verify(kept)).toEqual([{ seq: 77, text: expect.stringContaining('once written down') }])
    })
  })
})

describe('live figures', () => {
  const sums: ScoreSums = {
    version: 'v3',
    symbol: 'BTCUSDT',
    timeframe: '1h',
    horizon: 1,
    sealed: 130,
    moved: 100,
    flat: 20,
    hits: 60,
    majorityHits: 52,
    reversalHits: 55,
    brier: 120 * 0.24,
    climatologyBrier: 120 * 0.25,
    gainSquares: 120 * 0.0002,
    chanceSquares: 120 * 0.00005,
    worthCalls: 104,
    paidCalls: 61,
  }

  it('say how often calls paid that were expected to, by as many outcomes as theirs are worth', () => {
    const none = { ...sums, worthCalls: 0, paidCalls: 0 }
    const { made, paid, interval } = worthCalls([sums, none])
    expect([made, paid]).toEqual([104, 61])
    // 61 of 104, of which 233 of 400 count.
    expect(interval).toEqual(wilsonInterval(61 / 104, (104 * 233) / 400))
    expect(worthCalls([none])).toEqual({ made: 0, paid: 0, interval: null })
  })

  it('are what they come to by hand', () => {
    const scores = liveScores([sums])
    expect(scores).toMatchObject({
      sealed: 130,
      outcomes: 120,
      flatOutcomes: 20,
      accuracy: 0.6,
      majorityBaseline: 0.52,
    })
    // 233 of 400 count at horizon 1.
    expect(scores.effectiveOutcomes).toBeCloseTo((120 * 233) / 400, 9)
    expect(scores.brierSkill).toBeCloseTo(0.04, 12)
    // Mean gain 0.01, variance 0.0002 − 0.0001 = 0.0001 over 69.9 outcomes: ±1.96 · 0.01 / √69.9, as shares of 0.25.
    const reach = (1.959964 * 0.01) / Math.sqrt(69.9)
    expect(scores.brierSkillInterval![0]).toBeCloseTo((0.01 - reach) / 0.25, 6)
    expect(scores.verdict).toBe('better than knowing nothing')
    // 60 of the 100 that moved; 58.25 of them count, so that the interval reaches below 50 %.
    expect(scores.direction).toEqual({
      code: 'may_be_luck',
      forecasts: 100,
      right: 60,
      rule: 'reversal',
      ruleRatio: 0.55,
    })
  })

  it('weigh each horizon by its outcomes, and say what is worse', () => {
    const far = {
      ...sums,
      horizon: 8,
      sealed: 50,
      moved: 40,
      flat: 0,
      hits: 10,
      majorityHits: 32,
      reversalHits: 22,
      brier: 40 * 0.35,
      climatologyBrier: 40 * 0.25,
      gainSquares: 40 * 0.0002,
      chanceSquares: 40 * 0.00005,
      worthCalls: 0,
      paidCalls: 0,
    }
    const scores = liveScores([sums, far])
    expect(scores).toMatchObject({ sealed: 180, outcomes: 160, flatOutcomes: 20, accuracy: 0.5 })
    expect([scores.majorityBaseline, scores.reversalBaseline]).toEqual([0.6, 0.55])
    // 120 · 233/400 + 40 · 71/400 = 77, of which 140 in 160 moved: 67.375.
    expect(scores.effectiveOutcomes).toBeCloseTo(77, 9)
    const z2 = 1.959964 ** 2 / 67.375
    const reach = (1.959964 * Math.sqrt(0.25 / 67.375 + z2 / (4 * 67.375))) / (1 + z2)
    expect(scores.interval![0]).toBeCloseTo(0.5 - reach, 6)
    // A mean loss of 42.8 / 160 against 0.25; its gain −0.0175 squared is more than 0.0002, so that chance alone is left.
    expect(scores.brierSkill).toBeCloseTo(-0.0175 / 0.25, 9)
    expect(scores.brierSkillInterval![1]).toBeCloseTo((-0.0175 + 1.959964 * Math.sqrt(0.00005 / 77)) / 0.25, 6)
    expect(scores.verdict).toBe('worse than knowing nothing')
  })

  it('have no accuracy where nothing moved', () => {
    const still = { ...sums, moved: 0, flat: 20, hits: 0, majorityHits: 0, reversalHits: 0 }
    expect(liveScores([still])).toMatchObject({ outcomes: 20, accuracy: null, interval: null, majorityBaseline: null })
  })

  it('say nothing for a young record, even when its outcomes do not vary', () => {
    // P(up) 0.6 over a climatology of 0.5, and up it went: gains of 0.25 − 0.16 = 0.09 each, variance 0. By chance alone
    // it is 4 · 0.1² · 0.25 = 0.01, so that the interval reaches 1.96 · 0.1 / √(n · 233/400) to both sides.
    const young = (n: number) =>
      liveScores([
        {
          ...sums,
          sealed: n,
          moved: n,
          flat: 0,
          hits: n,
          brier: n * 0.16,
          climatologyBrier: n * 0.25,
          gainSquares: n * 0.09 ** 2,
          chanceSquares: n * 0.01,
        },
      ])
    expect(young(1).brierSkill).toBeCloseTo(0.36, 12)
    expect(young(1).brierSkillInterval![0]).toBeCloseTo((0.09 - 0.1959964 / Math.sqrt(233 / 400)) / 0.25, 6)
    expect([1, 4, 8].map((n) => young(n).verdict)).toEqual(Array(3).fill('indistinguishable from knowing nothing'))
    expect(young(9).verdict).toBe('better than knowing nothing')
  })

  it('are none without outcomes', () => {
    expect(liveScores([])).toMatchObject({
      outcomes: 0,
      accuracy: null,
      brierSkill: null,
      verdict: 'no outcome is known yet',
      direction: { code: 'not_judged', forecasts: 0, ruleRatio: null },
    })
  })
})
