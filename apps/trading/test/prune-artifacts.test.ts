import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { recordAudit, SYSTEM } from '@shapecast/platform/audit'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import type { NewArtifact } from '../src/models/artifact-rows.ts'
import { mlRoutes } from '../src/models/routes.ts'
import { NOT_STARTED } from '../src/models/training-kind.ts'
import { pruneArtifacts } from '../src/prune-artifacts.ts'
import { addJob } from './support/add-job.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call } from './support/service-bench.ts'
import { MODEL_CANDLES, quickModel } from './support/small-model.ts'

const BTC = generateCandles({ candles: 1300, seed: 5 })

const bench = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }))
const app = bench.mount((service) => mlRoutes(service, bench.parts.models().models, bench.parts.models().trainings))
const model = await quickModel('v3', 'BTCUSDT', MODEL_CANDLES)
afterAll(() => bench.close())
beforeEach(async () => {
  for (const table of ['jobs', 'artifacts', 'backtest_runs']) await bench.db.pool.query(`delete from trading.${table}`)
})

/** Stores artifact number `i`, made at that time, of which the first predicts. */
const add = (i: number, more: Partial<NewArtifact> = {}): Promise<string> =>
  bench.db.orm.transaction((tx) => insertArtifact(tx, { ...model, hash: `hash ${i}`, ...more }, INSTALLATION, i))
const addMany = async (count: number) => {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await add(i))
  return ids
}
const left = async () =>
  (await bench.db.pool.query('select id from trading.artifacts order by created_at_ms')).rows.map(({ id }) => id)
const query = (sql: string, values: unknown[]) => bench.db.pool.query(sql, values)

describe('superseded models', () => {
  it('go but for the newest of their version and series, and for the one that predicts', async () => {
    const ids = await addMany(30)
    const other = await add(0, { version: 'v4' })
    expect(await pruneArtifacts(bench.db, 4)).toBe(25)
    // The first predicts; 26 to 29 are the newest four.
    expect((await left()).sort()).toEqual([ids[0], other, ...ids.slice(26)].sort())
    expect(await pruneArtifacts(bench.db, 4)).toBe(0)
    const { rows } = await query("select * from platform.audit where action = 'model.artifacts_pruned'", [])
    expect(rows.flatMap(({ before }) => before.artifacts)).toHaveLength(25)
  })

  it('stay where something names them', async () => {
    const ids = await addMany(12)
    const [active, before, sealed, promoted, tested, , measured] = ids
    await query(
      `update trading.artifacts set comparison = jsonb_build_object('againstId', $1::text, 'takesOver', true) where id = $2`,
      [before, active],
    )
    await query(
      `insert into trading.sealed_predictions (seq, venue, symbol, timeframe, version, artifact_id, artifact_hash, candle_ts,
        made_at_ms, market_time_ms, horizon, p_up, signal, confidence, price, lstm, transformer, stop_loss, edge_bps, fan,
        reasoning, climatology, reversal_up, previous_hash, row_hash)
       values (1, 'replay', 'BTCUSDT', '1h', 'v3', $1, 'h', 1, 0, 0, 1, 0.7, 'BUY', 0.7, 1, 1, 1, 1, 1, '{1,1,1,1,1}', 'r', 0.5,
        false, 'p', 'h')`,
      [sealed],
    )
    await recordAudit(bench.db.orm, SYSTEM, {
      action: 'model.artifact_promoted',
      subject: { type: 'model', id: 'v3' },
      after: { artifactId: promoted },
    })
    const run = (symbol: string, hashes: string[] | null, atMs: number) =>
      query(
        `insert into trading.backtest_runs (venue, symbol, timeframe, summary, model_hashes, created_at_ms)
         values ('replay', $1, '1h', '{}', $2, $3)`,
        [symbol, hashes, atMs],
      )
    await run('BTCUSDT', ['hash 4'], 50)
    await run('ETHUSDT', ['hash 7'], 50)
    await addJob(bench.db, { kind: 'importance', key: measured!, status: 'running' })
    expect(await pruneArtifacts(bench.db, 2)).toBe(4)
    expect(await left()).toEqual([active, before, sealed, promoted, tested, measured, ids[10], ids[11]])

    // A run from before its models were kept beside it: it may have been of any that was there.
    await bench.db.pool.query('delete from trading.jobs')
    const late = await add(60)
    await add(61)
    await add(62)
    await run('BTCUSDT', null, 20)
    expect(await pruneArtifacts(bench.db, 2)).toBe(1)
    expect(await left()).not.toContain(late)
    expect(await left()).toContain(ids[10])
  })

  it('stay where they were uploaded; and go though others of their name, or what is over, could be taken to name them', async () => {
    const ids = await addMany(4)
    const [, superseded] = ids
    const upload = await add(4, { uploadedBy: bench.users.owner.userId })
    const newest = await add(5)
    const trained = { artifactId: superseded, decision: 'old_stays' }
    await recordAudit(bench.db.orm, SYSTEM, {
      action: 'model.trained',
      subject: { type: 'model', id: 'v3' },
      after: trained,
    })
    for (const [venue, symbol, timeframe] of [
      ['binance', 'BTCUSDT', '1h'],
      ['replay', 'ETHUSDT', '1h'],
      ['replay', 'BTCUSDT', '4h'],
    ])
      await query(
        `insert into trading.backtest_runs (venue, symbol, timeframe, summary, model_hashes, created_at_ms)
         values ($1, $2, $3, '{}', null, 50), ($1, $2, $3, '{}', array['hash 1'], 50)`,
        [venue, symbol, timeframe],
      )
    await addJob(bench.db, { kind: 'importance', key: superseded!, status: 'completed' })
    expect(await pruneArtifacts(bench.db, 1)).toBe(3)
    expect((await query('select from trading.jobs', [])).rows).toEqual([])
    expect(await left()).toEqual([ids[0], upload, newest])
  })

  it('stay where they are promoted while it is looked for what may go', async () => {
    const ids = await addMany(4)
    const promoting = await bench.db.pool.connect()
    await promoting.query('begin')
    await promoting.query("select from trading.models where version = 'v3' for update")
    const pruning = pruneArtifacts(bench.db, 1)
    await expect.poll(async () => (await waitingForLocks(bench.db.pool)).length).toBe(1)
    await promoting.query('update trading.artifacts set active = false')
    await promoting.query('update trading.artifacts set active = true where id = $1', [ids[1]])
    await promoting.query('commit')
    promoting.release()
    expect(await pruning).toBe(2)
    expect(await left()).toEqual([ids[1], ids[3]])
  })

  it('leave the list of trainings and the page of their version as they were, without them', async () => {
    const ids = await addMany(3)
    const { owner } = bench.users
    await addJob(bench.db, {
      kind: 'training',
      userId: owner.userId,
      payload: { version: 'v3', venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' },
      status: 'completed',
      progress: { ...NOT_STARTED, phase: 'done' },
      result: { artifactId: ids[1] },
    })
    expect(await pruneArtifacts(bench.db, 1)).toBe(1)
    const jobs = await call(app, 'GET', '/api/ml/train/jobs', { as: owner })
    expect(jobs.body.jobs ?? jobs.body).toMatchObject([{ status: 'completed', artifactId: null, outcome: null }])
    const page = await call(app, 'GET', '/api/ml/models/v3', { as: owner })
    expect(page.body.artifacts.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[0]])
    expect((await call(app, 'GET', `/api/ml/artifacts/${ids[1]}/card`, { as: owner })).status).toBe(404)
  })
})
