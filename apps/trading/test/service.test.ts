import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { BacktestRun } from '@shapecast/contracts/backtest'
import { RunComparison } from '@shapecast/contracts/run-comparison'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { afterAll, describe, expect, it } from 'vitest'
import { BACKTEST } from '../src/backtests/backtest-kind.ts'
import { backtestRoutes } from '../src/backtests/routes.ts'
import { createRunStore } from '../src/backtests/run-store.ts'
import { botRoutes } from '../src/bots/routes.ts'
import { compose } from '../src/compose.ts'
import { beginJob } from '../src/ground/jobs/job-rows.ts'
import { jobRoutes } from '../src/ground/jobs/routes.ts'
import { JOB_KINDS } from '../src/job-kinds.ts'
import { mlRoutes } from '../src/models/routes.ts'
import { createParts } from '../src/parts.ts'
import { addJob } from './support/add-job.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { call, createServiceBench, type Person } from './support/service-bench.ts'
import { QUICK } from './support/small-model.ts'

/** The rooms together with their worker: train, make a bot, backtest it, read the run. Training here is small. */
const venue = memoryVenue({
  'ETHUSDT 1h': generateCandles({ candles: 1700, seed: 11, momentum: 0.3 }),
  'SOLUSDT 1h': generateCandles({ candles: 50, seed: 12 }),
})
const HOUR_MS = 3_600_000
const LAST_MS = Date.UTC(2024, 0, 1) + 1699 * HOUR_MS

const bench = await createServiceBench()
const queue = await createQueue(bench.db, silentLogger())
const deps = { db: bench.db, queue, venue, log: silentLogger() }
const worker = await compose(deps).worker()
// However slow the machine: what is asked to wait does.
const parts = createParts({ ...deps, backtestWaitMs: 600_000 })
const app = bench.mount((service) => {
  mlRoutes(service, parts.models().models, parts.models().trainings)
  botRoutes(service, parts.bots().bots)
  backtestRoutes(service, parts.backtests())
  jobRoutes(service, { db: bench.db, jobs: parts.jobs, kinds: JOB_KINDS, now: Date.now })
})
afterAll(async () => {
  await queue.stop()
  await worker.stop()
  await bench.close()
})

const finished = async (path: string, as: Person) => {
  let body: { status: string; runId?: string; error: string | null; progress: { current: number; total: number } }
  await eventually(async () => {
    body = (await call(app, 'GET', path, { as })).body
    expect(['queued', 'running']).not.toContain(body.status)
  })
  return body!
}
const post = (path: string, as: Person | null, body: object) => call(app, 'POST', path, { as, body })
const backtest = async (as: Person, body: object) => {
  const reply = await post('/api/backtest/jobs', as, body)
  expect(reply).toMatchObject({ status: 200 })
  return finished(`/api/backtest/jobs/${reply.body.jobId}`, as)
}
const runOf = async (id: string, as: Person): Promise<BacktestRun> =>
  (await call(app, 'GET', `/api/backtest/runs/${id}`, { as })).body

let openBot = ''
let openRun = ''
let dearRun = ''
let secretRun = ''

