import { randomUUID } from 'node:crypto'
import type { BatchRequestInput } from '@shapecast/contracts/batch'
import { type WalkForward, WalkForwardRequest, type WalkForwardRequestInput } from '@shapecast/contracts/walk-forward'
import { runBacktest } from '@shapecast/engine/backtest'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { candlesFromRows } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { metricsOf } from '@shapecast/engine/metrics'
import { planOf } from '@shapecast/engine/policies/plan'
import { createRandom } from '@shapecast/engine/random'
import { silentLogger } from '@shapecast/platform/logging'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, describe, expect, it } from 'vitest'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { beginParts, putPart } from '../src/ground/jobs/job-parts.ts'
import { beginJob, findJob } from '../src/ground/jobs/job-rows.ts'
import type { Kind, SharedWork } from '../src/ground/jobs/kind.ts'
import { BATCH } from '../src/lab/batch-kind.ts'
import { batchWork } from '../src/lab/batch-work.ts'
import type { ForecastFold } from '../src/lab/fold-models.ts'
import { WALK_FORWARD } from '../src/lab/walk-kind.ts'
import { walkOrder } from '../src/lab/walk-service.ts'
import { walkWork } from '../src/lab/walk-work.ts'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import { openPredictor } from '../src/models/open-predictor.ts'
import { trainArtifact } from '../src/models/train-artifact.ts'
import type { LabProgress } from '../src/search/lab-job.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'

const DAY = 86_400_000
const STEP = 4 * 3_600_000
const START = Date.parse('2022-01-01')

function days(seed: number) {
  const random = createRandom(seed)
  let close = 100
  return candlesFromRows(
    Array.from({ length: 500 }, (_, day) => {
      const open = close
      close *= Math.exp(0.02 * random.normal())
      return [START + day * DAY, open, 1.004 * Math.max(open, close), 0.996 * Math.min(open, close), close, 1]
    }),
  )
}

const fourHours = candlesFromRows(
  Array.from({ length: 2000 }, (_, i) => {
    const close = (k: number) => 100 + 3 * Math.sin(k / 5) + 2 * Math.sin(k * k)
    const [open, now] = [close(i - 1), close(i)]
    return [START + i * STEP, open, 1.004 * Math.max(open, now), 0.996 * Math.min(open, now), now, 1 + (i % 7)]
  }),
)
const venue = memoryVenue({ 'BTCUSDT 1d': days(1), 'ETHUSDT 1d': days(2), 'BTCUSDT 4h': fourHours })
const bench = await createPartsBench(venue)
const { db, parts, users } = bench
const app = await bench.serve()
afterAll(() => bench.close())

const ask = (as: Person | null, method: 'GET' | 'POST', path: string, body?: unknown) =>
  call(app, method, `/bot/api/${path}`, { as, body })

/** Carries a job out as a worker does. */
async function carry<P, R, M>(
  kind: Kind<P, LabProgress, R>,
  work: SharedWork<P, LabProgress, R, M>,
  id: string,
): Promise<void> {
  const { queueId } = (await findJob(db.orm, kind, id))!
  const deps = { orm: db.orm, log: silentLogger(), now: () => 5 }
  await carryOut(deps, kind, work, { id, queueId: queueId! }, new AbortController().signal)
}

/** A file that is sent. */
const inject = (as: Person, path: string) =>
  app.inject({ method: 'GET', url: `/bot/api/${path}`, headers: { authorization: `Bearer ${as.token}` } })
const saved = async (as: Person, path: string) => (await inject(as, path)).body

const WALK: WalkForwardRequestInput = {
  search: {
    kind: 'rule',
    rule: 'enter: close > sma({n}) exit: close < sma({n})',
    symbol: 'BTCUSDT',
    timeframe: '1d',
    minTrades: 2,
    parameters: [{ name: 'n', label: 'Days', values: [3, 5, 8, 13] }],
  },
  train: 150,
  test: 50,
}

