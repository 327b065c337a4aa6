import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromColumns } from '@shapecast/contracts/prediction-columns'
import { PredictionRow } from '@shapecast/contracts/predictions'
import { type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'
import { squaredReturns, steadyVolatility } from '@shapecast/engine/policies/measures'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { eventually } from '@shapecast/platform/testing/eventually'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createKeptForecasts } from '../src/forecasts/kept-forecasts.ts'
import { createPredictionStore, type StoredRow } from '../src/forecasts/prediction-store.ts'
import { predictionRoutes } from '../src/forecasts/routes.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'

const HOUR = 3_600_000
const BTC = generateCandles({ candles: 3600, seed: 3 })
const series: Record<string, Candles> = {
  'BTCUSDT 1h': BTC,
  'ETHUSDT 1h': sliceCandles(BTC, 0, 60),
  'ADAUSDT 1h': emptyCandles(0),
}
const venue = memoryVenue(series)

const bench = await createPartsBench(venue, () => 1000)
const parts = bench.parts
const app = bench.mount((service) => {
  predictionRoutes(service, parts.forecasts().predictions)
})
await addQuickModel(bench.db, 'v3', 'BTCUSDT', MODEL_CANDLES)
await addQuickModel(bench.db, 'v4', 'BTCUSDT', MODEL_CANDLES, { seed: 2 })
await bench.db.pool.query("insert into trading.models values ('untrained', 'staging', null, 1)")
await bench.db.pool.query(
  `insert into trading.artifacts (version, venue, symbol, timeframe, hash, shown, card, bytes, active, created_at_ms)
   select version, venue, s.symbol, timeframe, hash, shown, card, bytes, true, 1 from trading.artifacts,
   (values ('ETHUSDT'), ('ADAUSDT')) s (symbol) where version = 'v3'`,
)
afterAll(() => bench.close())

const ask = (path: string, body: object, as: Person | null = bench.users.owner) =>
  call(app, 'POST', `/api/ml/${path}`, { as, body })
const history = async (query: string, as: Person | null = bench.users.owner) =>
  call(app, 'GET', `/api/ml/predictions?symbol=BTCUSDT&${query}`, { as })
const ts = (i: number) => BTC.ts[i]!

describe('a prediction', () => {
  it('is of the last closed candle, with all that the product shows, for anybody signed in', async () => {
    const { owner, other, manager, admin } = bench.users
    for (const person of [owner, other, manager, admin]) {
      const { status, body } = await ask('predict', { symbol: 'BTCUSDT', limit: 300 }, person)
      expect(status).toBe(200)
      expect(body).toMatchObject({ timestamp: ts(3599), aligned_ts: ts(3599) + HOUR, current_price: BTC.close[3599] })
      expect(body.version).toBe('v3')
      expect(body.hash).toMatch(/^[0-9a-f]{64}$/)
      expect(['BUY', 'SELL', 'HOLD']).toContain(body.signal)
      expect(body.confidence).toBeGreaterThanOrEqual(0.5)
      for (const price of [body.lstm_prediction, body.transformer_prediction, body.stopLoss])
        expect(price / BTC.close[3599]!).toBeCloseTo(1, 0)
      expect(body.reasoning.length).toBeGreaterThan(20)
      // Fee 6 and slippage 5 bps, in and out: the first thing that a screen says is whether the move pays 22 bps.
      expect(body.verdict).toMatchObject({ edgeBps: body.edgeBps, costBps: 22, horizon: 1 })
      expect(body.verdict.expectedBps).toBeCloseTo(body.edgeBps + 22, 10)
      expect(body.verdict.code === 'not_worth_trading').toBe(body.edgeBps <= 0)
      expect(body.verdict.leans === 'up').toBe(body.stopLoss < body.current_price)
    }
    expect((await ask('predict', { symbol: 'BTCUSDT' }, null)).status).toBe(401)
  })

  it.each([
    [{ symbol: 'XYZUSDT' }, 422, 'unknown_symbol'],
    [{ symbol: 'BTCUSDT', version: 'nobody' }, 404, 'not_found'],
    [{ symbol: 'BTCUSDT', version: 'untrained' }, 422, 'model_not_trained'],
    [{ symbol: 'BTCUSDT', timeframe: '4h' }, 422, 'model_not_trained'],
    [{ symbol: 'BTCUSDT', timeframe: '2h' }, 400, 'bad_input'],
    [{ symbol: 'BTCUSDT', limit: 10_001 }, 400, 'bad_input'],
    [{ symbol: 'ETHUSDT' }, 422, 'too_few_candles'],
    [{ symbol: 'ADAUSDT' }, 422, 'no_candles'],
  ])('says of %j what is wrong', async (body, status, code) => {
    const reply = await ask('predict', body)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(reply.body.error.length).toBeGreaterThan(20)
  })

  it('is shown for the other versions when one cannot predict', async () => {
    const { body } = await ask('predict-multi', { versions: ['v4', 'nobody', 'untrained', 'v3'], symbol: 'BTCUSDT' })
    expect(body.results.map((r: { version: string }) => r.version)).toEqual(['v4', 'nobody', 'untrained', 'v3'])
    expect(body.results[0].prediction.version).toBe('v4')
    expect(body.results[1]).toMatchObject({ prediction: null, error: expect.stringContaining('No model is called') })
    expect(body.results[2]).toMatchObject({ prediction: null, error: expect.stringContaining('is not trained on') })
    expect(body.results[3].error).toBeNull()
    expect((await ask('predict-multi', { versions: [], symbol: 'BTCUSDT' })).status).toBe(400)
    const nowhere = await ask('predict-multi', { versions: ['v3', 'untrained'], symbol: 'XYZUSDT' })
    expect([nowhere.status, nowhere.body.code]).toEqual([422, 'unknown_symbol'])
  })

  it('reads the candles once for several versions', async () => {
    const read = vi.spyOn(venue, 'candles')
    const readsFor = async (versions: string[]) => {
      read.mockClear()
      await ask('predict-multi', { versions, symbol: 'BTCUSDT' })
      return read.mock.calls.length
    }
    expect([await readsFor(['v3']), await readsFor(['v3', 'v4', 'v3'])]).toEqual([1, 1])
    read.mockRestore()
  })
})

