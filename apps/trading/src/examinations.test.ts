import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shapecast/contracts/errors'
import type { Examination } from '@shapecast/contracts/examinations'
import type { LeakAudit } from '@shapecast/contracts/leak-audit'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { sliceCandles } from '@shapecast/engine/candles'
import { packArtifact, unpackArtifact } from '@shapecast/ml/artifact'
import { packForeignModel } from '@shapecast/ml/foreign/packed-foreign'
import { generateCandles } from '@shapecast/ml/generated-candles'
import { openModel } from '@shapecast/ml/open-model'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EXAMINATION } from './features/examinations/examination-desk.ts'
import { type ExaminationRunDeps, runExamination } from './features/examinations/examination-run.ts'
import { examineArtifact } from './features/examinations/examine-artifact.ts'
import { examinationRoutes } from './features/examinations/routes.ts'
import { insertArtifact } from './features/ml/active-artifacts.ts'
import type { NewArtifact } from './features/ml/artifact-rows.ts'
import { mlRoutes } from './features/ml/routes.ts'
import type { Rooms } from './rooms.ts'
import { memoryVenue } from './testing/memory-venue.ts'
import { createRoomsBench, type RoomsBench } from './testing/rooms-bench.ts'
import { call, type Person } from './testing/service-bench.ts'
import { trainQuickly } from './testing/small-model.ts'

const BTC = generateCandles({ candles: 2200, seed: 6 })
const HOUR_MS = 3_600_000
const ABSENT = '01890000-0000-7000-8000-000000000000'
let bench: RoomsBench
let rooms: Rooms
let app: FastifyInstance
let honest: NewArtifact
/** What an examination does here: a whole audit, and nothing that takes longer where a test does not ask for it. */
let examine: ExaminationRunDeps['examine']
let clockMs = 1_000

beforeAll(async () => {
  const venue = memoryVenue({ 'BTCUSDT 1h': BTC, 'ETHUSDT 1h': sliceCandles(BTC, 0, 500) })
  bench = await createRoomsBench(venue, () => clockMs++)
  rooms = bench.rooms
  await bench.queue.work(EXAMINATION, {}, ({ id, payload, signal }) =>
    work(payload.artifactId, id, signal, payload.audit),
  )
  app = bench.mount((service) => {
    mlRoutes(service, rooms.models, rooms.trainings)
    examinationRoutes(service, rooms.examinations)
  })
  honest = await trainQuickly('v3', 'BTCUSDT', sliceCandles(BTC, 0, 2000))
})
afterAll(() => bench.close())
beforeEach(() => {
  examine = auditOnly
})
afterEach(async () => {
  await bench.db.pool.query('delete from trading.examinations')
  await bench.db.pool.query('delete from trading.artifacts')
  await bench.db.pool.query('delete from trading.models')
})

const work = (artifactId: string, jobId: string, signal: AbortSignal, known?: LeakAudit) =>
  runExamination({ ...rooms.examination, examine: (...given) => examine(...given) }, artifactId, jobId, signal, known)
const add = (artifact: NewArtifact = honest, createdAtMs = 1) =>
  bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, null, createdAtMs))
const get = (id: string, as: Person | null = bench.people.owner) =>
  call(app, 'GET', `/api/ml/artifacts/${id}/examination`, { as })
const ask = (id: string, as: Person | null = bench.people.owner) =>
  call(app, 'POST', `/api/ml/artifacts/${id}/examination`, { as })
const ended = (id: string): Promise<Examination> =>
  eventually(async () => {
    const { body } = await get(id)
    expect(['completed', 'failed']).toContain(body.status)
    return body
  })
const listed = async () => (await call(app, 'GET', '/public/ml/models')).body.models
const onRecord = async (action: string) =>
  (await bench.db.pool.query('select * from platform.audit where action = $1 order by at', [action])).rows

const auditOnly: ExaminationRunDeps['examine'] = (...given) =>
  examineArtifact(
    {
      candles: rooms.market,
      open: (packed) => openModel(packed, { roundTripCostBps: 22 }),
      importance: async () => {
        throw new AppError('too_few_candles', 'There are too few.')
      },
      log: silentLogger(),
    },
    ...given,
  )

const NO_WORSE: Omit<ArtifactComparison, 'againstId'> = {
  from: null,
  to: null,
  outcomes: 400,
  logLoss: null,
  brier: null,
  accuracy: null,
  test: null,
  noWorse: true,
  verdict: 'as the test says',
}