describe('a walk', () => {
  it('chooses before each stretch and trades what follows, inside the searched part', async () => {
    const { body } = await ask(users.manager, 'POST', 'walk-forwards', WALK)
    await carry(WALK_FORWARD, walkWork(parts.backtest()), body.id)
    const found: WalkForward = (await ask(users.manager, 'GET', `walk-forwards/${body.id}`)).body
    expect(found).toMatchObject({ status: 'completed', title: 'Rule on BTCUSDT 1d', error: null })
    const { folds, walked, kept, parameters, points, curves } = found.result!
    // 500 days, of which 400 are searched: (400 − 150) / 50.
    expect(folds).toHaveLength(5)
    expect(walked.candles).toBe(400)
    expect(kept).toMatchObject({ candles: 100, from: walked.to + DAY })
    expect(folds.at(-1)!.test.to).toBe(walked.to)
    for (const [k, { train, test }] of folds.entries()) {
      expect(test.from).toBe(train.to + DAY)
      if (k > 0) expect(test.from).toBe(folds[k - 1]!.test.to + DAY)
    }
    expect(parameters).toEqual([{ name: 'n', label: 'Days', values: [3, 5, 8, 13] }])
    expect(points).toBe(4)
    expect(curves.t.at(-1)).toBe(walked.to)
    const [heads, , second] = (await saved(users.manager, `walk-forwards/${body.id}/export`)).split('\n')
    expect(heads).toBe(
      'fold,train_from,train_to,test_from,test_to,n,in_sample_sharpe,in_sample_return_pct,out_of_sample_sharpe,net_return_pct,hold_pct,trades',
    )
    const { train, values } = folds[1]!
    const [from, to] = [new Date(train.from).toISOString(), new Date(train.to).toISOString()]
    expect(second).toContain(`2,${from},${to},`)
    expect(second).toContain(`,${values!.n},`)
    // Each combination is a try.
    expect(found.tries).toEqual({ count: 4, byKind: { search: 4 } })
    expect((await ask(users.manager, 'GET', 'walk-forwards')).body.map(({ id }: WalkForward) => id)).toEqual([body.id])
  })

  it.each([
    [{ train: 390 }, 'too_few_candles'],
    [{ train: 10 }, 'bad_input'],
    [{ search: { ...WALK.search, symbol: 'NONEUSDT' } }, 'unknown_symbol'],
    [{ search: { ...WALK.search, rule: 'enter: close > sma({n})' } }, 'bad_input'],
  ])('with %j is refused with %s', async (change, code) =>
    expect((await ask(users.manager, 'POST', 'walk-forwards', { ...WALK, ...change })).body.code).toBe(code),
  )
})

/** Trained in a second. */
const SMALL = { epochs: 1, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 8 }
const RETRAINED: WalkForwardRequestInput = {
  search: {
    kind: 'rule',
    rule: 'enter: p_up > 50% exit: p_up < 50%',
    symbol: 'BTCUSDT',
    timeframe: '4h',
    mlModelVersion: 'v3',
    parameters: [],
  },
  train: 1200,
  test: 200,
  retrain: true,
}

it('a walk names the candle at which the drawdown limit ended it, after which nothing is traded', async () => {
  const parameters = [...WALK.search.parameters, { name: 'maxDrawdown', values: [3] }]
  const request = { ...WALK, search: { ...WALK.search, parameters } }
  const { body } = await ask(users.manager, 'POST', 'walk-forwards', request)
  await carry(WALK_FORWARD, walkWork(parts.backtest()), body.id)
  const { folds, haltedAt } = ((await ask(users.manager, 'GET', `walk-forwards/${body.id}`)).body as WalkForward)
    .result!
  const halted = folds.findIndex(({ test }) => test.from <= haltedAt! && haltedAt! <= test.to)
  expect(halted).toBeGreaterThanOrEqual(0)
  expect(halted).toBeLessThan(folds.length - 1)
  expect(folds.slice(halted + 1).every(({ outOfSample }) => outOfSample.trades === 0)).toBe(true)
})

