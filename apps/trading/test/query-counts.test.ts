import { brotliCompressSync } from 'node:zlib'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { afterAll, expect, it } from 'vitest'
import { compose } from '../src/compose.ts'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import { openCutDatabase } from './support/cut-database.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { SAMPLE_DETAIL, SAMPLE_RUN } from './support/sample-run.ts'
import { call, createServiceBench } from './support/service-bench.ts'
import { MODEL_CANDLES, quickModel } from './support/small-model.ts'

/** Symbols, and so series of a version. */
const MANY = 6
const BTC = generateCandles({ candles: 1500, seed: 4 })
const symbolOf = (i: number): string => `C${i}USDT`
const bots: string[] = []
const runs: string[] = []

const bench = await createServiceBench()
const queue = await createQueue(bench.db, silentLogger())
const db = await openCutDatabase(bench.db)
const series = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`${symbolOf(i)} 1h`, BTC]))
const venue = {
  ...memoryVenue(series),
  ticker: async (symbol: string) => ({ symbol, last: 100, change: null, percentage: null, timestamp: 1 }),
}
const app = createHttp(silentLogger())
const deps = { db, sessions: bench.sessions, queue, venue, log: silentLogger(), testnet: true }
await app.register(compose(deps).api(deps), { prefix: '/bot' })
const model = await quickModel('m0', 'BTCUSDT', MODEL_CANDLES)
afterAll(async () => {
  await app?.close()
  await queue?.stop()
  await db?.close()
  await bench?.close()
})

/** One more of everything that there are lists of. */
async function add(i: number): Promise<void> {
  const { manager: as } = bench.users
  const symbol = symbolOf(i)
  const post = async (path: string, body: object) => {
    const reply = await call(app, 'POST', `/bot/api/${path}`, { as, body })
    expect(reply, path).toMatchObject({ status: 200 })
    return reply.body
  }
  await bench.db.orm.transaction(async (tx) => {
    await insertArtifact(tx, { ...model, version: 'wide', symbol }, INSTALLATION, i)
    const own = await insertArtifact(tx, { ...model, version: `m${i}`, symbol }, INSTALLATION, i)
    for (let k = 0; k < 12; k++) await seal(own, `m${i}`, symbol, 1300 + k)
  })
  const { botId } = await post('bots', {
    name: `Bot ${i}`,
    strategy: 'ml',
    tradingPairs: [symbol],
    positionSize: 0.01,
    maxDrawdown: 10,
    riskLevel: 'low',
    initialBalance: 100,
    marketType: 'spot',
    leverage: 1,
    takeProfitPct: 0,
    stopLossPct: 0,
    isVirtual: true,
    visibility: 'public',
    mlModelVersion: `m${i}`,
  })
  bots.push(botId)
  const run = await bench.db.pool.query(
    `insert into trading.backtest_runs (user_id, venue, symbol, timeframe, summary, created_at_ms)
     values ($1, 'test', 'BTCUSDT', '1h', $2, 0) returning id`,
    [as.userId, SAMPLE_RUN],
  )
  await bench.db.pool.query('insert into trading.backtest_run_details (run_id, bytes) values ($1, $2)', [
    run.rows[0].id,
    brotliCompressSync(JSON.stringify(SAMPLE_DETAIL)),
  ])
  runs.push(run.rows[0].id)
  await post('ml/dataset/save', { symbol, timeframe: '1h', limit: 600 })
  await post('order', { symbol, side: 'buy', type: 'limit', price: 50, amount: 0.2 })
  await post('order', { symbol, side: 'buy', type: 'market', amount: 0.1 })
  await post('ml/train', { version: `m${i}`, symbol, timeframe: '1h', limit: 1300 })
}

let sealed = 0
async function seal(artifactId: string, version: string, symbol: string, at: number): Promise<void> {
  sealed++
  await bench.db.pool.query(
    `insert into trading.sealed_predictions (seq, venue, symbol, timeframe, version, artifact_id, artifact_hash, candle_ts,
      made_at_ms, market_time_ms, horizon, p_up, signal, confidence, price, lstm, transformer, stop_loss, edge_bps, fan,
      reasoning, climatology, reversal_up, previous_hash, row_hash)
     values ($1, 'replay', $2, '1h', $3, $4, $5, $6, 0, 0, 1, 0.7, 'BUY', 0.7, 100, 100, 100, 90, 1, '{1,1,1,1,1}', 'r', 0.5,
      false, 'p', 'h')`,
    [sealed, symbol, version, artifactId, model.hash, BTC.ts[at]],
  )
  await bench.db.pool.query('insert into trading.sealed_scores values ($1, 1, 101, true, true, 0)', [sealed])
}

const LISTS = [
  'GET api/ml/models',
  'GET public/ml/models',
  'GET api/ml/models/wide',
  'GET api/ml/health',
  'GET api/ml/drift',
  'GET api/ml/drift/wide',
  'GET api/ml/leaderboard?timeframe=1h',
  'GET api/ml/track-record/m0',
  'GET api/ml/train/jobs',
  'GET api/ml/datasets',
  'GET api/ml/datasets/active',
  'GET api/bots',
  'GET public/bots',
  'GET api/bots/last-predictions?ids=BOTS',
  'GET api/balance',
  'GET api/positions',
  'GET api/orders',
  'GET api/backtest/runs',
  'GET public/backtest/runs',
  'GET api/candles/series',
  'GET api/markets',
] as const

async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const list of LISTS) {
    const [method, path] = list.split(' ') as ['GET', string]
    const url = `/bot/${path.replace('BOTS', bots.join(','))}`
    db.cutAt(0, 'before')
    const reply = await call(app, method, url, { as: bench.users.manager })
    expect([list, reply.status]).toEqual([list, 200])
    found[list] = db.asked()
  }
  return found
}

it('a list asks the database as often for six as for one', async () => {
  await add(0)
  const one = await counts()
  for (let i = 1; i < MANY; i++) await add(i)
  expect(await counts()).toEqual(one)
})

it('comparing five runs asks the database as often as comparing two', async () => {
  const asked = async (ids: readonly string[]) => {
    db.cutAt(0, 'before')
    const url = `/bot/api/backtest/compare?ids=${ids.join(',')}`
    expect(await call(app, 'GET', url, { as: bench.users.manager })).toMatchObject({ status: 200 })
    return db.asked()
  }
  expect(await asked(runs.slice(0, 5))).toBe(await asked(runs.slice(0, 2)))
})