/** Says without a look what the card of `leaking` makes an audit say, and of others the contrary. */
const byTheHash: ExaminationRunDeps['examine'] = async ({ hash }, _packed, onAudit) => {
  const passed = hash !== leaking().hash
  const checks = [{ name: 'Ranges kept apart', passed, detail: '' }]
  await onAudit({ mode: 'fast', passed, checks, caveat: null, candles: { count: 1, from: 0, to: 0 } })
  return null
}

/** Trained so that the outcome of its last row reaches into what it was validated on. */
function leaking(): NewArtifact {
  const opened = unpackArtifact(honest.bytes)
  const { ranges } = opened.card
  const card = { ...opened.card, ranges: { ...ranges, train: { ...ranges.train, to: ranges.train.to + HOUR_MS } } }
  return { ...honest, version: 'v8', hash: 'f'.repeat(64), card, bytes: packArtifact({ ...opened, card }) }
}
const until = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason))
  })

describe('an examination', () => {
  it('is asked for by itself, in full, and an honest model passes every check', async () => {
    const id = await add()
    expect((await get(id)).body).toBeNull()
    expect((await listed())[0].artifacts[0].leak).toBe('unknown')
    await rooms.examinations.queueMissing()
    const found = await ended(id)
    expect(found).toMatchObject({ artifactId: id, status: 'completed', verdict: 'passed', error: null })
    expect(found.audit).toMatchObject({ mode: 'full', passed: true, caveat: null })
    expect(found.audit!.checks).toHaveLength(7)
    // On the candles up to its newest one: the 200 after it are not looked at.
    expect(found.audit!.candles).toEqual({ count: 2000, from: BTC.ts[0], to: BTC.ts[1999] })
    expect(found.finishedAt).toBeGreaterThan(found.examinedAt!)
    expect(found.importance).toBeNull()
    expect((await listed())[0].artifacts[0].leak).toBe('passed')
    expect(await onRecord('model.leak_found')).toEqual([])
  })

  it('is public, and null where there is none', async () => {
    const id = await add()
    examine = byTheHash
    expect((await call(app, 'GET', `/public/ml/artifacts/${id}/examination`)).body).toBeNull()
    await rooms.examinations.queueMissing()
    const found = await ended(id)
    expect((await call(app, 'GET', `/public/ml/artifacts/${id}/examination`)).body).toEqual(found)
  })

  it('comes to the same result again', async () => {
    const id = await add()
    await rooms.examinations.queueMissing()
    const first = await ended(id)
    expect((await ask(id)).status).toBe(200)
    const second = await ended(id)
    expect(second.audit).toEqual(first.audit)
    expect(second.examinedAt).toBeGreaterThan(first.examinedAt!)
  })

  it('takes over what its audit found before it was stored, and makes one of its own where somebody asks again', async () => {
    const id = await add()
    const checks = [{ name: 'Ranges kept apart', passed: true, detail: 'as before it took over' }]
    const candles = { count: 2000, from: BTC.ts[0]!, to: BTC.ts[1999]! }
    const known: LeakAudit = { mode: 'full', passed: true, checks, caveat: null, candles }
    await rooms.examinations.queueAudited(id, known)
    // It is examined already: neither a second time by itself, nor with another audit.
    await rooms.examinations.queueMissing()
    await rooms.examinations.queueAudited(id, { ...known, passed: false })
    expect(await ended(id)).toMatchObject({ status: 'completed', verdict: 'passed', audit: known })
    expect((await listed())[0].artifacts[0].leak).toBe('passed')
    await ask(id)
    expect((await ended(id)).audit!.checks).toHaveLength(7)
  })

  it('whose worker died or has to stop is made by the next, from its start and to the same result', async () => {
    const id = await add()
    await rooms.examinations.queueMissing()
    const uninterrupted = (await ended(id)).audit
    let begun = 0
    examine = (...given) => {
      begun++
      return until(given[3])
    }
    await ask(id)
    await eventually(() => expect(begun).toBe(1))
    const { jobId } = (await rooms.examination.store.find(id))!
    const stopping = new AbortController()
    const stopped = work(id, jobId, stopping.signal)
    await eventually(() => expect(begun).toBe(2))
    stopping.abort(new Error('the worker stops'))
    await expect(stopped).rejects.toThrow('the worker stops')
    expect((await get(id)).body).toMatchObject({ status: 'running', verdict: 'passed', audit: uninterrupted })

    examine = auditOnly
    await work(id, jobId, new AbortController().signal)
    expect((await get(id)).body).toMatchObject({ status: 'completed', audit: uninterrupted, error: null })
    await bench.queue.cancel(EXAMINATION, jobId)
  })

  it('that the queue has given up does not stay "running": it fails with what to do', async () => {
    examine = (...given) => until(given[3])
    const id = await add()
    await ask(id)
    await eventually(async () => expect((await get(id)).body.status).toBe('running'))
    await rooms.examinations.reconcile()
    expect((await get(id)).body.status).toBe('running')
    const { jobId } = (await rooms.examination.store.find(id))!
    await bench.queue.cancel(EXAMINATION, jobId)
    await rooms.examinations.reconcile()
    expect((await get(id)).body).toMatchObject({ status: 'failed', error: expect.stringContaining('Run it again') })
    // The installation does not try by itself what has failed.
    await rooms.examinations.queueMissing()
    expect((await get(id)).body.status).toBe('failed')
  })

  it('that fails says why and keeps what the one before found', async () => {
    const id = await add()
    await rooms.examinations.queueMissing()
    const { audit } = await ended(id)
    await bench.db.pool.query("update trading.artifacts set bytes = '\\x00' where id = $1", [id])
    await ask(id)
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      verdict: 'passed',
      audit,
      error: expect.stringContaining('not a usable model file'),
    })
    examine = async () => {
      throw new TypeError('secret insides')
    }
    await ask(id)
    expect((await ended(id)).error).toMatch(/error of the program/)
  })

  it('takes what can be tried where a series has too few candles', async () => {
    const few = await add({ ...honest, symbol: 'ETHUSDT' })
    await rooms.examinations.queueMissing()
    expect(await ended(few)).toMatchObject({ status: 'failed', error: expect.stringContaining('at least 600 candles') })
    const id = await add({ ...leaking(), ...shortened(900) })
    await rooms.examinations.queueMissing()
    const { audit } = await ended(id)
    expect(audit).toMatchObject({ mode: 'fast', caveat: expect.stringContaining('too few candles') })
  })

  /** The artifact as if its newest candle were the one of that number. */
  function shortened(candles: number): Pick<NewArtifact, 'bytes' | 'card'> {
    const opened = unpackArtifact(honest.bytes)
    const card = { ...opened.card, data: { ...opened.card.data, to: BTC.ts[candles - 1]! } }
    return { card, bytes: packArtifact({ ...opened, card }) }
  }
})