describe('a walk that trains its model again', () => {
  const heldOut = {
    accuracy: 0.55,
    interval: [0.5, 0.6] as [number, number],
    outcomes: 400,
    effectiveOutcomes: 233,
    majorityBaseline: 0.51,
    reversalBaseline: 0.5,
    verdict: 'better than the majority baseline',
  }
  const shown = { trainedFrom: 0, trainedTo: 1, holdoutFrom: 2, holdoutTo: 3, seed: 1, accuracy: heldOut }

  it('joins what each model said of the stretch after its training, beside what one training says of itself', async () => {
    expect((await ask(users.manager, 'POST', 'walk-forwards', RETRAINED)).body.code).toBe('model_not_trained')
    const card = { settings: SMALL, data: { candles: 1200 } }
    const series = { venue: venue.name, symbol: 'BTCUSDT', timeframe: '4h' }
    const artifact = { ...series, version: 'v3', hash: 'a', shown, card, bytes: new Uint8Array([1]) }
    await db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 1))
    const ground = await ask(
      users.manager,
      'GET',
      'walk-forwards/ground?symbol=BTCUSDT&timeframe=4h&mlModelVersion=v3&train=1200&test=200',
    )
    expect(ground.body).toEqual({ version: 'v3', folds: 2, seconds: null })

    const { body } = await ask(users.manager, 'POST', 'walk-forwards', RETRAINED)
    const said: ForecastFold[] = []
    const { open, ...rest } = walkWork(parts.backtest())
    const watched: typeof open = async (job, stop) => {
      const opened = await open(job, stop)
      const run = async (fold: number) => {
        said[fold] = (await opened.run(fold)) as ForecastFold
        return said[fold]
      }
      return { ...opened, run }
    }
    await carry(WALK_FORWARD, { ...rest, open: watched }, body.id)
    const found: WalkForward = (await ask(users.manager, 'GET', `walk-forwards/${body.id}`)).body
    expect(found).toMatchObject({ status: 'completed', error: null, progress: { current: 2, total: 2 } })
    const { folds, retrained, inSampleSharpe, metrics, curves } = found.result!
    expect(retrained).toMatchObject({ version: 'v3', horizon: 1, single: { heldOut, from: 2, to: 3 } })
    // The last outcome of the second stretch lies in the kept part, but no close is judged by one that is kept.
    expect(retrained!.ahead.outcomes).toBe(400)
    for (const { train, test, model, inSample } of folds) {
      expect(inSample).toBeNull()
      // Its hold-out are the newest 400 of its candles, and no outcome before them reaches in.
      expect(model).toMatchObject({
        learntTo: test.from - 401 * STEP,
        heldOut: { outcomes: 400 },
        ahead: { outcomes: 200 },
      })
      expect([train.to, train.to - train.from]).toEqual([test.from - STEP, 1199 * STEP])
    }
    expect(new Set(folds.map(({ model }) => model!.hash)).size).toBe(2)
    // On a replay, a model is trained at the close before each stretch and forecasts each next close from the candles so far:
    // the same models, forecasts, trades and equity, to the bit.
    const pUp: number[] = []
    for (const [k, { train, test, model }] of folds.entries()) {
      const candles = await parts.market.load('BTCUSDT', '4h', { toMs: train.to, limit: 1200 })
      const again = await trainArtifact({ series, version: 'v3', candles, params: SMALL, createdAtMs: 9 })
      expect(again.hash).toBe(model!.hash)
      const predictor = await openPredictor(again)
      const limit = predictor.historyCandles + 1
      const { said: forecasts } = said[k]!
      // A seventh of the closes, at all hours of the day, among them the first and the last.
      for (const i of [...Array.from({ length: 29 }, (_, k) => 7 * k), 199]) {
        const seen = await parts.market.load('BTCUSDT', '4h', { toMs: train.to + i * STEP, limit })
        const made = await predictor.predict(seen, { from: seen.length - 1, to: seen.length })
        expect([i, forecasts.pUp[i], forecasts.edgeBps[i]]).toEqual([i, made.pUp[0], made.edgeBps[0]])
      }
      await predictor.close()
      expect(forecasts.pUp).toHaveLength((test.to - train.to) / STEP)
      pUp.push(...forecasts.pUp)
    }
    const traded = await parts.market.load('BTCUSDT', '4h', {
      fromMs: folds[0]!.test.from,
      toMs: folds.at(-1)!.test.to,
    })
    const { bot, request } = (await walkOrder(parts.lab().deps, WalkForwardRequest.parse(RETRAINED))).search
    const { feeRate, slippageBps } = request
    const costs = { feeRate, slippageBps, noSameBarReentry: true, lotSize: 0.001, minNotional: 5 }
    const settings = backtestSettings({ ...planOf(bot).settings, timeframe: '4h', ...costs })
    const asked = pUp.map((up) => (up > 0.5 ? DECISION.BUY : up < 0.5 ? DECISION.CLOSE_LONG : DECISION.HOLD))
    const replayed = runBacktest(traded, Int8Array.from([...asked.slice(1), DECISION.HOLD]), settings)
    expect(metricsOf(replayed, traded)).toEqual(metrics)
    const equityPct = (i: number) => Number((100 * (replayed.equity[i]! / settings.initialBalance - 1)).toPrecision(6))
    expect(curves.t.map((ts) => equityPct((ts - traded.ts[0]!) / STEP))).toEqual(curves.walk)
    expect(inSampleSharpe).toBeNull()
    expect(metrics.trades).toBeGreaterThan(0)
    // Each training is a try.
    expect(found.tries).toEqual({ count: 2, byKind: { training: 2 } })
  })

  it.each([
    [{ train: 800 }, 'too_few_candles'],
    [{ search: { ...RETRAINED.search, rule: 'enter: close > 1 exit: close < 1' } }, 'bad_input'],
    [{ search: { ...RETRAINED.search, kind: 'policy', policy: 'steady_risk' } }, 'bad_input'],
    [{ search: { ...RETRAINED.search, parameters: [{ name: 'stopLossPct', values: [0, 2] }] } }, 'bad_input'],
    [{ retrain: false }, 'bad_input'],
  ])('with %j is refused with %s', async (change, code) =>
    expect((await ask(users.manager, 'POST', 'walk-forwards', { ...RETRAINED, ...change })).body.code).toBe(code),
  )
})

