import { AppError } from '@shapecast/contracts/errors'
import type { FeatureImportance, ImportanceRun } from '@shapecast/contracts/importance'
import { packForeignModel } from '@shapecast/ml/foreign/packed-foreign'
import { GRU_CARD, gruFile } from '@shapecast/ml/foreign/testing/pytorch-gru'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { newestJob, openJobs } from '../src/ground/jobs/job-rows.ts'
import { jobRoutes } from '../src/ground/jobs/routes.ts'
import { JOB_KINDS } from '../src/job-kinds.ts'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import type { NewArtifact } from '../src/models/artifact-rows.ts'
import { IMPORTANCE } from '../src/models/importance/importance-kind.ts'
import { type ImportanceWorkDeps, importanceWork } from '../src/models/importance/measure-artifact.ts'
import { importanceRoutes } from '../src/models/importance/routes.ts'
import type { Parts } from '../src/parts.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench, type PartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { quickModel } from './support/small-model.ts'

const BTC = generateCandles({ candles: 1200, seed: 6 })
const ABSENT = '01890000-0000-7000-8000-000000000000'
let bench: PartsBench
let parts: Parts
let app: FastifyInstance
let model: NewArtifact
let measure: ImportanceWorkDeps['measure']

beforeAll(async () => {
  bench = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }), () => 1_000)
  parts = bench.parts
  await parts.jobs.work(IMPORTANCE, work())
  app = bench.mount((service) => {
    importanceRoutes(service, parts.models().importances)
    jobRoutes(service, { db: bench.db, jobs: parts.jobs, kinds: JOB_KINDS, now: () => 1_000 })
  })
  model = await quickModel('v3', 'BTCUSDT', BTC)
})
afterAll(() => bench.close())
beforeEach(() => {
  measure = parts.models().measuring.measure
})
afterEach(async () => {
  for (const { id } of await openJobs(bench.db.orm, ['importance'])) await bench.queue.cancel(IMPORTANCE, id)
  await bench.db.pool.query('delete from trading.jobs')
  await bench.db.pool.query('delete from trading.artifacts')
  await bench.db.pool.query('delete from trading.models')
})

const work = () => importanceWork({ ...parts.models().measuring, measure: (...given) => measure(...given) })
const carry = (id: string, signal = new AbortController().signal) =>
  carryOut(
    { orm: bench.db.orm, log: silentLogger(), now: () => 1_000 },
    IMPORTANCE,
    work(),
    { id, queueId: id },
    signal,
  )
const jobOf = async (artifactId: string) => (await newestJob(bench.db.orm, IMPORTANCE, artifactId))!
const add = (artifact: NewArtifact = model) =>
  bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 1))
const get = (id: string, as: Person | null = bench.users.owner) =>
  call(app, 'GET', `/api/ml/artifacts/${id}/importance`, { as })
const ask = (id: string, as: Person | null = bench.users.owner) =>
  call(app, 'POST', `/api/ml/artifacts/${id}/importance`, { as })
const ended = (id: string): Promise<ImportanceRun> =>
  eventually(async () => {
    const { body } = await get(id)
    expect(['completed', 'failed']).toContain(body.status)
    return body
  })
/** What is found is the same each time: measured once, where nothing is said of the measuring. */
let found: Promise<FeatureImportance> | undefined
const quickly: ImportanceWorkDeps['measure'] = (...given) => {
  found ??= parts.models().measuring.measure(...given)
  return found
}
const until: ImportanceWorkDeps['measure'] = (_artifact, _packed, signal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason))
  })