describe('from candles to a judged bot', () => {
  let secretBot = ''

  it('trains v3 on 1,600 candles', async () => {
    const body = { symbol: 'ETHUSDT', limit: 1600, params: { ...QUICK, lookback: 16, seed: 7 } }
    const { jobId } = (await post('/api/ml/train', bench.users.manager, body)).body
    expect(await finished(`/api/ml/train/jobs/${jobId}`, bench.users.manager)).toMatchObject({
      status: 'completed',
      error: null,
    })
    const { body: list } = await call(app, 'GET', '/api/ml/models', { as: bench.users.other })
    expect(list.current).toBe('v3')
    expect(list.models[0].artifacts[0]).toMatchObject({
      symbol: 'ETHUSDT',
      venue: 'replay',
      seed: 7,
      holdoutTo: LAST_MS - HOUR_MS,
    })
    expect(list.models[0].stats.accuracy).toBeGreaterThan(0.3)
  })

  it('makes a public and a private bot with it', async () => {
    const draft = { tradingPairs: ['ETHUSDT'], mlModelVersion: 'v3', marketType: 'futures', initialBalance: 1000 }
    const { manager } = bench.users
    openBot = (await post('/api/bots', manager, { ...draft, name: 'Open', visibility: 'public', positionSize: 0.02 }))
      .body.botId
    secretBot = (await post('/api/bots', manager, { ...draft, name: 'Secret', positionSize: 0.02 })).body.botId
  })

  it('backtests both, tells the part that the model has seen, and saves the runs', async () => {
    const { manager } = bench.users
    const job = await backtest(manager, { botId: openBot, limit: 800 })
    expect(job).toMatchObject({ status: 'completed', progress: { current: 800, total: 800 } })
    openRun = job.runId!
    secretRun = (await backtest(manager, { botId: secretBot, limit: 800 })).runId!
    const run = await runOf(openRun, manager)
    expect(run).toEqual(BacktestRun.parse(run))
    expect(run).toMatchObject({
      symbol: 'ETHUSDT',
      timeframe: '1h',
      venue: 'replay',
      market: 'replay',
      candles: 800,
      endTime: LAST_MS,
      params: { botId: openBot, botName: 'Open', mlModelVersion: 'v3', mode: 'bot' },
    })
    expect(run.metrics.trades).toBe(run.trades.length)
    expect(run.metrics.trades).toBeGreaterThan(0)
    expect(run.equityCurve).toHaveLength(800)
    expect(run.mlPredictions).toHaveLength(800)
    expect(run.seenRatio).toBeGreaterThan(0.4)
    expect(run.seenRatio).toBeLessThan(0.6)
    expect(run.seen.unseen!.candles + run.seen.seen!.candles).toBe(800)
    expect(run.seen.unseen!.candles).toBeGreaterThanOrEqual(390)
    const { metrics: m } = run
    expect(m.grossPnL - m.fees - m.slippageCost + m.funding).toBeCloseTo(m.netPnL, 9)
    expect(run.finalBalance - run.initialBalance).toBeCloseTo(m.netPnL, 6)
  })

  it('comes to the same result again, and to another with another fee', async () => {
    const { manager } = bench.users
    const again = await runOf((await backtest(manager, { botId: openBot, limit: 800 })).runId!, manager)
    const before = await runOf(openRun, manager)
    expect(again._id).not.toBe(before._id)
    expect(again.meta.hashes).toEqual(before.meta.hashes)
    expect(again.trades).toEqual(before.trades)
    dearRun = (await backtest(manager, { botId: openBot, limit: 800, feeRate: 0.01 })).runId!
    const dearer = await runOf(dearRun, manager)
    expect(dearer.meta.hashes.result).not.toBe(before.meta.hashes.result)
    expect(dearer.meta.hashes.models).toEqual(before.meta.hashes.models)
  })

  it('counts what its user tried on the series: neither the same again, nor another fee, range or name of a bot', async () => {
    const { manager, other } = bench.users
    const tried = { count: 2, byKind: { training: 1, backtest: 1 } }
    expect((await runOf(openRun, manager)).trials).toEqual(tried)
    // To others as well.
    expect((await runOf(openRun, other)).trials).toEqual(tried)
    const { runId } = await backtest(manager, { botId: openBot, limit: 700, noSameBarReentry: false })
    const more = { count: 3, byKind: { training: 1, backtest: 2 } }
    expect((await runOf(runId!, manager)).trials).toEqual(more)
    const compared = await call(app, 'GET', `/api/backtest/compare?ids=${openRun},${runId}`, { as: manager })
    expect(compared.body.trials).toEqual(more)
    expect((await call(app, 'DELETE', `/api/backtest/runs/${runId}`, { as: manager })).status).toBe(200)
    expect((await runOf(openRun, manager)).trials).toEqual(more)
  })

  it('says what the unseen part says, with months and weeks, also of a run from before that was kept', async () => {
    const { manager } = bench.users
    const run = await runOf(openRun, manager)
    const { seen, unseen } = run.seen
    expect(run.verdict).toBe(unseen!.intervals!.verdict)
    expect(run.judged).toEqual({ by: 'unseen', returnPct: unseen!.metrics.totalReturnPct })
    const { months, weeks } = run.periods
    // 29 January to 11 March 2024, and the border between what is seen and what is not.
    expect(months.map(({ from, isSeen }) => [new Date(from).getUTCMonth(), isSeen])).toEqual(
      [...new Set([run.startTime, Date.UTC(2024, 1, 1), unseen!.from, Date.UTC(2024, 2, 1)])]
        .filter((ms) => ms >= run.startTime && ms <= run.endTime)
        .sort((a, b) => a - b)
        .map((ms) => [new Date(ms).getUTCMonth(), ms <= seen!.to]),
    )
    for (const periods of [months, weeks]) {
      expect(periods.reduce((sum, { trades }) => sum + trades, 0)).toBe(run.metrics.trades)
      const growth = periods.reduce((product, { returnPct }) => product * (1 + returnPct / 100), 1)
      expect(100 * (growth - 1)).toBeCloseTo(run.metrics.totalReturnPct, 6)
      expect(Math.max(...periods.map(({ maxDrawdownPct }) => maxDrawdownPct))).toBeLessThanOrEqual(
        run.metrics.maxDrawdownPct,
      )
    }
    expect(months[0]!.holdPct).not.toBeNull()

    const stored = await bench.db.pool.query('select bytes from trading.backtest_run_details where run_id = $1', [
      openRun,
    ])
    const {
      verdict: _verdict,
      periods: _periods,
      ...older
    } = JSON.parse(brotliDecompressSync(stored.rows[0].bytes).toString())
    await bench.db.pool.query('update trading.backtest_run_details set bytes = $2 where run_id = $1', [
      openRun,
      brotliCompressSync(JSON.stringify(older)),
    ])
    expect(await runOf(openRun, manager)).toEqual(run)
  })

  it('compares runs on what no model has seen, beside holding the coin, and says why others cannot be compared', async () => {
    const { manager } = bench.users
    const compare = (ids: readonly string[], what = '') =>
      call(app, 'GET', `/api/backtest/compare${what}?ids=${ids.join(',')}`, { as: manager })
    const [cheap, dear] = [await runOf(openRun, manager), await runOf(dearRun, manager)]
    const { status, body } = await compare([dearRun, openRun])
    expect([status, body]).toEqual([200, RunComparison.parse(body)])
    expect(body.runs.map(({ _id }: BacktestRun) => _id)).toEqual([dearRun, openRun])
    const { from, to } = cheap.seen.unseen!
    expect(body.stretch).toEqual({ from, to })
    expect(body.ranking.map(({ runId }: { runId: string }) => runId)).toEqual([openRun, dearRun])
    for (const [row, run] of [
      [body.ranking[0], cheap],
      [body.ranking[1], dear],
    ]) {
      const { metrics, intervals } = run.seen.unseen!
      expect(row.returnPct).toBeCloseTo(metrics.totalReturnPct, 9)
      expect(row.maxDrawdownPct).toBeCloseTo(metrics.maxDrawdownPct, 9)
      expect(row).toMatchObject({ trades: metrics.trades, intervals })
    }
    expect(body.hold.returnPct).toBeCloseTo(cheap.seen.unseen!.metrics.buyAndHoldReturnPct, 0)
    expect(body.curves.map(({ points }: { points: unknown[] }) => points.length)).toEqual([800, 800, 800])

    const saved = await compare([dearRun, openRun], '/export')
    expect(saved.headers['content-disposition']).toContain('runs-ETHUSDT-1h.csv')
    const [, ...lines]: string[] = saved.body.text.trimEnd().split('\n')
    const rows = lines.map((line) => line.split(','))
    expect(rows.map(([time, ...values]) => [Date.parse(time!), ...values.map(Number)])).toEqual(
      body.curves[0].points.map(([t]: number[], i: number) => [
        t,
        ...body.curves.map((one: typeof body) => one.points[i][1]),
      ]),
    )

    const older = (await backtest(manager, { botId: openBot, limit: 100, to: cheap.startTime })).runId!
    for (const what of ['', '/export'])
      expect(await compare([openRun, older], what)).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
    const seenToo = (await backtest(manager, { botId: openBot, limit: 99, to: cheap.startTime })).runId!
    expect((await compare([older, seenToo])).body.verdict).toBe('nothing_unseen')
    expect(await compare([older, seenToo], '/export')).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
    for (const ids of [[], [openRun], [openRun, openRun], ['x', openRun], Array(6).fill(openRun)])
      expect([ids, (await compare(ids)).status]).toEqual([ids, 400])
  })

  it('draws intervals by trade, of a policy that holds a share by day, and opens runs from before there were any', async () => {
    const { manager } = bench.users
    const run = await runOf(openRun, manager)
    expect(run.intervals).toMatchObject({ unit: 'trade', units: run.trades.length })
    expect(run.seen.unseen!.intervals!.units).toBeLessThan(run.trades.length)
    const draft = { name: 'Half', tradingPairs: ['ETHUSDT'], initialBalance: 1000, marketType: 'spot' }
    const half = await post('/api/bots', manager, { ...draft, parameters: { policy: 'fixed_share' } })
    const held = await runOf((await backtest(manager, { botId: half.body.botId, limit: 800 })).runId!, manager)
    // 800 hours are 33 days: a start without one, and then 33 first closes with 32 returns between them, or one more.
    expect(held.intervals).toMatchObject({ unit: 'day', profitFactor: null })
    expect([32, 33]).toContain(held.intervals!.units)
    const [low, high] = held.intervals!.totalReturnPct!
    expect(low).toBeLessThan(held.metrics.totalReturnPct)
    expect(high).toBeGreaterThan(held.metrics.totalReturnPct)

    const old = { totalReturnPct: [0, 0], profitFactor: [0, 0], sharpeLike: null, tooFewToTell: true }
    await bench.db.pool.query(
      "update trading.backtest_runs set summary = summary - 'intervals' || jsonb_build_object('uncertainty', $2::jsonb) where id = $1",
      [held._id, old],
    )
    expect((await runOf(held._id, manager)).intervals).toBeUndefined()
    const { status, body } = await call(app, 'GET', '/api/backtest/runs?limit=1', { as: manager })
    expect([status, body[0]._id, body[0].intervals]).toEqual([200, held._id, undefined])
  })

  it('does not wait for a training that the only worker is at', async () => {
    const { manager } = bench.users
    // Minutes of work, of which only the beginning is waited for.
    const params = { epochs: 100, lstmHidden: 128, lookback: 120, transformerWidth: 64 }
    const training = (await post('/api/ml/train', manager, { symbol: 'ETHUSDT', limit: 1600, version: 'slow', params }))
      .body.jobId
    const read = () => call(app, 'GET', `/api/ml/train/jobs/${training}`, { as: manager })
    await eventually(async () => expect((await read()).body.progress.phase).toMatch(/^networks/))
    expect((await backtest(manager, { botId: openBot, limit: 800 })).status).toBe('completed')
    expect((await read()).body.status).toBe('running')
    expect((await post(`/api/jobs/${training}/cancel`, manager, {})).status).toBe(200)
  })

  it('tests the model alone, by its version and through a temporary bot that is gone when the job is done', async () => {
    const { manager } = bench.users
    const body = { mode: 'model', symbol: 'ETHUSDT', limit: 300, positionSize: 0.01, initialBalance: 500, leverage: 5 }
    const byVersion = await runOf((await backtest(manager, { ...body, mlModelVersion: 'v3' })).runId!, manager)
    const temporary = (
      await post('/api/bots', manager, {
        name: 'v3',
        tradingPairs: ['ETHUSDT'],
        mlModelVersion: 'v3',
        marketType: 'futures',
        positionSize: 0.01,
        initialBalance: 500,
        leverage: 5,
        maxDrawdown: 50,
        parameters: { temporary: true },
      })
    ).body.botId
    const reply = await post('/api/backtest/jobs', manager, { ...body, botId: temporary })
    expect((await call(app, 'DELETE', `/api/bots/${temporary}`, { as: manager })).status).toBe(200)
    const job = await finished(`/api/backtest/jobs/${reply.body.jobId}`, manager)
    const byBot = await runOf(job.runId!, manager)
    expect(byVersion.params).toMatchObject({ mode: 'model', botId: null, botName: 'v3', leverage: 5 })
    expect(byBot.params).toEqual({ ...byVersion.params, parameters: {}, createdAt: byBot.params.createdAt })
    expect(byBot.meta.hashes).toEqual(byVersion.meta.hashes)
    const viaMl = await post('/api/ml/backtest', manager, { ...body, mode: undefined, mlModelVersion: 'v3' })
    const third = await finished(`/api/backtest/jobs/${viaMl.body.jobId}`, manager)
    expect((await runOf(third.runId!, manager)).meta.hashes).toEqual(byVersion.meta.hashes)
  })

  it('answers a run at once where it is asked to wait', async () => {
    const { admin } = bench.users
    const reply = await post('/api/backtest/run', admin, { botId: openBot, limit: 200 })
    expect(reply).toMatchObject({ status: 200, body: { candles: 200 } })
    const own = await call(app, 'GET', '/api/backtest/runs?limit=1', { as: admin })
    expect(own.body[0]._id).toBe(reply.body._id)
  })

  it('shows runs of public bots to all, others to who ran them and admins; lists carry no large parts', async () => {
    const { owner, manager, admin } = bench.users
    for (const [path, as, seesSecret] of [
      ['/api', manager, true],
      ['/api', admin, true],
      ['/api', owner, false],
      ['/public', null, false],
      ['/public', owner, false],
      ['/public', admin, false],
      ['/public', manager, true],
    ] as const) {
      const { body: list } = await call(app, 'GET', `${path}/backtest/runs?limit=100`, { as })
      const ids = list.map((run: { _id: string }) => run._id)
      expect([ids.includes(openRun), ids.includes(secretRun)]).toEqual([true, seesSecret])
      expect((await call(app, 'GET', `${path}/backtest/runs/${openRun}`, { as })).status).toBe(200)
      const status = (await call(app, 'GET', `${path}/backtest/runs/${secretRun}`, { as })).status
      expect(status).toBe(seesSecret ? 200 : 404)
      expect(Object.keys(list[0])).not.toContain('equityCurve')
    }
    const filtered = await call(app, 'GET', '/public/backtest/runs?symbol=SOLUSDT')
    expect(filtered.body).toEqual([])
    expect((await call(app, 'GET', '/public/backtest/runs?timeframe=1h&limit=2')).body).toHaveLength(2)
    const store = createRunStore(bench.db.orm)
    await bench.db.pool.query("update trading.backtest_runs set venue = 'binance' where id = $1", [openRun])
    expect((await store.list('all', { limit: 100 })).map(({ _id }) => _id)).toContain(openRun)
    expect(await store.list({ userId: null, publicBots: [] }, { limit: 100 })).toEqual([])
  })
})