describe('the range of the next close', () => {
  it('is told at each of the newest candles beside the close that came, and last for the one to come', async () => {
    const { status, body } = await call(app, 'GET', '/api/ml/predictions/ranges?symbol=BTCUSDT&limit=3', {
      as: bench.users.owner,
    })
    expect(status).toBe(200)
    expect(body.map(({ time, close }: { time: number; close: number | null }) => [time, close])).toEqual([
      [ts(3598), BTC.close[3598]],
      [ts(3599), BTC.close[3599]],
      [ts(3599) + HOUR, null],
    ])
    const { body: fan } = await ask('predict-cloud', { symbol: 'BTCUSDT' })
    const [next] = fan.points
    expect(body[2]).toMatchObject({ low: next.q05, median: next.q50, high: next.q95 })
  })
})

describe('the share of a policy', () => {
  const share = (query: string) =>
    call(app, 'GET', `/api/ml/policy-share?symbol=BTCUSDT&${query}`, { as: bench.users.owner })
  it('is a half, or what the risk level allows at the last close; the brake never holds more', async () => {
    expect((await share('policy=fixed_share')).body).toEqual({ share: 0.5, at: ts(3599) })
    const squares = squaredReturns(BTC.close)
    const steady = Math.min(1, 0.4 / steadyVolatility(squares, 3599, '1h'))
    expect((await share('policy=steady_risk')).body.share).toBeCloseTo(steady, 12)
    const brake = (await share('policy=model_brake')).body.share
    expect(brake).toBeGreaterThan(0)
    expect(brake).toBeLessThanOrEqual(steady)
    expect((await share('policy=signal')).status).toBe(400)
    const untrained = await share('policy=model_brake&version=untrained')
    expect([untrained.status, untrained.body.share]).toEqual([200, null])
  })
})