const BATCH_OF_RULE: BatchRequestInput = {
  mode: 'rule',
  rule: 'enter: close > sma(5) exit: close < sma(5)',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  timeframes: ['1d', '1h'],
  maxDrawdown: 0,
}

describe('a batch', () => {
  it('saves a run a series, names what is missing, and says how much of the best is luck', async () => {
    const { body } = await ask(users.admin, 'POST', 'batches', BATCH_OF_RULE)
    await carry(BATCH, batchWork(parts.backtest()), body.id)
    const { body: found } = await ask(users.admin, 'GET', `batches/${body.id}`)
    expect(found).toMatchObject({ status: 'completed', title: 'Rule on 2 symbols, 2 timeframes', error: null })
    const { cells, verdict, tries, equalRisk } = found.result
    expect(
      cells.map(({ symbol, timeframe, missing }: never) => [
        symbol,
        timeframe,
        (missing as { code: string } | null)?.code,
      ]),
    ).toEqual([
      ['BTCUSDT', '1d', undefined],
      ['BTCUSDT', '1h', 'no_candles'],
      ['ETHUSDT', '1d', undefined],
      ['ETHUSDT', '1h', 'no_candles'],
    ])
    // The last fifth is kept.
    expect(cells[0].run).toMatchObject({ candles: 400, from: START, to: START + 399 * DAY })
    const run = (await ask(users.admin, 'GET', `backtest/runs/${cells[0].run.id}`)).body
    expect(run).toMatchObject({ symbol: 'BTCUSDT', metrics: cells[0].run.metrics })
    expect(verdict).toMatchObject({ runs: 2, code: 'what_luck_gives' })
    // Both at once from the day on which 30 changes of each are known, of which the first close has none; 1h has no candles.
    expect(equalRisk).toMatchObject([{ timeframe: '1d', runs: 2, days: 368 }])
    expect(equalRisk[0].curves.t[0]).toBe(START + 32 * DAY)
    expect(equalRisk[0].figures.volatilityPct).toBeLessThan(equalRisk[0].holdFigures.volatilityPct)
    expect(tries).toBe(2)
    const csv = await saved(users.admin, `batches/${body.id}/export`)
    expect(csv.split('\n')[2]).toBe('BTCUSDT,1h,,,,,,,,,,,,,no_candles')
    const parquet = await inject(users.admin, `batches/${body.id}/export?format=parquet`)
    const { buffer, byteOffset, byteLength } = parquet.rawPayload
    const table = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer })
    expect(table.map(({ symbol, from, candles, missing }) => [symbol, from, candles, missing])).toEqual([
      ['BTCUSDT', new Date(START), 400, ''],
      ['BTCUSDT', null, Number.NaN, 'no_candles'],
      ['ETHUSDT', new Date(START), 400, ''],
      ['ETHUSDT', null, Number.NaN, 'no_candles'],
    ])
  })

  it.each([
    [{ symbols: ['BTCUSDT', 'BTCUSDT'] }, 'bad_input'],
    [{ rule: 'short: close > 1 time: 1' }, 'bad_input'],
    [{ mode: 'bot', botId: '01890000-0000-7000-8000-000000000009' }, 'not_found'],
    [{ symbols: Array.from({ length: 50 }, (_, k) => `C${k}USDT`), timeframes: ['1d', '1h', '4h'] }, 'bad_input'],
  ])('with %j is refused with %s', async (change, code) =>
    expect((await ask(users.manager, 'POST', 'batches', { ...BATCH_OF_RULE, ...change })).body).toMatchObject({ code }),
  )
})

