import type { DriftDecision } from '@shapecast/contracts/drift'
import { AppError } from '@shapecast/contracts/errors'
import type { Retraining } from '@shapecast/contracts/retraining'
import { DEFAULT_SETTINGS } from '@shapecast/ml/recipe/settings'
import { silentLogger } from '@shapecast/platform/logging'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { call, createServiceBench, type Person } from '../../../test/support/service-bench.ts'
import { INSTALLATION, insertArtifact, type Maker } from '../active-artifacts.ts'
import type { NewArtifact } from '../artifact-rows.ts'
import { createModelStore } from '../model-store.ts'
import type { ArtifactSummary } from '../tables.ts'
import type { TrainOrder } from '../training-service.ts'
import { createRetrainingService, dueBy } from './retraining-service.ts'
import { retrainingRoutes } from './routes.ts'

const DAY = 86_400_000
const START = Date.UTC(2025, 0, 1)
let marketMs = START
let clockMs = START
let drift: DriftDecision = 'holds'
let refusal: AppError | null = null
/** What was asked for, and by whom. */
const asked: [TrainOrder, { userId: string; role: string } | null][] = []

const bench = await createServiceBench()
const { orm } = bench.db
const { owner, other, manager } = bench.users
const models = createModelStore(orm, 'memory')
const service = createRetrainingService({
  db: bench.db,
  models,
  trainings: {
    async request(order, asker) {
      if (refusal !== null) throw refusal
      asked.push([order, asker])
      return '00000000-0000-4000-8000-000000000001'
    },
  },
  driftOf: async (ids) => new Map(ids.map((id) => [id, { decision: drift }])),
  marketTime: async () => marketMs,
  log: silentLogger(),
  now: () => clockMs,
})
const app = bench.mount((server) => retrainingRoutes(server, service))
afterAll(bench.close)

const accuracy = {
  accuracy: 0.54,
  interval: [0.49, 0.59],
  outcomes: 400,
  effectiveOutcomes: 233,
  majorityBaseline: 0.51,
  reversalBaseline: 0.53,
  verdict: 'indistinguishable',
} satisfies ArtifactSummary['accuracy']
const made = (version: string, over: Partial<NewArtifact> = {}): NewArtifact => ({
  venue: 'memory',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  version,
  hash: `hash ${version}`,
  shown: { trainedFrom: 1, trainedTo: 2, holdoutFrom: 3, holdoutTo: 4, seed: 7, accuracy },
  card: { settings: { ...DEFAULT_SETTINGS, seed: 7, lookback: 24 }, data: { candles: 3000 } },
  bytes: new Uint8Array([1]),
  ...over,
})
const insert = (artifact: NewArtifact, maker: Maker) => orm.transaction((tx) => insertArtifact(tx, artifact, maker, 1))

beforeEach(async () => {
  marketMs = START
  clockMs = START
  drift = 'holds'
  refusal = null
  asked.length = 0
  for (const table of ['retrainings', 'artifacts', 'models']) await bench.db.pool.query(`delete from trading.${table}`)
  await insert(made('v3'), INSTALLATION)
  await insert(made('mine'), { userId: owner.userId, isManager: false })
})

const set = (as: Person | null, body: object = {}) =>
  call(app, 'POST', '/api/ml/retraining', {
    as,
    body: { version: 'mine', symbol: 'BTCUSDT', timeframe: '1h', everyDays: 7, onDrift: false, mode: 'take', ...body },
  })
const list = async (): Promise<Retraining[]> => (await call(app, 'GET', '/api/ml/retraining', { as: other })).body