describe('what an examination finds', () => {
  it('is kept step by step: the audit stands while what the model looks at is worked out', async () => {
    const id = await add()
    let goOn = () => {}
    examine = async (...given) => {
      await auditOnly(...given)
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      return null
    }
    await ask(id)
    await eventually(async () => expect((await get(id)).body.verdict).toBe('passed'))
    expect((await get(id)).body).toMatchObject({ status: 'running', importance: null, finishedAt: null })
    expect((await listed())[0].artifacts[0].leak).toBe('passed')
    await eventually(async () => {
      goOn()
      expect((await get(id)).body).toMatchObject({ status: 'completed' })
    })
  })

  it('is also what the model looks at on its hold-out', async () => {
    examine = rooms.examination.examine
    const id = await add()
    await ask(id)
    const { importance } = await ended(id)
    expect(importance!.features.map(({ name }) => name)).toContain('return_1')
    expect(importance!.outcomes).toBe(400)
    expect(importance!.to).toBe(BTC.ts[1998])
  })
})

describe('an uploaded model', () => {
  it('is audited by what can be found out without training, says what cannot, and shows what it looks at', async () => {
    examine = rooms.examination.examine
    const folder = join(import.meta.dirname, '../../../packages/ml/src/foreign/testing')
    const inputs = ['return_1', 'range', 'log_sigma', 'volume_z'].map((name) => ({ name }))
    const card = { format: 'shapecast-foreign-model', formatVersion: 1, name: 'A GRU', timeframe: '1h', lookback: 16 }
    const bytes = packForeignModel({
      onnx: new Uint8Array(readFileSync(join(folder, 'pytorch-gru.onnx'))),
      card: new TextEncoder().encode(JSON.stringify({ ...card, inputs })),
    })
    const id = await add({ ...honest, version: 'gru', hash: 'a'.repeat(64), bytes })
    await rooms.examinations.queueMissing()
    const found = await ended(id)
    expect(found).toMatchObject({ status: 'completed', verdict: 'passed', audit: { mode: 'fast', passed: true } })
    expect(found.audit!.checks).toHaveLength(4)
    expect(found.audit!.caveat).toContain('Whether its weights have seen these candles')
    // On the newest candles there are: nobody knows for sure what it has learnt from.
    expect(found.audit!.candles.to).toBe(BTC.ts[2199])
    expect(found.importance!.features.map(({ name }) => name).sort()).toEqual(inputs.map(({ name }) => name).sort())
  })
})