describe('what the feed and notifications tell of backtests', () => {
  const shownRuns = async (): Promise<{ run: string; isPublic: boolean; owner: string }[]> =>
    (
      await bench.db.pool.query(
        `select subject_id as run, is_public as "isPublic", owner_id as owner from platform.activities
         where type = 'backtest' order by id`,
      )
    ).rows

  it('is of a public bot for everybody, of all others for the user who ran it, and follows the bot', async () => {
    const { manager } = bench.users
    const { body: list } = await call(app, 'GET', '/api/backtest/runs?limit=100', { as: manager })
    const bots = new Map<string, string>()
    for (const { _id } of list) bots.set(_id, (await runOf(_id, manager)).params.botName)
    const publicNames = async () =>
      (await shownRuns()).filter(({ isPublic }) => isPublic).map(({ run }) => bots.get(run))
    expect(new Set(bots.values())).toEqual(new Set(['Open', 'Secret', 'Half', 'v3']))
    const open = await publicNames()
    expect(open.length).toBeGreaterThanOrEqual(3)
    expect(new Set(open)).toEqual(new Set(['Open']))
    const setVisibility = (visibility: string) =>
      bench.db.pool.query("update trading.bots set visibility = $1 where name = 'Open'", [visibility])
    await setVisibility('private')
    expect(await publicNames()).toEqual([])
    expect((await shownRuns()).find(({ run }) => run === openRun)?.owner).toBe(manager.userId)
    await setVisibility('public')
    expect(await publicNames()).toEqual(open)
  })

  it('is reported to its caller, with the way to the run', async () => {
    const { rows } = await bench.db.pool.query(
      `select user_id, kind, title from platform.notifications where link = '/backtest?run=' || $1`,
      [secretRun],
    )
    const { userId } = bench.users.manager
    expect(rows).toEqual([{ user_id: userId, kind: 'job', title: 'Backtest of Secret on ETHUSDT 1h is done' }])
  })

  it('goes with the run', async () => {
    const { manager } = bench.users
    const { runId } = await backtest(manager, { botId: openBot, limit: 100 })
    expect((await shownRuns()).map(({ run }) => run)).toContain(runId)
    await bench.db.pool.query('delete from trading.backtest_runs where id = $1', [runId])
    expect((await shownRuns()).map(({ run }) => run)).not.toContain(runId)
  })
})