describe('what a model looks at', () => {
  it('is measured on its hold-out when asked for, for everybody to see', async () => {
    measure = quickly
    const id = await add()
    const inPublic = () => call(app, 'GET', `/public/ml/artifacts/${id}/importance`)
    expect((await inPublic()).body).toBeNull()
    expect((await ask(id)).body).toMatchObject({ artifactId: id, status: 'queued', importance: null })
    const found = await ended(id)
    expect(found).toMatchObject({ status: 'completed', error: null, finishedAt: 1_000 })
    const { features, outcomes, to } = found.importance!
    expect(features.map(({ name }) => name)).toContain('return_1')
    expect([outcomes, to]).toEqual([400, BTC.ts[1198]])
    expect((await inPublic()).body).toEqual(found)
  })

  it('is, of an upload, by the inputs that it declares', async () => {
    const card = new TextEncoder().encode(JSON.stringify(GRU_CARD))
    const bytes = packForeignModel({ onnx: gruFile(), card })
    const id = await add({ ...model, version: 'gru', hash: 'a'.repeat(64), bytes })
    await ask(id)
    const { importance } = await ended(id)
    expect(importance!.features.map(({ name }) => name).sort()).toEqual(GRU_CARD.inputs.map(({ name }) => name).sort())
  })

  it('is measured again from the start where the worker died or has to stop', async () => {
    const id = await add()
    let begun = 0
    measure = (...given) => {
      begun++
      return until(...given)
    }
    await ask(id)
    await eventually(() => expect(begun).toBe(1))
    const jobId = (await jobOf(id)).id
    const stopping = new AbortController()
    const stopped = carry(jobId, stopping.signal)
    await eventually(() => expect(begun).toBe(2))
    stopping.abort(new Error('the worker stops'))
    await expect(stopped).rejects.toThrow('the worker stops')
    expect((await get(id)).body.status).toBe('running')
    measure = quickly
    await carry(jobId)
    expect((await jobOf(id)).status).toBe('completed')
    await bench.queue.cancel(IMPORTANCE, jobId)
  })

  it('says why it cannot be measured, keeps the last result, and leaves nothing "running"', async () => {
    const id = await add()
    measure = quickly
    await ask(id)
    const { importance } = await ended(id)
    measure = parts.models().measuring.measure
    await bench.db.pool.query("update trading.artifacts set bytes = '\\x00' where id = $1", [id])
    await ask(id)
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      importance,
      error: expect.stringContaining('not a usable model file'),
    })
    measure = until
    await ask(id)
    await eventually(async () => expect((await get(id)).body.status).toBe('running'))
    await parts.jobs.sweep()
    expect((await get(id)).body.status).toBe('running')
    await bench.queue.cancel(IMPORTANCE, (await jobOf(id)).id)
    await parts.jobs.sweep()
    expect((await get(id)).body).toMatchObject({ status: 'failed', error: expect.stringContaining('Ask again') })
  })
})

it('a report stops when cancelled, keeps what the one before found, and is asked for again', async () => {
  const id = await add()
  measure = quickly
  await ask(id)
  const { importance } = await ended(id)
  let stopped = false
  measure = (...given) => until(...given).finally(() => (stopped = true))
  const { jobId } = (await ask(id)).body
  await eventually(async () => expect((await get(id)).body.status).toBe('running'))
  expect((await call(app, 'POST', `/api/jobs/${jobId}/cancel`, { as: bench.users.owner, body: {} })).status).toBe(200)
  expect((await get(id)).body).toMatchObject({ status: 'cancelled', importance, error: null })
  await eventually(() => expect(stopped).toBe(true))
  measure = quickly
  await ask(id)
  expect(await ended(id)).toMatchObject({ status: 'completed', importance })
})

describe('asking for it', () => {
  it('is for people who are signed in, on record', async () => {
    const id = await add()
    measure = async () => {
      throw new AppError('no_candles', 'There are none.')
    }
    expect((await ask(id, null)).status).toBe(401)
    expect((await get(id, null)).status).toBe(401)
    for (const person of Object.values(bench.users)) {
      expect((await ask(id, person)).status).toBe(200)
      await ended(id)
    }
    const { rows } = await bench.db.pool.query(
      "select actor_id from platform.audit where action = 'model.importance_requested' and subject_id = $1 order by at",
      [id],
    )
    expect(rows.map((row) => row.actor_id)).toEqual(Object.values(bench.users).map(({ userId }) => userId))
  })

  it('joins the one that runs, and refuses what is not there and a fourth of a user', async () => {
    measure = until
    const { owner, other } = bench.users
    expect((await ask(ABSENT)).body.code).toBe('not_found')
    expect((await get(ABSENT)).body.code).toBe('not_found')
    expect((await ask('x')).status).toBe(400)
    const ids = [await add(), await add(), await add(), await add()]
    const both = await Promise.all([ask(ids[0]!, owner), ask(ids[0]!, other)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both[0]!.body.jobId).toBe(both[1]!.body.jobId)
    const { rows } = await bench.db.pool.query('select user_id, joined from trading.jobs where key = $1', [ids[0]])
    expect(rows).toEqual([{ user_id: expect.any(String), joined: [expect.any(String)] }])
    const first = rows[0].user_id === owner.userId ? owner : other
    for (const id of [ids[1]!, ids[2]!]) expect((await ask(id, first)).status).toBe(200)
    const refused = await ask(ids[3]!, first)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_requests',
      '10',
    ])
    expect((await ask(ids[3]!, bench.users.admin)).status).toBe(200)
  })
})
