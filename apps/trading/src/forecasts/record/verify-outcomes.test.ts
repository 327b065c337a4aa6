import { afterAll, describe, expect, it } from 'vitest'
import { createServiceBench } from '../../../test/support/service-bench.ts'
import { createRecordStore } from './record-store.ts'
import { createOutcomeCheckStore, verifyOutcomes } from './verify-outcomes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 200 * DAY
let seq = 0

const bench = await createServiceBench()
const { rows } = await bench.db.pool.query(
  "insert into trading.series (venue, symbol, timeframe) values ('binance', 'BTCUSDT', '1h') returning id",
)
const seriesId = rows[0].id
afterAll(() => bench.close())

/** A sealed prediction of 90 … 110 for the hour after, with its outcome on record and the candle as it is stored. */
async function sealed(of: {
  price: number
  close: number | null
  covered90?: boolean
  covered50?: boolean
  madeAtMs?: number
  symbol?: string
}) {
  const { pool } = bench.db
  seq++
  await pool.query(
    `insert into trading.sealed_predictions (seq, venue, symbol, timeframe, version, artifact_id, artifact_hash, candle_ts,
      made_at_ms, market_time_ms, horizon, p_up, signal, confidence, price, lstm, transformer, stop_loss, edge_bps, fan,
      reasoning, climatology, reversal_up, previous_hash, row_hash)
     values ($1, 'binance', $4, '1h', 'v3', '01890000-0000-7000-8000-000000000000', 'a', $2, $3, 0, 1, 0.7, 'BUY', 0.7,
      100, 100, 100, 90, 1, '{90,95,100,105,110}', 'r', 0.5, false, 'p', 'h')`,
    [seq, seq * 10 * HOUR, of.madeAtMs ?? NOW - DAY, of.symbol ?? 'BTCUSDT'],
  )
  await pool.query('update trading.sealed_head set scores = scores + 1')
  await pool.query('insert into trading.sealed_scores values ($1, 1, $2, $3, $4, 0)', [
    seq,
    of.price,
    of.covered90 ?? (of.price >= 90 && of.price <= 110),
    of.covered50 ?? (of.price >= 95 && of.price <= 105),
  ])
  if (of.close !== null)
    await pool.query('insert into trading.candles values ($1, $2, 100, 200, 50, $3, 1)', [
      seriesId,
      seq * 10 * HOUR + HOUR,
      of.close,
    ])
  return seq
}
const verify = () => verifyOutcomes(createOutcomeCheckStore(bench.db.orm), NOW, 90 * DAY)

