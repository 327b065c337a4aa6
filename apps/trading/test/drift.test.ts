import type { ModelDrift } from '@shapecast/contracts/drift'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { afterAll, describe, expect, it } from 'vitest'
import { largestOfStretches } from '../src/forecasts/drift/drift-service.ts'
import { driftRoutes } from '../src/forecasts/routes.ts'
import { createParts } from '../src/parts.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call } from './support/service-bench.ts'
import { addQuickModel } from './support/small-model.ts'

const HOUR = 3_600_000
const TRAINED = 3200
const CALM = generateCandles({ candles: 3600, seed: 8 })
/** The same hours of a market that moves three times as much, after the first 3,400. */
const WILD = ((): Candles => {
  const candles = sliceCandles(CALM, 0, CALM.length)
  const close = candles.close.slice()
  for (let i = 3400; i < close.length; i++) close[i] = close[i - 1]! * (CALM.close[i]! / CALM.close[i - 1]!) ** 3
  const open = candles.open.slice()
  for (let i = 3400; i < close.length; i++) open[i] = close[i - 1]!
  const high = close.map((c, i) => (i < 3400 ? candles.high[i]! : Math.max(c, open[i]!) * 1.01))
  const low = close.map((c, i) => (i < 3400 ? candles.low[i]! : Math.min(c, open[i]!) * 0.99))
  return { ...candles, length: candles.length, open, high, low, close }
})()

const series: Record<string, Candles> = {}
let clockMs = 0
let loads = 0

const until = (candles: Candles, count: number) => {
  series['BTCUSDT 1h'] = sliceCandles(candles, 0, count)
  clockMs = candles.ts[count - 1]! + HOUR + 1500
}

until(CALM, TRAINED)
const memory = memoryVenue(series)
const venue: typeof memory = {
  ...memory,
  now: async () => clockMs,
  candles: (...asked) => {
    loads++
    return memory.candles(...asked)
  },
}
const bench = await createPartsBench(venue, () => clockMs)
const parts = bench.parts
const app = bench.mount((service) => driftRoutes(service, parts.forecasts().drift))
await addQuickModel(bench.db, 'v3', 'BTCUSDT', CALM, {}, TRAINED)
afterAll(() => bench.close())

const read = async (query = ''): Promise<ModelDrift> => {
  const { status, body } = await call(app, 'GET', `/public/ml/drift/v3${query}`)
  expect(status).toBe(200)
  return body
}

/** Writes sealed predictions of 0.6 and their outcomes straight into the tables, candle after candle. */
async function sealOutcomes(from: number, rose: readonly boolean[], covered: boolean): Promise<void> {
  const { rows } = await bench.db.pool.query("select id, hash from trading.artifacts where version = 'v3'")
  const { rows: last } = await bench.db.pool.query(
    'select coalesce(max(seq), 0)::int as seq from trading.sealed_predictions',
  )
  const before = last[0].seq as number
  for (const [i, up] of rose.entries()) {
    const seq = before + i + 1
    await bench.db.pool.query(
      `insert into trading.sealed_predictions (seq, venue, symbol, timeframe, version, artifact_id, artifact_hash, candle_ts,
        made_at_ms, market_time_ms, horizon, p_up, signal, confidence, price, lstm, transformer, stop_loss, edge_bps, fan,
        reasoning, climatology, reversal_up, previous_hash, row_hash)
       values ($1, 'replay', 'BTCUSDT', '1h', 'v3', $2, $3, $4, 0, 0, 1, 0.7, 'BUY', 0.7, 100, 100, 100, 90, 1,
        '{1,1,1,1,1}', 'r', 0.5, false, 'p', 'h')`,
      [seq, rows[0].id, rows[0].hash, CALM.ts[from + i]],
    )
    await bench.db.pool.query('insert into trading.sealed_scores values ($1, 1, $2, $3, $3, 0)', [
      seq,
      up ? 101 : 99,
      covered,
    ])
  }
}