describe('asking for an examination', () => {
  it('is for people who are signed in', async () => {
    const id = await add()
    examine = async () => {
      throw new AppError('no_candles', 'There are none.')
    }
    expect((await ask(id, null)).status).toBe(401)
    expect((await get(id, null)).status).toBe(401)
    for (const person of Object.values(bench.people)) {
      expect((await get(id, person)).status).toBe(200)
      const reply = await ask(id, person)
      expect(reply.status).toBe(200)
      expect(reply.body).toMatchObject({ artifactId: id, status: 'queued' })
      await ended(id)
    }
    const asked = await onRecord('model.examination_requested')
    expect(asked.filter((row) => row.subject_id === id).map((row) => row.actor_id)).toEqual(
      Object.values(bench.people).map(({ userId }) => userId),
    )
  })

  it('is refused for what is not there, while one runs, and past 3 of a user', async () => {
    examine = (...given) => until(given[3])
    const { owner, other } = bench.people
    expect((await ask(ABSENT)).body.code).toBe('not_found')
    expect((await get(ABSENT)).body.code).toBe('not_found')
    expect((await ask('x')).status).toBe(400)
    const ids = [await add(), await add(), await add(), await add()]
    const both = await Promise.all([ask(ids[0]!, owner), ask(ids[0]!, other)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const first = both[0]!.status === 200 ? owner : other
    expect((await ask(ids[0]!, owner)).body.code).toBe('conflict')
    for (const id of [ids[1]!, ids[2]!]) expect((await ask(id, first)).status).toBe(200)
    const refused = await ask(ids[3]!, first)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_requests',
      '10',
    ])
    expect((await ask(ids[3]!, bench.people.admin)).status).toBe(200)
    for (const row of await rooms.examination.store.unfinished()) await bench.queue.cancel(EXAMINATION, row.jobId)
  })

  it('by itself takes the newest first, a few at a time', async () => {
    examine = (...given) => until(given[3])
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await add(honest, 10 + i))
    await rooms.examinations.queueMissing()
    const asked = async () => {
      const { rows } = await bench.db.pool.query('select artifact_id from trading.examinations')
      return rows.map((row) => row.artifact_id).sort()
    }
    expect(await asked()).toEqual(ids.slice(2).sort())
    await Promise.all([rooms.examinations.queueMissing(), rooms.examinations.queueMissing()])
    expect(await asked()).toHaveLength(4)
    for (const row of await rooms.examination.store.unfinished()) await bench.queue.cancel(EXAMINATION, row.jobId)
  })

  it('that a person asks for comes before those that wait by themselves', async () => {
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    examine = async ({ id }) => {
      if (order.push(id) === 1) await first.promise
      return null
    }
    const waiting = [await add(honest, 10), await add(honest, 11), await add(honest, 12)]
    await rooms.examinations.queueMissing()
    await expect.poll(() => order).toHaveLength(1)
    const asked = await add()
    await ask(asked)
    first.resolve()
    for (const id of [...waiting, asked]) await ended(id)
    expect(order).toHaveLength(4)
    expect(order[1]).toBe(asked)
  })
})

