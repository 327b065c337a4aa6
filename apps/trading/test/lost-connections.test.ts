import { randomUUID } from 'node:crypto'
import { ModelBacktestRequest } from '@shapecast/contracts/backtest-request'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import type { LiveVenue } from '@shapecast/venues/live-venue'
import { afterAll, describe, expect, it } from 'vitest'
import { BACKTEST, backtestWork } from '../src/backtests/backtest-kind.ts'
import { orderOf } from '../src/backtests/backtest-order.ts'
import { compose } from '../src/compose.ts'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { insertJob } from '../src/ground/jobs/job-rows.ts'
import type { Kind, Progress, Work } from '../src/ground/jobs/kind.ts'
import { DOWNLOAD } from '../src/market/download-kind.ts'
import { downloadWork } from '../src/market/run-download.ts'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import { createCheckpointStore } from '../src/models/checkpoint-store.ts'
import { IMPORTANCE } from '../src/models/importance/importance-kind.ts'
import { importanceWork } from '../src/models/importance/measure-artifact.ts'
import type { trainArtifact } from '../src/models/train-artifact.ts'
import { TRAINING } from '../src/models/training-kind.ts'
import { trainingWork } from '../src/models/training-run.ts'
import { createParts, type Parts } from '../src/parts.ts'
import { openCutDatabase } from './support/cut-database.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { someSteps } from './support/mortal.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { MODEL_CANDLES, QUICK, quickModel } from './support/small-model.ts'

const BTC = generateCandles({ candles: 1500, seed: 9 })
const SERIES = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' as const }
const log = silentLogger()
const now = () => 1_000
let opened: Parts | undefined

const bench = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }), now)
const cut = await openCutDatabase(bench.db)
const model = await quickModel('v3', 'BTCUSDT', MODEL_CANDLES)
afterAll(async () => {
  await opened?.models().predictors.close()
  await cut?.close()
  await bench?.close()
})

/** The rooms on connections that are lost; their candles ask the database too, as those that are stored do. */
function parts() {
  const memory = memoryVenue({ 'BTCUSDT 1h': BTC })
  const candles: typeof memory.candles = async (...given) => {
    await cut.pool.query('select 1')
    return memory.candles(...given)
  }
  return createParts({ db: cut, queue: bench.queue, venue: { ...memory, candles }, log, now })
}
const statusOf = async (id: string) =>
  (await bench.db.pool.query('select status, error from trading.jobs where id = $1', [id])).rows[0]
const never = new AbortController().signal

/** Puts a job in place, as somebody who asks for it does; answers its id. */
async function add<P, G extends Progress, R>(
  kind: Kind<P, G, R>,
  payload: P,
  key: string | null = null,
): Promise<string> {
  const id = randomUUID()
  await insertJob(bench.db.orm, kind, { id, key, title: '', userId: randomUUID(), payload, turn: 0, queueId: id }, 1)
  return id
}
const run = <P, G extends Progress, R, M>(kind: Kind<P, G, R>, work: Work<P, G, R, M>, id: string) =>
  carryOut({ orm: cut.orm, log, now }, kind, work, { id, queueId: id }, never)

interface Job {
  /** Puts a row in place, as somebody who asks for it does; answers its id. */
  ask(n: number): Promise<string>
  run(id: string): Promise<unknown>
}

