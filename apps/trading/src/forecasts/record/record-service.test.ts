import type { Model } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { candlesFromRows } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import type { ScoreSums } from './live-scores.ts'
import { createRecordService, type RecordServiceDeps } from './record-service.ts'
import type { RecordStore } from './record-store.ts'
import type { ScoreStore } from './score-store.ts'

const HOUR = 3_600_000
/** Hour 100 has closed, and the five minutes to seal it are over. */
const NOW = 101 * HOUR + 6 * 60_000

const modelOf = (version: string, stage: Model['stage'], predicts: readonly [string, Timeframe][]) =>
  ({ version, stage, artifacts: predicts.map(([symbol, timeframe]) => ({ symbol, timeframe })) }) as Model

const sumsOf = (version: string, symbol: string, timeframe: Timeframe, of: Partial<ScoreSums> = {}): ScoreSums => ({
  version,
  symbol,
  timeframe,
  horizon: 1,
  sealed: 100,
  moved: 100,
  flat: 0,
  hits: 60,
  majorityHits: 50,
  reversalHits: 50,
  brier: 24,
  climatologyBrier: 25,
  gainSquares: 0.1,
  chanceSquares: 0.1,
  worthCalls: 0,
  paidCalls: 0,
  ...of,
})

/** The service over what the database would say; every candle of every series is stored. */
const serviceOf = (said: {
  models: Model[]
  scores?: Partial<Record<keyof ScoreStore, unknown>>
  store?: Partial<Record<keyof RecordStore, unknown>>
  marketMs?: number | null
}) => {
  const answers = (of: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, async () => value]))
  const scores = { sums: [], sealedCandles: [], coverage: [], months: [], days: [], reliability: [], ...said.scores }
  const deps: RecordServiceDeps = {
    store: answers({ newest: [], head: { rows: 0, hash: '' }, ...said.store }) as unknown as RecordStore,
    scores: answers(scores) as unknown as ScoreStore,
    models: async () => said.models,
    marketTime: async () => (said.marketMs === undefined ? NOW : said.marketMs),
    load: async (_symbol, timeframe, { fromMs = 0, toMs = NOW }) => {
      const step = TIMEFRAME_MS[timeframe]
      const rows: number[][] = []
      for (let ts = Math.ceil(fromMs / step) * step; ts <= toMs && ts + step <= NOW; ts += step)
        rows.push([ts, 1, 1, 1, 1, 1])
      return candlesFromRows(rows)
    },
    now: () => 0,
  }
  return createRecordService(deps)
}

describe('the record of a version on several series', () => {
  const SERIES = [
    ['BTCUSDT', '1h'],
    ['BTCUSDT', '15m'],
    ['ETHUSDT', '1h'],
  ] as const
  const sealedCandles = SERIES.map(([symbol, timeframe], i) => ({
    version: 'v3',
    symbol,
    timeframe,
    sealed: 10 + i,
    newest: 98 * HOUR,
    gaps: [],
  }))
  const coverage = SERIES.map(([symbol, timeframe], i) => ({
    symbol,
    timeframe,
    horizon: 1,
    outcomes: 100,
    covered90: 90 - i,
    covered50: 50 - i,
  }))
  const scores = {
    sums: SERIES.map(([symbol, timeframe], i) => sumsOf('v3', symbol, timeframe, { hits: 60 - i })),
    sealedCandles,
    coverage,
  }

  it('keeps them apart: each has its own scores, its own coverage and its own candles that were missed', async () => {
    // It predicts BTCUSDT 1h alone by now: 99 and 100 are missed there, and what the others have said stands by itself.
    const models = [modelOf('v3', 'production', [['BTCUSDT', '1h']])]
    const { series, span, total } = await serviceOf({ models, scores }).read('v3', { limit: 10 })
    expect(
      series.map((one) => [
        one.symbol,
        one.timeframe,
        one.scores.accuracy,
        one.span,
        one.coverage.map((row) => row.coverage90),
      ]),
    ).toEqual([
      ['BTCUSDT', '1h', 0.6, { candles: 12, missed: 2 }, [0.9]],
      ['BTCUSDT', '15m', 0.59, { candles: 11, missed: 0 }, [0.89]],
      ['ETHUSDT', '1h', 0.58, { candles: 12, missed: 0 }, [0.88]],
    ])
    expect(span).toEqual({ candles: 35, missed: 2 })
    expect(total.accuracy).toBeCloseTo(0.59, 12)
  })

  it('misses candles only where it seals: in a stage that does, on what it predicts, and while it is there', async () => {
    const missed = async (models: Model[]) =>
      (await serviceOf({ models, scores }).leaderboard({})).entries.map(({ span }) => span?.missed)
    const all = SERIES.map(([symbol, timeframe]): [string, Timeframe] => [symbol, timeframe])
    // Until 100 for the hours, and until the quarter of an hour that opened at 100:45 for the quarters: 2 + 2 + 11.
    expect(await missed([modelOf('v3', 'staging', all)])).toEqual([15])
    expect(await missed([modelOf('v3', 'archived', all)])).toEqual([0])
    expect(await missed([modelOf('v3', 'staging', [])])).toEqual([0])
    expect(await missed([modelOf('v4', 'staging', all)])).toEqual([])
    // A market without a clock tells of no candle that its time is over.
    const { entries } = await serviceOf({
      models: [modelOf('v3', 'staging', all)],
      scores,
      marketMs: null,
    }).leaderboard({})
    expect(entries[0]!.span).toEqual({ candles: 33, missed: 0 })
  })
})