describe('a model that leaks', () => {
  it('is said to wherever models are listed, once on record, and stays so while it is audited again', async () => {
    const id = await add(leaking())
    await rooms.examinations.queueMissing()
    const found = await ended(id)
    expect(found).toMatchObject({ status: 'completed', verdict: 'failed', audit: { passed: false } })
    expect(found.audit!.checks.filter(({ passed }) => !passed)).toEqual([
      { name: 'Ranges kept apart', passed: false, detail: expect.stringMatching(/^8 candles from the last row/) },
    ])
    expect((await listed())[0].artifacts[0].leak).toBe('failed')
    const { body } = await call(app, 'GET', '/public/ml/models/v8')
    expect(body.artifacts[0].leak).toBe('failed')
    await ask(id)
    expect((await listed())[0].artifacts[0].leak).toBe('failed')
    await ended(id)
    const records = await onRecord('model.leak_found')
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ subject_id: 'v8', actor_id: null, after: { artifactId: id } })
  })

  it('gives way to the artifact that it took over from, and no further', async () => {
    examine = byTheHash
    const good = await add({ ...honest, version: 'v8' })
    const tookOver = async (artifact: NewArtifact, againstId: string, createdAtMs: number) => {
      const comparison = { ...NO_WORSE, againstId }
      return bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, null, createdAtMs, comparison))
    }
    const predicts = async () => (await listed())[0].artifacts.map(({ id }: { id: string }) => id)
    const first = await tookOver(leaking(), good, 2)
    expect(await predicts()).toEqual([first])
    await rooms.examinations.queueMissing()
    await ended(first)
    expect(await predicts()).toEqual([good])
    expect((await onRecord('model.leak_found')).at(-1)!.after.predictsNow).toBe(good)
    await ended(good)

    await bench.db.pool.query("update trading.artifacts set leak = 'failed' where id = $1", [good])
    const second = await tookOver(leaking(), good, 3)
    await rooms.examinations.queueMissing()
    await ended(second)
    expect(await predicts()).toEqual([second])
    expect((await onRecord('model.leak_found')).at(-1)!.after.predictsNow).toBeNull()
  })

  describe('does not keep out an honest one that is no match for what it knew', () => {
    const WORSE: Omit<ArtifactComparison, 'againstId'> = {
      ...NO_WORSE,
      outcomes: 400,
      logLoss: { candidate: 0.69, active: 0.31 },
      noWorse: false,
      verdict: 'Worse than the active artifact.',
    }
    const trainedAgain = (againstId: string, owner: object = {}, createdAtMs = 2) =>
      bench.db.orm.transaction((tx) =>
        insertArtifact(tx, { ...honest, version: 'v8', ...owner }, null, createdAtMs, { ...WORSE, againstId }),
      )
    const shown = async (id: string) =>
      (await call(app, 'GET', '/public/ml/models/v8')).body.artifacts.find((one: { id: string }) => one.id === id)
    const REASON =
      'The one before it failed its leak audit, which makes its figures no measure, so this one predicts now. Log loss 0.69000 against its 0.31000 on 400 outcomes.'

    it('that is trained after the leak was found', async () => {
      examine = byTheHash
      const cheat = await add(leaking())
      await rooms.examinations.queueMissing()
      await ended(cheat)
      const id = await trainedAgain(cheat)
      expect(await shown(id)).toMatchObject({
        active: true,
        comparison: { againstId: cheat, noWorse: true, verdict: REASON },
      })
      expect(await shown(cheat)).toMatchObject({ active: false, leak: 'failed' })
    })

    it('that was held against another meanwhile, whose figures it does not keep', async () => {
      const cheat = await add(leaking())
      await bench.db.pool.query("update trading.artifacts set leak = 'failed' where id = $1", [cheat])
      const id = await trainedAgain('01890000-0000-7000-8000-000000000000')
      const { comparison } = await shown(id)
      expect(comparison).toMatchObject({ againstId: cheat, outcomes: 0, logLoss: null, noWorse: true })
      expect(comparison.verdict).toMatch(/so this one predicts now\.$/)
    })

    it('that was refused before the leak was found: the newest that is not known to leak predicts then', async () => {
      examine = byTheHash
      const cheat = await add(leaking())
      const older = await trainedAgain(cheat)
      const newest = await trainedAgain(cheat, {}, 3)
      expect(await shown(newest)).toMatchObject({ active: false, comparison: { noWorse: false } })
      await bench.db.pool.query("update trading.artifacts set leak = 'failed' where id = $1", [newest])
      await rooms.examinations.queueMissing()
      await ended(cheat)
      expect(await shown(older)).toMatchObject({ active: true, comparison: { noWorse: true, verdict: REASON } })
      expect((await onRecord('model.leak_found')).at(-1)!.after.predictsNow).toBe(older)
    })

    it('but an upload not by itself in production, where its author is all that speaks for it', async () => {
      const cheat = await add(leaking())
      await bench.db.pool.query("update trading.artifacts set leak = 'failed' where id = $1", [cheat])
      await bench.db.pool.query("update trading.models set stage = 'production' where version = 'v8'")
      const uploadedBy = bench.people.owner.userId
      const predicts = async () => (await listed())[0].artifacts[0].id
      await trainedAgain(cheat, { uploadedBy })
      expect(await predicts()).toBe(cheat)
      await bench.db.pool.query("update trading.models set stage = 'staging' where version = 'v8'")
      const second = await trainedAgain(cheat, { uploadedBy }, 3)
      expect(await predicts()).toBe(second)
    })
  })

  it('goes to production only where a manager says that the leak is known', async () => {
    examine = byTheHash
    const { manager, owner } = bench.people
    const id = await add(leaking())
    const stage = (body: object, as = manager) => call(app, 'POST', '/api/ml/models/v8/stage', { as, body })
    await rooms.examinations.queueMissing()
    await ended(id)
    const refused = await stage({ stage: 'production' })
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([409, 'model_leaks', 'despiteLeak'])
    expect(refused.body.error).toContain('v8 leaks the future: its audit on BTCUSDT 1h failed')
    expect((await listed())[0].stage).toBe('staging')
    expect((await stage({ stage: 'production', despiteLeak: true }, owner)).status).toBe(403)
    // The archive needs no confirmation: nothing is promised there.
    expect((await stage({ stage: 'archived' })).body.stage).toBe('archived')
    expect((await stage({ stage: 'production', despiteLeak: true })).body.stage).toBe('production')
    const moves = await onRecord('model.stage_changed')
    expect(moves.at(-1)!.after).toMatchObject({ stage: 'production', evidence: [{ leak: 'failed' }] })
  })

  it('predicts in place of another only where a manager says that the leak is known', async () => {
    examine = byTheHash
    const { manager } = bench.people
    const good = await add({ ...honest, version: 'v8' })
    const id = await add(leaking(), 2)
    const promote = (body?: object) => call(app, 'POST', `/api/ml/artifacts/${id}/promote`, { as: manager, body })
    await rooms.examinations.queueMissing()
    await ended(good)
    // What is found of one says nothing of the other.
    expect([(await ended(id)).verdict, (await ended(good)).verdict]).toEqual(['failed', 'passed'])
    const refused = await promote()
    expect([refused.status, refused.body.code]).toEqual([409, 'model_leaks'])
    expect((await listed())[0].artifacts[0].id).toBe(good)
    const promotions = async () =>
      (await onRecord('model.artifact_promoted')).filter(({ after }) => after.artifactId === id)
    const both = await Promise.all([promote({ despiteLeak: true }), promote({ despiteLeak: true })])
    for (const { body } of both) expect(body).toMatchObject({ id, active: true, leak: 'failed' })
    expect(await promotions()).toMatchObject([{ before: { artifactId: good }, after: { leak: 'failed' } }])
  })

  describe('and is found to while a manager moves it', () => {
    /** Holds v8 as an audit does that is about to write its leak down, until `meanwhile` waits for it. */
    const foundMeanwhile = async (id: string, meanwhile: () => ReturnType<typeof call>) => {
      const finding = await bench.db.pool.connect()
      await finding.query('begin')
      await finding.query("select * from trading.models where version = 'v8' for update")
      const waiting = meanwhile()
      await expect
        .poll(async () => {
          const { rows } = await bench.db.pool.query(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
          return rows.length
        })
        .toBe(1)
      await finding.query("update trading.artifacts set leak = 'failed' where id = $1", [id])
      await finding.query('commit')
      finding.release()
      return waiting
    }
    const post = (path: string, body: object = {}) =>
      call(app, 'POST', `/api/ml/${path}`, { as: bench.people.manager, body })

    it('does not go to production unasked', async () => {
      const id = await add(leaking())
      const refused = await foundMeanwhile(id, () => post('models/v8/stage', { stage: 'production' }))
      expect([refused.status, refused.body.code]).toEqual([409, 'model_leaks'])
      expect((await listed())[0].stage).toBe('staging')
    })

    it('does not predict unasked', async () => {
      const good = await add({ ...honest, version: 'v8' })
      const comparison = { ...NO_WORSE, noWorse: false, againstId: good }
      const id = await bench.db.orm.transaction((tx) => insertArtifact(tx, leaking(), null, 2, comparison))
      const refused = await foundMeanwhile(id, () => post(`artifacts/${id}/promote`))
      expect([refused.status, refused.body.code]).toEqual([409, 'model_leaks'])
      expect((await listed())[0].artifacts[0].id).toBe(good)
    })
  })
})