describe('a prediction that many ask for', () => {
  it('is made once between two closes, and again where a candle under it changes', async () => {
    const calls: number[] = []
    const kept = createKeptForecasts<{ pUp: number }>()
    const make = () => Promise.resolve({ pUp: calls.push(1) })
    const basis = sliceCandles(BTC, 0, 200)
    expect(await kept.get('a', basis, make)).toEqual({ pUp: 1 })
    expect(await kept.get('a', sliceCandles(BTC, 0, 200), make)).toEqual({ pUp: 1 })
    const high = Float64Array.from(basis.high)
    high[7] = high[7]! + 1e-9
    expect(await kept.get('a', { ...basis, high }, make)).toEqual({ pUp: 2 })
    expect(await kept.get('b', basis, make)).toEqual({ pUp: 3 })
  })

  it('is tried again after a failure', async () => {
    const kept = createKeptForecasts<{ pUp: number }>()
    const basis = sliceCandles(BTC, 0, 5)
    await expect(kept.get('a', basis, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await kept.get('a', basis, async () => ({ pUp: 1 }))).toEqual({ pUp: 1 })
  })
})

describe('the prediction cloud', () => {
  it('is a fan that rises along its quantiles, with how often it held beside it', async () => {
    const { status, body } = await ask('predict-cloud', { symbol: 'BTCUSDT' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ method: 'quantile', lookback: 8, timestamp: ts(3599) })
    expect(body.points.map((p: { time: number }) => p.time)).toEqual(
      Array.from({ length: 8 }, (_, k) => ts(3599) + (k + 1) * HOUR),
    )
    for (const { q05, q25, q50, q75, q95 } of body.points)
      expect([q05, q25, q50, q75, q95]).toEqual([q05, q25, q50, q75, q95].toSorted((a, b) => a - b))
    const width = (p: { q05: number; q95: number }) => p.q95 - p.q05
    expect(width(body.points[7])).toBeGreaterThan(width(body.points[0]))
    expect(body.coverage.holdout).toHaveLength(8)
    expect(body.coverage.holdout[0]).toMatchObject({ horizon: 1, outcomes: 400 })
    expect(body.coverage.live).toEqual([])
  })

  it('reaches as far as asked, and refuses what the model is not', async () => {
    const three = await ask('predict-cloud', { symbol: 'BTCUSDT', horizon_steps: 3, params: { version: 'v4' } })
    expect([three.body.points.length, three.body.coverage.holdout.length, three.body.version]).toEqual([3, 3, 'v4'])
    expect((await ask('predict-cloud', { symbol: 'BTCUSDT', horizon_steps: 9 })).status).toBe(400)
    expect((await ask('predict-cloud', { symbol: 'BTCUSDT', method: 'magic' })).status).toBe(400)
    // The default stands for the model's own.
    expect((await ask('predict-cloud', { symbol: 'BTCUSDT', lookback: 30 })).body.lookback).toBe(8)
    const other = await ask('predict-cloud', { symbol: 'BTCUSDT', lookback: 31 })
    expect([other.status, other.body.code]).toEqual([422, 'unprocessable'])
    expect(other.body.error).toContain('look back 8 candles')
  })
})

describe('the history of predictions', () => {
  it('is worked out once, marked as such, and says which candles the model has learnt from', async () => {
    const first = await history('limit=2700')
    expect(first.status).toBe(200)
    expect(first.body).toHaveLength(2700)
    for (const row of first.body) expect(PredictionRow.strict().parse(row)).toEqual(row)
    await eventually(async () => {
      const { rows } = await bench.db.pool.query('select count(*)::int as n from trading.predictions')
      expect(rows[0].n).toBe(2700)
    })
    expect((await history('limit=2700', bench.users.other)).body).toEqual(first.body)
    expect((await call(app, 'GET', '/public/ml/predictions?symbol=BTCUSDT&limit=2700')).body).toEqual(first.body)
    const last = first.body.at(-1)
    expect(last).toMatchObject({ source: 'backfilled', madeAt: 1000, trainedOn: false, reasoning: 'Cached ML signal' })
    expect(first.body[0].trainedOn).toBe(true)
    const now = (await ask('predict', { symbol: 'BTCUSDT' })).body
    expect({ ...last, reasoning: now.reasoning }).toMatchObject(now)
  })

  it('is worked out once for all who ask for the same at the same time', async () => {
    const asked = { symbol: 'BTCUSDT', timeframe: '1h', version: 'v4', limit: 150 } as const
    const [one, two] = await Promise.all([
      parts.forecasts().predictions.history(asked),
      parts.forecasts().predictions.history(asked),
    ])
    expect(one).toHaveLength(150)
    expect(two).toBe(one)
    const later = await parts.forecasts().predictions.history(asked)
    expect(later).not.toBe(one)
    expect(later).toEqual(one)
    await expect(parts.forecasts().predictions.history({ ...asked, version: 'nobody' })).rejects.toThrow(
      'No model is called nobody',
    )
  })

  it('goes by the times given: since and before are left out, from and to are in', async () => {
    const times = async (query: string) =>
      (await history(query)).body.map((row: { timestamp: number }) => row.timestamp)
    expect(await times(`from=${ts(3000)}&to=${ts(3002)}`)).toEqual([ts(3000), ts(3001), ts(3002)])
    expect(await times(`since=${ts(3000)}&before=${ts(3002)}`)).toEqual([ts(3001)])
    expect(await times(`before=${ts(3002)}&limit=2`)).toEqual([ts(3000), ts(3001)])
    expect(await times(`since=${ts(3599)}`)).toEqual([])
    expect((await history(`from=5&to=4`)).status).toBe(400)
    expect((await history('limit=20001')).status).toBe(400)
    expect((await history('limit=5', null)).status).toBe(401)
  })

  it('is told in columns as well', async () => {
    const range = `from=${ts(3000)}&to=${ts(3040)}`
    const columns = await call(app, 'GET', `/public/ml/predictions/columns?symbol=BTCUSDT&${range}`)
    const drawn = fromColumns(columns.body)
    expect(drawn).toHaveLength(41)
    const { body } = await history(range)
    for (const [i, row] of drawn.entries()) {
      const { confidence, lstm_prediction: lstm, transformer_prediction: transformer, ...same } = row
      expect(body[i]).toMatchObject(same)
      expect(confidence).toBeCloseTo(body[i].confidence, 3)
      expect([lstm / body[i].lstm_prediction, transformer / body[i].transformer_prediction]).toEqual([
        expect.closeTo(1, 6),
        expect.closeTo(1, 6),
      ])
    }
  })

  it('is empty where no model is trained on the series, unless one is named', async () => {
    const asked = (query: string) => call(app, 'GET', `/public/ml/predictions?${query}`)
    expect((await asked('symbol=BTCUSDT&timeframe=4h')).body).toEqual([])
    const named = await asked('symbol=BTCUSDT&version=untrained')
    expect([named.status, named.body.code]).toEqual([422, 'model_not_trained'])
    expect((await asked('symbol=XYZUSDT')).body.code).toBe('unknown_symbol')
  })

  it('leaves out candles that nothing can be forecast for: the warm-up', async () => {
    const { body } = await history(`from=${ts(0)}&to=${ts(200)}&limit=500`)
    expect(body[0].timestamp).toBe(ts(106))
    expect(body).toHaveLength(95)
  })

  it('is made again where a stored candle has changed, from that one on', async () => {
    const before = (await history('limit=300')).body
    const changed = sliceCandles(BTC, 0)
    const close = Float64Array.from(BTC.close)
    close[3500] = close[3500]! * 1.003
    series['BTCUSDT 1h'] = { ...changed, close }
    const after = (await history('limit=300')).body
    series['BTCUSDT 1h'] = BTC
    const first = before.findIndex(
      (row: { confidence: number; current_price: number }, i: number) =>
        row.confidence !== after[i].confidence || row.current_price !== after[i].current_price,
    )
    expect(before[first].timestamp).toBe(ts(3500))
    expect(after[first].current_price).toBe(close[3500])
    expect(after.at(-1).confidence).not.toBe(before.at(-1).confidence)
    expect((await history('limit=300')).body).toEqual(before)
  })
})

describe('the store of predictions', () => {
  const row = { signal: 1, confidence: 0.6, price: 1, lstm: 1, transformer: 1, stopLoss: 1, edgeBps: 1, madeAtMs: 1 }
  const rows: StoredRow[] = [{ ts: 5, candleCheck: 7, ...row }]
  const kept = async (id: string) =>
    (await bench.db.pool.query('select ts from trading.predictions where artifact_id = $1', [id])).rows
  const fail = (error: unknown) => {
    throw error
  }

  it('keeps nothing of an artifact that is no more', async () => {
    const store = createPredictionStore(bench.db)
    const id = randomUUID()
    store.keep(id, rows, fail)
    expect(await store.read(id, 0, 10)).toEqual([])
  })

  it('leaves none behind where they come while their artifact is being deleted', async () => {
    const store = createPredictionStore(bench.db)
    const made = await bench.db.pool.query(
      `insert into trading.artifacts (version, venue, symbol, timeframe, hash, shown, card, bytes, active, created_at_ms)
       select version, venue, 'XRPUSDT', timeframe, hash, shown, card, bytes, false, 1 from trading.artifacts limit 1 returning id`,
    )
    const { id } = made.rows[0]
    store.keep(id, rows, fail)
    expect(await store.read(id, 0, 10)).toHaveLength(1)
    await bench.db.orm.transaction(async (tx) => {
      await tx.execute(`delete from trading.artifacts where id = '${id}'`)
      store.keep(id, [{ ...rows[0]!, ts: 6 }], fail)
      await sleep(50)
    })
    expect(await store.read(id, 0, 10)).toEqual([])
    expect(await kept(id)).toEqual([])
  })
})
