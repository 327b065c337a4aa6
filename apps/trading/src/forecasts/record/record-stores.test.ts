import type { Timeframe } from '@shapecast/contracts/timeframes'
import { afterAll, describe, expect, it } from 'vitest'
import { createServiceBench } from '../../../test/support/service-bench.ts'
import { createOutcomeStore } from './outcome-store.ts'
import { createRecordStore } from './record-store.ts'
import { createScoreStore } from './score-store.ts'

const HOUR = 3_600_000
const store = (venue = 'replay') => createRecordStore(bench.db.orm, venue)
const artifact = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

/** Seals a forecast of 100 with a fan two candles long; the rows are numbered from 1 as they come. */
async function seal(of: {
  venue?: string
  symbol?: string
  timeframe?: Timeframe
  version?: string
  artifact?: number
  hour: number
  horizon?: number
}) {
  const { venue = 'replay', symbol = 'BTCUSDT', timeframe = '1h', version = 'v3', hour, horizon = 1 } = of
  const prices = { price: 100, lstm: 100, transformer: 100, stopLoss: 100, fan: new Array(10).fill(100) }
  const call = { signal: 'HOLD', confidence: 0.5, edgeBps: 0, reasoning: '', pUp: 0.7, climatology: 0.5 } as const
  const named = { venue, symbol, timeframe, version, artifactId: artifact(of.artifact ?? 1), artifactHash: 'a' }
  const row = { ...named, ...prices, ...call, horizon, reversalUp: true, candleTs: hour * HOUR }
  expect(await store(venue).append(row, async () => ({ madeAtMs: 0, marketTimeMs: 0 }))).toBe('sealed')
}
const score = (seq: number, horizon: number, price: number, covered90 = true) =>
  store().addScores([{ seq, horizon, price, covered90, covered50: false, scoredAtMs: 1 }])

const bench = await createServiceBench()
await seal({ hour: 0 })
await seal({ hour: 1 })
await seal({ hour: 1, version: 'v4', artifact: 2 })
await seal({ hour: 1, symbol: 'ETHUSDT', artifact: 3 })
await seal({ hour: 1, timeframe: '15m', artifact: 4 })
await seal({ hour: 1, venue: 'binance', artifact: 5 })
await seal({ hour: 30 })
await score(1, 2, 500)
await score(2, 1, 110)
await score(2, 2, 90)
afterAll(() => bench.close())

describe('sealed predictions whose outcomes are not all known', () => {
  const unscored = async (candleHour: number, spanHours: number, symbol = 'BTCUSDT', timeframe = '1h') =>
    (await store().unscored(symbol, timeframe, candleHour * HOUR, spanHours * HOUR)).map(({ seq, scored }) => [
      seq,
      scored,
    ])

  it('are those of one series on one venue, with the horizons that are known', async () => {
    expect(await unscored(1, 10)).toEqual([
      [1, [2]],
      [3, []],
      [7, []],
    ])
    expect(await unscored(1, 10, 'ETHUSDT')).toEqual([[4, []]])
    expect(await unscored(1, 10, 'BTCUSDT', '15m')).toEqual([[5, []]])
    expect(await unscored(1, 10, 'ADAUSDT')).toEqual([])
  })

  it('go back a span before the newest, or before the candle that is looked at where that is earlier', async () => {
    expect(await unscored(100, 29)).toEqual([
      [3, []],
      [7, []],
    ])
    expect(await unscored(100, 28)).toEqual([[7, []]])
    expect(await unscored(5, 4)).toEqual([
      [3, []],
      [7, []],
    ])
  })
})