const jobs: Record<string, () => Job> = {
  training: () => ({
    ask: (n) => {
      const range = { fromMs: BTC.ts[0]!, toMs: BTC.ts[1499]! }
      return add(TRAINING, { ...SERIES, ...range, version: `t${n}`, params: QUICK, byManager: true })
    },
    run(id) {
      const { market, traders } = parts()
      const train: typeof trainArtifact = async ({ version, onCheckpoint }) => {
        await onCheckpoint?.({ lstm: new Uint8Array([1]) })
        return { ...model, version }
      }
      const checkpoints = createCheckpointStore(cut.orm)
      const judge = async () => null
      return run(TRAINING, trainingWork({ checkpoints, candles: market, train, judge, traders, log, now }), id)
    },
  }),

  importance: () => ({
    async ask(n) {
      const artifact = { ...model, version: `e${n}` }
      const artifactId = await bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 1))
      return add(IMPORTANCE, { artifactId }, artifactId)
    },
    run(id) {
      const measure = async () => ({}) as FeatureImportance
      return run(IMPORTANCE, importanceWork({ ...parts().models().measuring, measure }), id)
    },
  }),

  backtest: () => ({
    async ask() {
      await bench.db.orm.transaction((tx) => insertArtifact(tx, model, INSTALLATION, 1))
      const asked = ModelBacktestRequest.parse({ mlModelVersion: 'v3', symbol: 'BTCUSDT', limit: 50 })
      const order = orderOf({ ...asked, mode: 'model' }, null)
      return add(BACKTEST, order)
    },
    async run(id) {
      // One predictor for all of them.
      opened ??= parts()
      await run(BACKTEST, backtestWork(opened.backtest()), id)
    },
  }),

  download: () => ({
    async ask(n) {
      const order = { ...SERIES, fromMs: BTC.ts[0]! - n * 3_600_000, toMs: BTC.ts[199]! }
      return add(DOWNLOAD, order)
    },
    run: (id) => run(DOWNLOAD, downloadWork({ db: cut, source: pages, now }), id),
  }),
}

/** A venue that answers in pages of a hundred candles. */
const pages: Pick<LiveVenue, 'name' | 'history'> = {
  name: 'replay',
  async *history({ fromMs, toMs }) {
    for (let i = 0; i < 200; i += 100) {
      const candles = sliceCandles(BTC, i, i + 100)
      const resumeMs = candles.ts[99]! + 3_600_000
      if (resumeMs > fromMs && candles.ts[0]! <= toMs)
        yield { candles, resumeMs, doneRatio: 0.5, refused: 0, askedMs: 1 }
    }
  },
}

describe.each(Object.keys(jobs))('a %s whose database connection is lost', (kind) => {
  const job = jobs[kind]!()

  it('at any of its questions goes back to the queue and ends well', async () => {
    let last = 0
    for (const n of someSteps(Array.from({ length: 200 }, (_, i) => i + 1))) {
      last = n
      const id = await job.ask(n)
      const when = n % 2 === 0 ? 'before' : 'after'
      cut.cutAt(n, when)
      const error: unknown = await job.run(id).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      const reached = cut.asked() >= n
      cut.cutAt(0, when)
      const place = `${kind}, ${when} question ${n}: ${String(error)}`
      if (error === null) expect(await statusOf(id), place).toEqual({ status: 'completed', error: null })
      else {
        expect(isUnreachable(error), place).toBe(true)
        expect(['queued', 'running', 'completed'], place).toContain((await statusOf(id)).status)
        await job.run(id)
        expect(await statusOf(id), place).toEqual({ status: 'completed', error: null })
      }
      if (!reached) break
    }
    expect(last).toBeGreaterThan(4)
  })
})

describe('queue and rows', () => {
  it('agree after every connection of the installation was cut under its work', async () => {
    const { db } = bench
    const queue = await createQueue(db, log)
    const worker = await compose({ db, queue, venue: memoryVenue({ 'BTCUSDT 1h': BTC }), log }).worker()
    const order = { version: 'w1', symbol: 'BTCUSDT', timeframe: '1h' as const, params: { ...QUICK, epochs: 12 } }
    const id = await bench.parts.models().trainings.request(order, null)
    const training = () => statusOf(id).catch(() => null)
    await eventually(async () => expect((await training())?.status).toBe('running'))
    await db.pool
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined)
    const open = async () => {
      const found = await db.pool.query("select from trading.jobs where status in ('queued', 'running')")
      return found.rowCount
    }
    await eventually(async () => expect((await training())?.status).toBe('completed'))
    await eventually(async () => expect(await open()).toBe(0))
    await queue.stop()
    await worker.stop()
  })
})