describe('a model that is trained again by itself', () => {
  it('asks after its days with its own settings and as many candles, in the name of the user who set it', async () => {
    expect((await set(owner)).status).toBe(200)
    marketMs = START + 7 * DAY - 1
    await service.turn()
    expect(asked).toEqual([])
    marketMs = START + 7 * DAY
    await service.turn()
    await service.turn()
    expect(asked).toHaveLength(1)
    const [order, asker] = asked[0]!
    expect(order).toMatchObject({ version: 'mine', symbol: 'BTCUSDT', timeframe: '1h', limit: 3000, isOffer: false })
    expect(order.params).toMatchObject({ seed: 7, lookback: 24, epochs: DEFAULT_SETTINGS.epochs })
    expect(order.params).not.toHaveProperty('signalThreshold')
    expect(asker).toEqual({ userId: owner.userId, role: 'user', address: null })
    expect(await list()).toMatchObject([{ lastAt: marketMs, nextAt: marketMs + 7 * DAY, error: null }])
  })

  it('asks once its live score is found worse, and for the same model again after 30 days', async () => {
    await set(manager, { version: 'v3', everyDays: null, onDrift: true, mode: 'offer' })
    await service.turn()
    expect(asked).toEqual([])
    drift = 'suspect'
    await service.turn()
    marketMs += 30 * DAY - 1
    await service.turn()
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject([{ version: 'v3', isOffer: true }, { role: 'bot_manager' }])
    marketMs += 1
    await service.turn()
    expect(asked).toHaveLength(2)
  })

  it('writes down a refusal and tries again an hour later', async () => {
    await set(owner, { everyDays: 1 })
    marketMs += DAY
    refusal = new AppError('too_few_candles', 'Only 12 candles.')
    await service.turn()
    expect(await list()).toMatchObject([{ error: 'Only 12 candles.', lastAt: null }])
    refusal = null
    clockMs += 3_599_999
    await service.turn()
    expect(asked).toEqual([])
    clockMs += 1
    await service.turn()
    expect(asked).toHaveLength(1)
    expect(await list()).toMatchObject([{ error: null }])
  })

  it('leaves what it makes to be promoted where it is only offered', async () => {
    const maker = { userId: owner.userId, isManager: false, isOffer: true }
    const better = { againstId: null, takesOver: true, waits: false, verdict: 'Better.' }
    const nothing = { from: null, to: null, outcomes: 0, logLoss: null, brier: null, accuracy: null, test: null }
    const id = await orm.transaction((tx) =>
      insertArtifact(tx, made('mine', { hash: 'newer' }), maker, 2, { ...nothing, ...better }),
    )
    const row = await models.artifact(id)
    expect(row).toMatchObject({ active: false, comparison: { takesOver: false, waits: true } })
    expect(row!.comparison!.verdict).toContain('promote it to let it predict')
  })

  it('is one a series, changed by setting it again, and ends when it is deleted', async () => {
    await set(owner)
    await set(owner, { everyDays: 30, onDrift: true })
    const [plan, ...more] = await list()
    expect(more).toEqual([])
    expect(plan).toMatchObject({ everyDays: 30, onDrift: true, userId: owner.userId })
    const end = (as: Person | null) => call(app, 'DELETE', `/api/ml/retraining/${plan!.id}`, { as })
    expect([(await end(null)).status, (await end(other)).status]).toEqual([401, 403])
    expect([(await end(owner)).status, (await end(owner)).status]).toEqual([200, 404])
    marketMs += 90 * DAY
    await service.turn()
    expect(asked).toEqual([])
  })
})

describe('setting when a model is trained again', () => {
  it('is for managers and the owner of a version that is not in production', async () => {
    const statuses = async (version: string) =>
      [await set(null, { version }), await set(other, { version }), await set(owner, { version })]
        .concat(await set(manager, { version }))
        .map(({ status }) => status)
    expect(await statuses('mine')).toEqual([401, 403, 200, 200])
    expect(await statuses('v3')).toEqual([401, 403, 403, 200])
  })

  it('refuses in words what could never be trained', async () => {
    await insert(made('theirs', { uploadedBy: owner.userId }), { userId: owner.userId, isManager: false })
    const refused = async (body: object) => {
      const reply = await set(manager, body)
      return [reply.status, reply.body.code]
    }
    expect(await refused({ version: 'nobody' })).toEqual([404, 'not_found'])
    expect(await refused({ symbol: 'ETHUSDT' })).toEqual([422, 'model_not_trained'])
    expect(await refused({ version: 'theirs' })).toEqual([422, 'unprocessable'])
    expect(await refused({ everyDays: null })).toEqual([400, 'bad_input'])
    for (const everyDays of [0, 366, 1.5, '7']) expect(await refused({ everyDays })).toEqual([400, 'bad_input'])
  })
})

it('a retraining is due by the calendar before drift is asked', () => {
  const row = { everyDays: 1, onDrift: true, countsFromMs: 0, driftOf: null }
  expect(dueBy(row, { id: 'a', drift: 'worse' }, DAY)).toBe('calendar')
  expect(dueBy(row, { id: 'a', drift: 'worse' }, DAY - 1)).toBe('drift')
  expect(dueBy(row, { id: 'a', drift: null }, DAY - 1)).toBeNull()
})