describe('sealed predictions', () => {
  it('for a chart are those of a version on a series, in order of time, both ends included', async () => {
    const between = async (from: number, to: number) =>
      (await store().between('v3', 'BTCUSDT', '1h', from * HOUR, to * HOUR)).map(({ seq }) => seq)
    expect(await between(0, 30)).toEqual([1, 2, 7])
    expect(await between(1, 29)).toEqual([2])
    expect(await between(0, 0)).toEqual([1])
  })

  it('are listed newest first, each with the outcome at the horizon of its signal', async () => {
    const newest = async (series: object, limit = 10) =>
      (await store().newest({ version: 'v3', ...series }, limit)).map(({ row, score }) => [
        row.seq,
        score?.price ?? null,
      ])
    expect(await newest({})).toEqual([
      [7, null],
      [5, null],
      [4, null],
      [2, 110],
      [1, null],
    ])
    expect(await newest({}, 2)).toEqual([
      [7, null],
      [5, null],
    ])
    expect(await newest({ symbol: 'ETHUSDT' })).toEqual([[4, null]])
    expect(await newest({ timeframe: '15m' })).toEqual([[5, null]])
  })

  it('are summed up by version, symbol and timeframe of one venue, as asked', async () => {
    const sums = async (filter: object, venue = 'replay') =>
      (await createScoreStore(bench.db.orm, venue).sums(filter)).map((row) => [
        row.version,
        row.symbol,
        row.timeframe,
        row.sealed,
        row.moved,
      ])
    const [v3, v4] = [
      ['v3', 'BTCUSDT', '1h', 3, 1],
      ['v4', 'BTCUSDT', '1h', 1, 0],
    ]
    expect(await sums({})).toEqual([['v3', 'BTCUSDT', '15m', 1, 0], v3, ['v3', 'ETHUSDT', '1h', 1, 0], v4])
    expect(await sums({ symbol: 'BTCUSDT', timeframe: '1h' })).toEqual([v3, v4])
    expect(await sums({ version: 'v4' })).toEqual([v4])
    expect(await sums({}, 'binance')).toEqual([['v3', 'BTCUSDT', '1h', 1, 0]])
  })

  it('have known outcomes by day and by month only where there is one at the horizon of the signal', async () => {
    const scores = createScoreStore(bench.db.orm, 'replay')
    expect(await scores.days({ version: 'v3' })).toMatchObject([
      { day: 0, symbol: 'BTCUSDT', timeframe: '1h', moved: 1 },
    ])
    expect(await scores.months({})).toEqual([
      { month: '1970-01', horizon: 1, outcomes: 1, moved: 1, hits: 1, brier: expect.closeTo(0.09, 9) },
    ])
    expect(await scores.reliability({})).toEqual([{ bin: 1, horizon: 1, outcomes: 1, predicted: 0.7, observed: 1 }])
  })

  it('keep the outcome that was written down first', async () => {
    await score(2, 1, 999)
    expect((await store().newest({ version: 'v3' }, 4))[3]!.score!.price).toBe(110)
  })

  it('count a candle once that two artifacts of a version sealed, and tell where one is missing between two', async () => {
    await seal({ hour: 40, symbol: 'ADAUSDT' })
    await seal({ hour: 41, symbol: 'ADAUSDT' })
    await seal({ hour: 41, symbol: 'ADAUSDT', artifact: 6 })
    await seal({ hour: 44, symbol: 'ADAUSDT', artifact: 6 })
    expect(await createScoreStore(bench.db.orm, 'replay').sealedCandles({ symbol: 'ADAUSDT' })).toEqual([
      {
        version: 'v3',
        symbol: 'ADAUSDT',
        timeframe: '1h',
        sealed: 3,
        newest: 44 * HOUR,
        gaps: [[41 * HOUR, 44 * HOUR]],
      },
    ])
  })
})

describe('single outcomes of an artifact', () => {
  it('are those at the horizon of its signal, the newest so many in order of time, with whether the next close was in range', async () => {
    const head = await store().head()
    for (const hour of [50, 51, 52, 53, 56]) await seal({ hour, artifact: 7, horizon: 2 })
    const seq = (i: number) => head.rows + 1 + i
    for (const [i, price] of [110, 110, 90, 100].entries()) await score(seq(i), 2, price)
    // Of the one at 52 the next candle is not stored; the one at 56 has nothing but its next candle.
    for (const [i, covered] of [false, true, null, false, true].entries())
      if (covered !== null) await score(seq(i), 1, 500, covered)

    const asked = [{ id: artifact(7), symbol: 'BTCUSDT', timeframe: '1h' as const }]
    const outcomes = createOutcomeStore(bench.db.orm)
    expect(await outcomes.newest(asked)).toEqual(new Map([[artifact(7), 53 * HOUR]]))
    const known = { pUp: 0.7, climatology: 0.5 }
    expect((await outcomes.of(asked, 3)).get(artifact(7))).toEqual([
      { ...known, candle: 1, ts: 51 * HOUR, rose: true },
      { ...known, candle: 2, ts: 52 * HOUR, rose: false },
      { ...known, candle: 3, ts: 53 * HOUR, rose: null },
    ])
    expect((await outcomes.of(asked, 10)).get(artifact(7))).toHaveLength(4)
    expect(await outcomes.newest([{ ...asked[0]!, id: artifact(8) }])).toEqual(new Map())
  })
})