describe('drift of a version', () => {
  it('says honestly that no outcome is known, and compares the candles since training', async () => {
    const { series: found, stage } = await read()
    expect(stage).toBe('production')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ decision: 'unknown', symbol: 'BTCUSDT', featuresNote: null })
    expect(found[0]!.verdict).toMatch(/^Not judged live yet; .+\.$/)
    const { features } = found[0]!
    // A tenth of the rows that were trained on, rounded down to 50.
    expect(features).toMatchObject({ candles: 250, trainedTo: expect.any(Number) })
    expect(features!.to).toBe(CALM.ts[TRAINED - 1])
    expect(features!.trainedTo).toBeLessThan(features!.from)
    expect(features!.features).toHaveLength(23)
    expect(features!.features[0]!.index).toBeGreaterThanOrEqual(features!.features[1]!.index)
    expect(features!.features.every(({ name }) => !name.startsWith('hour'))).toBe(true)
  })

  it('is worked out once for a candle and a count of outcomes', async () => {
    await read()
    const before = loads
    await read()
    await Promise.all([read(), read()])
    expect(loads - before).toBe(0)
  })

  it('answers of the series asked for, and 404 of a version that is not there', async () => {
    expect((await read('?symbol=ETHUSDT')).series).toEqual([])
    const { status, body } = await call(app, 'GET', '/public/ml/drift/v99')
    expect(status).toBe(404)
    expect(body.code).toBe('not_found')
  })

  it('finds a market that moves three times as much, by its volatility and with both levels in words', async () => {
    until(WILD, 3600)
    const [found] = (await read()).series
    expect(found!.features!.drifts).toBe(true)
    const sigma = found!.features!.features.find(({ name }) => name === 'log_sigma')!
    expect(sigma).toMatchObject({ shifted: true, label: expect.stringMatching(/^Volatility/) })
    expect(sigma.words).toMatch(/^median 0\.\d+% → [1-9][\d.]*%; /)
    expect(found!.verdict).toMatch(/\d+ of 23 features have shifted, (where no|one of them)/)
  })

  it('says why nothing is known of the features where what it was trained on is not stored', async () => {
    until(CALM, 3600)
    const kept = series['BTCUSDT 1h']!
    series['BTCUSDT 1h'] = sliceCandles(kept, TRAINED - 300, TRAINED + 250)
    const other = createParts({
      db: bench.db,
      queue: bench.queue,
      venue: { ...memoryVenue(series), now: async () => clockMs },
      log: silentLogger(),
    })
    const [found] = (await other.forecasts().drift.read('v3', {})).series
    expect(found).toMatchObject({
      features: null,
      featuresNote: 'Too few of the candles that it was trained on are stored to compare with. Import them again.',
    })
    expect(found!.verdict).toMatch(/whether its features have shifted is not known\.$/)
    // The candles are imported again: nothing of the refusal is kept.
    series['BTCUSDT 1h'] = kept
    expect((await other.forecasts().drift.read('v3', {})).series[0]!.featuresNote).toBeNull()
  })

  it('says what the market says where its candles cannot be read, and knows the score all the same', async () => {
    const gone = createParts({ db: bench.db, queue: bench.queue, venue: memoryVenue({}), log: silentLogger() })
    const [found] = (await gone.forecasts().drift.read('v3', {})).series
    expect(found).toMatchObject({ decision: 'unknown', features: null, featuresNote: 'There is no market BTCUSDT.' })
    expect(found!.test).toMatchObject({ outcomes: 0, e: 1 })
  })

  it('is unknown, in words, for an upload whose training nobody declared', async () => {
    await bench.db.pool.query(`insert into trading.models values ('u1', 'staging', null, 0)`)
    await bench.db.pool.query(
      `insert into trading.artifacts (version, venue, symbol, timeframe, hash, shown, card, bytes, active, created_at_ms)
       select 'u1', venue, symbol, timeframe, 'other', shown, '{"format": "not known here"}', bytes, true, 0
       from trading.artifacts where version = 'v3'`,
    )
    const { body } = await call(app, 'GET', '/public/ml/drift/u1')
    expect(body.series[0]).toMatchObject({ decision: 'unknown', features: null, test: null })
    expect(body.series[0].verdict).toBe('Its card is of a kind that is not read here.')
  })
})

describe('the score', () => {
  it('holds while the outcomes are what was forecast', async () => {
    // 0.7 said, 7 of 10 rose.
    await sealOutcomes(
      1300,
      Array.from({ length: 60 }, (_, i) => i % 10 < 7),
      true,
    )
    const [found] = (await read()).series
    expect(found!.decision).toBe('holds')
    const test = found!.test!
    expect(test).toMatchObject({ against: 'climatology', outcomes: 60, crossedAt: null })
    expect(test.mean).toBeCloseTo(0.7 * 0.09 + 0.3 * 0.49, 10)
    expect(test.bar).toBeCloseTo(0.25, 10)
    expect(test.path).toHaveLength(60)
    expect(test.path[0]).toEqual({ ts: CALM.ts[1300], e: 1 })
  })

  it('is worse once they are not, since the candle at which that was shown, on record once', async () => {
    expect(await parts.forecasts().drift.watch()).toBe(1)
    expect(await parts.forecasts().drift.watch()).toBe(0)
    const { body: before } = await call(app, 'GET', '/public/ml/drift')
    expect(before).toContainEqual({
      version: 'v3',
      symbol: 'BTCUSDT',
      timeframe: '1h',
      decision: 'holds',
      since: null,
      featuresDrift: false,
    })
    await sealOutcomes(
      1360,
      Array.from({ length: 120 }, (_, i) => i % 10 < 2),
      true,
    )
    const [found] = (await read()).series
    expect(found!.decision).toBe('worse')
    const test = found!.test!
    expect(test.crossedAt).toBeGreaterThan(CALM.ts[1360]!)
    expect(test.largestE).toBeGreaterThanOrEqual(20)
    expect(found!.verdict).toMatch(
      /^Since \d+ \w+ 2024 it is shown to predict worse than knowing nothing: Brier score 0\.\d+/,
    )
    until(WILD, 3600)
    await Promise.all([parts.forecasts().drift.watch(), parts.forecasts().drift.watch()])
    const { body } = await call(app, 'GET', '/public/ml/drift')
    expect(body).toContainEqual({
      version: 'v3',
      symbol: 'BTCUSDT',
      timeframe: '1h',
      decision: 'worse',
      since: test.crossedAt,
      featuresDrift: true,
    })
    const { rows } = await bench.db.pool.query("select * from platform.audit where action = 'model.drifted'")
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ subject_id: 'v3', before: { decision: 'holds' } })
    expect(rows[0].after).toMatchObject({ decision: 'worse', symbol: 'BTCUSDT' })
    // What stays as bad is not said again.
    await sealOutcomes(1480, [false], true)
    expect(await parts.forecasts().drift.watch()).toBe(1)
    expect(
      (await bench.db.pool.query("select 1 from platform.audit where action = 'model.drifted'")).rows,
    ).toHaveLength(1)
  })
})

it('a thinned path keeps its ends and its peaks', () => {
  const values = Float64Array.from({ length: 1000 }, (_, i) => (i === 333 ? 50 : i / 1000))
  const kept = largestOfStretches(values, 20)
  expect(kept).toHaveLength(20)
  expect(kept).toContain(333)
  expect(kept[19]).toBe(999)
  expect(largestOfStretches([1, 2, 3], 20)).toEqual([0, 1, 2])
})