describe('outcomes on record', () => {
  it('count zero for an empty record', async () => {
    expect(await verify()).toEqual({ outcomes: 0, compared: 0, late: 0, findings: [], notes: [] })
  })

  it('are held against the stored candles, where these are kept, and against their own fan', async () => {
    await sealed({ price: 101, close: 101 })
    await sealed({ price: 120, close: 120 })
    await sealed({ price: 101, close: null })
    expect(await verify()).toEqual({ outcomes: 3, compared: 2, late: 0, findings: [], notes: [] })

    const changed = await sealed({ price: 104, close: 101 })
    const claimed = await sealed({ price: 120, close: 120, covered90: true })
    const { findings, notes } = await verify()
    expect(findings).toEqual([
      {
        seq: changed,
        text: expect.stringMatching(/1 ahead of 104, .+ closes at 101, which the venue has not revised/),
      },
      { seq: claimed, text: expect.stringContaining('was edited: its price 120 does not lie in its ranges') },
    ])
    expect(notes).toEqual([])
  })

  it('accuse nobody where the venue revised the candle, or that is no longer known', async () => {
    const before = (await verify()).findings
    const revised = await sealed({ price: 99, close: 101 })
    await bench.db.pool.query(
      `insert into trading.candle_revisions (series_id, ts, before, after, at_ms)
       values ($1, $2, '{100,200,50,99,1}', '{100,200,50,101,1}', $3)`,
      [seriesId, revised * 10 * HOUR + HOUR, NOW],
    )
    const old = await sealed({ price: 99, close: 101, madeAtMs: NOW - 91 * DAY })
    const { findings, notes } = await verify()
    expect(findings).toEqual(before)
    expect(notes).toEqual([
      { seq: revised, text: expect.stringContaining('the venue revised it after it was scored') },
      { seq: old, text: expect.stringContaining('too long ago') },
    ])
  })

  it('are within a range at both of its ends, and are held against each of the two', async () => {
    const { outcomes, findings } = await verify()
    for (const price of [90, 95, 105, 110]) await sealed({ price, close: price })
    expect(await verify()).toMatchObject({ outcomes: outcomes + 4, findings })
    const claimed = await sealed({ price: 101, close: 101, covered50: false })
    expect((await verify()).findings.slice(findings.length)).toEqual([
      { seq: claimed, text: expect.stringContaining('was edited: its price 101 does not lie in its ranges') },
    ])
  })

  it('are held against the candle of their own series, and excused by a revision of that candle alone', async () => {
    const { pool } = bench.db
    const before = await verify()
    const alone = await sealed({ price: 101, close: null })
    const ts = alone * 10 * HOUR + HOUR
    for (const series of [
      ['replay', 'BTCUSDT', '1h'],
      ['binance', 'ETHUSDT', '1h'],
      ['binance', 'BTCUSDT', '15m'],
    ]) {
      const { rows } = await pool.query(
        'insert into trading.series (venue, symbol, timeframe) values ($1, $2, $3) returning id',
        series,
      )
      await pool.query('insert into trading.candles values ($1, $2, 100, 200, 50, 104, 1)', [rows[0].id, ts])
    }
    // And one of a market of which nothing is stored.
    await sealed({ price: 101, close: null, symbol: 'GONEUSDT' })
    expect(await verify()).toEqual({ ...before, outcomes: before.outcomes + 2 })

    const revise = (atTs: number, close: number) =>
      pool.query(
        `insert into trading.candle_revisions (series_id, ts, before, after, at_ms)
         values ($1, $2, $3, '{100,200,50,101,1}', $4)`,
        [seriesId, atTs, [100, 200, 50, close, 1], NOW],
      )
    const changed = await sealed({ price: 99, close: 101 })
    // The hour before it closed at 99 as well, and this one at 98, until they were revised.
    await revise(changed * 10 * HOUR, 99)
    await revise(changed * 10 * HOUR + HOUR, 98)
    expect((await verify()).findings.slice(before.findings.length)).toEqual([
      { seq: changed, text: expect.stringContaining('which the venue has not revised') },
    ])
  })

  it('are missed after deletion, even once they were written again', async () => {
    const { pool } = bench.db
    const before = (await verify()).findings
    const gone = await sealed({ price: 101, close: 101 })
    const { outcomes } = await verify()
    await pool.query('alter table trading.sealed_scores disable trigger all')
    await pool.query('delete from trading.sealed_scores where seq = $1', [gone])
    await pool.query('alter table trading.sealed_scores enable trigger all')
    const missed = (there: number) => [
      {
        seq: null,
        text: `One was deleted: ${outcomes} were written in all, and ${there} are there. What was deleted may have been written again from the candles that are stored now.`,
      },
      ...before,
    ]
    expect((await verify()).findings).toEqual(missed(outcomes - 1))
    const store = createRecordStore(bench.db.orm, 'binance')
    await store.addScores([{ seq: gone, horizon: 1, price: 101, covered90: true, covered50: true, scoredAtMs: 0 }])
    const healed = await verify()
    expect(healed.outcomes).toBe(outcomes)
    expect(healed.findings[0]!.text).toContain(
      `One was deleted: ${outcomes + 1} were written in all, and ${outcomes} are there.`,
    )
  })
})