describe('asking for a backtest', () => {
  it('is for managers and admins', async () => {
    const body = { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', limit: 10 }
    for (const path of ['/api/backtest/jobs', '/api/backtest/run', '/api/ml/backtest']) {
      expect((await post(path, null, body)).status).toBe(401)
      expect((await post(path, bench.users.owner, body)).status).toBe(403)
    }
  })

  it.each([
    [{}, 400, 'bad_input', 'Please select a bot to test.'],
    [{ mode: 'model' }, 400, 'bad_input', 'Please select a model to test.'],
    [{ botId: 'x' }, 400, 'bad_input', 'Please select a bot to test.'],
    [{ botId: '01890000-0000-7000-8000-000000000000' }, 404, 'not_found', 'Selected bot not found.'],
    [{ mode: 'model', mlModelVersion: 'v8', symbol: 'ETHUSDT' }, 404, 'not_found', 'No model is called v8'],
    [{ mode: 'model', mlModelVersion: 'v8', symbol: 'XYZUSDT' }, 422, 'unknown_symbol', 'XYZUSDT'],
    [{ mode: 'model', mlModelVersion: 'v3', symbol: 'SOLUSDT' }, 422, 'model_not_trained', 'SOLUSDT'],
    [{ mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', timeframe: '4h' }, 422, 'model_not_trained', '4h'],
    [
      { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', from: 5, to: 6 },
      422,
      'no_candles',
      'No OHLCV data available for selected symbol and timeframe',
    ],
    [{ mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', from: 6, to: 5 }, 400, 'bad_input', 'to'],
    [{ mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', limit: 0 }, 400, 'bad_input', 'limit'],
    [{ mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', leverage: -1 }, 400, 'bad_input', 'leverage'],
    [{ mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', ohlcv: [[1, 2]] }, 400, 'bad_input', 'ohlcv'],
    [
      { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', ohlcv: [[3_600_000, 10, 9, 11, 10, 1]] },
      400,
      'bad_input',
      'row 0 has an open or close outside',
    ],
  ])('answers %j with %i %s', async (body, status, code, text) => {
    const reply = await post('/api/backtest/jobs', bench.users.manager, body)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(reply.body.error).toContain(text)
  })

  it('asks for the model in the words of the page when a model alone is tested', async () => {
    const reply = await post('/api/ml/backtest', bench.users.manager, { symbol: 'ETHUSDT' })
    expect([reply.status, reply.body.field, reply.body.error]).toEqual([
      400,
      'mlModelVersion',
      'Please select a model to test.',
    ])
    const nobody = await post('/api/ml/backtest', bench.users.manager, { symbol: 'ETHUSDT', mlModelVersion: 'v8' })
    expect([nobody.status, nobody.body.code]).toEqual([404, 'not_found'])
  })

  it('is refused for an openai bot, with the reason', async () => {
    const { manager } = bench.users
    const { botId } = (await post('/api/bots', manager, { name: 'LLM', tradingPairs: ['ETHUSDT'] })).body
    // Made while there was a key.
    await bench.db.pool.query("update trading.bots set strategy = 'openai' where id = $1", [botId])
    const reply = await post('/api/backtest/jobs', manager, { botId })
    expect([reply.status, reply.body.code]).toEqual([422, 'unprocessable'])
    expect(reply.body.error).toContain('cannot be backtested')
  })

  it('does not find the private bot of somebody else', async () => {
    const { botId } = (await post('/api/bots', bench.users.owner, { name: 'Mine', tradingPairs: ['ETHUSDT'] })).body
    expect((await post('/api/backtest/jobs', bench.users.manager, { botId })).status).toBe(404)
  })

  it('uses the production version of the series for a bot without a model, whichever is current', async () => {
    const { manager } = bench.users
    const { pool } = bench.db
    await pool.query("insert into trading.models values ('elsewhere', 'production', null, 1)")
    await pool.query(
      `insert into trading.artifacts (version, venue, symbol, timeframe, hash, shown, card, bytes, active, created_at_ms)
       select 'elsewhere', venue, 'SOLUSDT', timeframe, hash, shown, card, bytes, true, created_at_ms + 1
       from trading.artifacts where version = 'v3'`,
    )
    expect((await call(app, 'GET', '/api/ml/models', { as: manager })).body.current).toBe('elsewhere')
    const { botId } = (await post('/api/bots', manager, { name: 'Any', tradingPairs: ['ETHUSDT'] })).body
    await pool.query("update trading.bots set trading_pairs = '{ETHUSDT,XYZUSDT}' where id = $1", [botId])
    const job = await backtest(manager, { botId, symbol: 'ETHUSDT', limit: 100 })
    expect((await runOf(job.runId!, manager)).params.mlModelVersion).toBe('v3')
    for (const which of [{ symbol: 'XYZUSDT' }, {}]) {
      const nowhere = await post('/api/backtest/jobs', manager, { botId, ...which })
      expect([nowhere.status, nowhere.body.code]).toEqual([422, 'unknown_symbol'])
    }
    await pool.query("delete from trading.artifacts where version = 'elsewhere'")
    await pool.query("delete from trading.models where version = 'elsewhere'")
  })

  it('is for ten of a user at a time, however many come at once', async () => {
    const { admin } = bench.users
    const { pool } = bench.db
    for (let n = 0; n < 9; n++) await addJob(bench.db, { kind: 'backtest', userId: admin.userId })
    const body = { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', limit: 1600 }
    const replies = await Promise.all([1, 2, 3].map(() => post('/api/backtest/jobs', admin, body)))
    await pool.query(`delete from trading.jobs where user_id = $1 and payload = '{}'`, [admin.userId])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    for (const { body } of replies)
      if (body.jobId !== undefined) await finished(`/api/backtest/jobs/${body.jobId}`, admin)
  })

  it('fails with the reason where none of its own candles lies in the range', async () => {
    const ohlcv = [[3_600_000, 10, 11, 9, 10, 1]]
    const body = { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', ohlcv, from: 7_200_000 }
    const job = await backtest(bench.users.manager, body)
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('No OHLCV data'), runId: null })
    const told = await bench.db.pool.query("select text from platform.notifications where title like '%failed'")
    expect(told.rows).toEqual([{ text: job.error }])
    const waited = await post('/api/backtest/run', bench.users.manager, body)
    expect([waited.status, waited.body.code]).toEqual([422, 'unprocessable'])
  })
})

describe('a backtest job', () => {
  it('is cancelled once, by who asked or an admin, and leaves no run', async () => {
    const { manager, admin, owner } = bench.users
    const runs = async () => (await call(app, 'GET', '/api/backtest/runs?limit=100', { as: admin })).body.length
    const before = await runs()
    // Without a message in the queue: however quick the worker is, it has not begun with this one.
    const id = await addJob(bench.db, { kind: 'backtest', userId: manager.userId })
    const path = `/api/backtest/jobs/${id}`
    const cancel = (as: typeof owner) => post(`/api/jobs/${id}/cancel`, as, {})
    expect((await cancel(owner)).status).toBe(404)
    expect((await cancel(admin)).body).toEqual({ id })
    expect((await cancel(manager)).body.code).toBe('job_not_running')
    expect((await call(app, 'GET', path)).status).toBe(401)
    expect((await call(app, 'GET', path, { as: owner })).status).toBe(404)
    const body = { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', limit: 100 }
    expect(await backtest(manager, body)).toMatchObject({ status: 'completed' })
    expect((await call(app, 'GET', path, { as: manager })).body).toMatchObject({ status: 'cancelled', runId: null })
    expect(await runs()).toBe(before + 1)
    // Nor does a worker that has taken it before begin with it.
    expect(await beginJob(bench.db.orm, BACKTEST, id, id, 0)).toBeUndefined()
  })

  it('is run again by the next worker after its worker died', async () => {
    const { manager } = bench.users
    const body = { mode: 'model', mlModelVersion: 'v3', symbol: 'ETHUSDT', limit: 100 }
    const { jobId } = (await post('/api/backtest/jobs', manager, body)).body
    await finished(`/api/backtest/jobs/${jobId}`, manager)
    await bench.db.pool.query("update trading.jobs set status = 'running', result = null where id = $1", [jobId])
    await bench.db.pool.query("update pgboss.job set state = 'retry', completed_on = null where id = $1", [jobId])
    expect(await finished(`/api/backtest/jobs/${jobId}`, manager)).toMatchObject({ status: 'completed' })
  })
})