/** What a worker did of a job before it was lost: so many parts. */
async function doSome<P, R, M>(
  kind: Kind<P, LabProgress, R>,
  work: SharedWork<P, LabProgress, R, M>,
  id: string,
  count: number,
): Promise<void> {
  const { queueId } = (await findJob(db.orm, kind, id))!
  const job = (await beginJob(db.orm, kind, id, queueId, 5))!
  const opened = await work.open(job, new AbortController().signal)
  const of = { jobId: id, basis: opened.basis }
  await beginParts(db.orm, of, opened.count)
  for (let part = 0; part < count; part++) await putPart(db.orm, of, part, await opened.run(part))
  await opened.close()
}

/** The parts that work does. */
function counted<P, R, M>(work: SharedWork<P, LabProgress, R, M>) {
  const ran: number[] = []
  const open: typeof work.open = async (job, stop) => {
    const opened = await work.open(job, stop)
    return { ...opened, run: (part) => opened.run(part).finally(() => ran.push(part)) }
  }
  return { ran, work: { ...work, open } }
}

describe('what was cancelled in the middle', () => {
  it('goes on as a walk from the folds that are done, to the same result and as many tries', async () => {
    const [as, other] = [
      await bench.signIn(randomUUID(), 'bot_manager'),
      await bench.signIn(randomUUID(), 'bot_manager'),
    ]
    const { id: whole } = (await ask(other, 'POST', 'walk-forwards', WALK)).body
    await carry(WALK_FORWARD, walkWork({ ...parts.backtest(), threads: 1 }), whole)
    const { id } = (await ask(as, 'POST', 'walk-forwards', WALK)).body
    await doSome(WALK_FORWARD, walkWork(parts.backtest()), id, 3)
    await ask(as, 'POST', `jobs/${id}/cancel`, {})
    expect((await ask(as, 'POST', `jobs/${id}/resume`, {})).body).toEqual({ id })
    const { ran, work } = counted(walkWork({ ...parts.backtest(), threads: 2 }))
    await carry(WALK_FORWARD, work, id)
    expect(ran.sort()).toEqual([3, 4])
    const of = async (person: Person, one: string) => (await ask(person, 'GET', `walk-forwards/${one}`)).body
    const [{ result, tries }, expected] = [await of(as, id), await of(other, whole)]
    expect([result, tries]).toEqual([expected.result, expected.tries])
  })

  it('goes on as a batch from the cells that are done, and saves each run once', async () => {
    const as = await bench.signIn(randomUUID(), 'bot_manager')
    const { id } = (await ask(as, 'POST', 'batches', BATCH_OF_RULE)).body
    await doSome(BATCH, batchWork(parts.backtest()), id, 3)
    await ask(as, 'POST', `jobs/${id}/cancel`, {})
    await ask(as, 'POST', `jobs/${id}/resume`, {})
    const { ran, work } = counted(batchWork(parts.backtest()))
    await carry(BATCH, work, id)
    expect(ran).toEqual([3])
    const { result } = (await ask(as, 'GET', `batches/${id}`)).body
    expect(result.tries).toBe(2)
    const runs = (await ask(as, 'GET', 'backtest/runs')).body
    expect(runs.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT'])
  })
})

describe.each([
  ['walk-forwards', WALK],
  ['batches', BATCH_OF_RULE],
] as const)('%s', (path, request) => {
  it('are asked for by managers and seen by who asked and admins', async () => {
    expect((await ask(null, 'POST', path, request)).status).toBe(401)
    expect((await ask(users.owner, 'POST', path, request)).status).toBe(403)
    const { body } = await ask(users.manager, 'POST', path, request)
    const seen = async (as: Person | null) => (await ask(as, 'GET', `${path}/${body.id}`)).status
    expect([await seen(null), await seen(users.owner), await seen(users.manager), await seen(users.admin)]).toEqual([
      401, 404, 200, 200,
    ])
    expect((await ask(users.owner, 'GET', path)).body).toEqual([])
  })
})