describe('a record', () => {
  const models = [modelOf('v3', 'production', [])]
  const read = (scores: Partial<Record<keyof ScoreStore, unknown>>, store = {}) =>
    serviceOf({ models, scores, store }).read('v3', { limit: 10 })

  it('puts the horizons of a month together, and has no accuracy of one in which nothing moved', async () => {
    const months = [
      { month: '2026-01', horizon: 1, outcomes: 100, moved: 80, hits: 48, brier: 24 },
      { month: '2026-01', horizon: 8, outcomes: 20, moved: 20, hits: 12, brier: 6 },
      { month: '2026-02', horizon: 1, outcomes: 10, moved: 0, hits: 0, brier: 2.5 },
    ]
    const [first, second] = (await read({ months })).months
    expect(first).toMatchObject({ month: '2026-01', outcomes: 120, accuracy: 0.6, brier: 0.25 })
    // What moved is worth 80 · 233/400 + 20 · 71/400 = 50.15 outcomes.
    const z2 = 1.959964 ** 2 / 50.15
    const reach = (1.959964 * Math.sqrt(0.24 / 50.15 + z2 / (4 * 50.15))) / (1 + z2)
    expect(first!.interval![0]).toBeCloseTo((0.6 + z2 / 2) / (1 + z2) - reach, 6)
    expect(second).toEqual({ month: '2026-02', outcomes: 10, accuracy: null, interval: null, brier: 0.25 })
  })

  it('has a band of chance around what was forecast, which ends where shares do', async () => {
    const reliability = [
      { bin: 1, horizon: 1, outcomes: 4, predicted: 0.2, observed: 0 },
      { bin: 2, horizon: 1, outcomes: 300, predicted: 150, observed: 160 },
      { bin: 2, horizon: 8, outcomes: 100, predicted: 50, observed: 60 },
      { bin: 3, horizon: 1, outcomes: 4, predicted: 3.8, observed: 4 },
    ]
    const [low, half, high] = (await read({ reliability })).reliability
    expect(half).toMatchObject({ predicted: 0.5, observed: 0.55, outcomes: 400 })
    // 300 · 233/400 + 100 · 71/400 = 192.5 outcomes: 1.96 · 0.5 / √192.5 to both sides.
    expect(half!.band[0]).toBeCloseTo(0.5 - 0.979982 / Math.sqrt(192.5), 6)
    expect(half!.band[1]).toBeCloseTo(0.5 + 0.979982 / Math.sqrt(192.5), 6)
    expect(low!.band[0]).toBe(0)
    expect(high!.band[1]).toBe(1)
  })

  it('calls a forecast right where the price went its way, and neither where it went nowhere', async () => {
    const row = { symbol: 'BTCUSDT', timeframe: '1h', candleTs: 0, price: 100, horizon: 1 }
    const newest = [
      [0.7, 101],
      [0.7, 99],
      [0.5, 99],
      [0.5, 101],
      [0.7, 100],
      [0.3, 100],
    ].map(([pUp, price]) => ({ row: { ...row, pUp }, score: { price, scoredAtMs: 5 } }))
    const record = await read({}, { newest: [...newest, { row: { ...row, pUp: 0.7 }, score: null }] })
    expect(record.newest.map(({ outcome }) => outcome?.correct)).toEqual([
      true,
      false,
      true,
      false,
      null,
      null,
      undefined,
    ])
    expect(record.newest[0]).toMatchObject({ aligned_ts: HOUR, outcome: { price: 101, scoredAt: 5 } })
    expect(record.newest[6]!.outcome).toBeNull()
  })
})

describe('the leaderboard', () => {
  it('has those first whose skill is surest, not greatest; then by name; without outcomes last; nobody without a record', async () => {
    const few = sumsOf('a', 'BTCUSDT', '1h', {
      sealed: 4,
      moved: 4,
      hits: 4,
      brier: 0.4,
      climatologyBrier: 1,
      gainSquares: 1,
      chanceSquares: 1,
    })
    const none = { sealed: 3, moved: 0, hits: 0, brier: 0, climatologyBrier: 0, gainSquares: 0, chanceSquares: 0 }
    const sums = [
      few,
      sumsOf('c', 'BTCUSDT', '1h'),
      sumsOf('b', 'BTCUSDT', '1h'),
      sumsOf('d', 'BTCUSDT', '1h', none),
      sumsOf('0', 'BTCUSDT', '1h', none),
    ]
    const models = ['d', '0', 'a', 'c', 'silent', 'b'].map((version) => modelOf(version, 'staging', []))
    const { entries } = await serviceOf({ models, scores: { sums } }).leaderboard({})
    expect(entries.map(({ version }) => version)).toEqual(['b', 'c', 'a', '0', 'd'])
    const skill = (version: string) => entries.find((entry) => entry.version === version)!.scores.brierSkill!
    expect(skill('a')).toBeGreaterThan(skill('b'))
  })
})
