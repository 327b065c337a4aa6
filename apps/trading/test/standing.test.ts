import { AppError } from '@shapecast/contracts/errors'
import { sliceCandles } from '@shapecast/engine/candles'
import { packArtifact, unpackArtifact } from '@shapecast/ml/artifact/artifact'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { afterAll, describe, expect, it } from 'vitest'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import type { NewArtifact } from '../src/models/artifact-rows.ts'
import { judgeArtifact } from '../src/models/judge-artifact.ts'
import { mlRoutes } from '../src/models/routes.ts'
import { insertBot } from './support/insert-bot.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { addQuickModel, QUICK, quickModel } from './support/small-model.ts'

const BTC = generateCandles({ candles: 2200, seed: 6 })
/** The first artifact of v3, trained with care, and one that learnt next to nothing and shouts. */

const bench = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }))
const parts = bench.parts
const app = bench.mount((service) => mlRoutes(service, parts.models().models, parts.models().trainings))
const good = await addQuickModel(bench.db, 'v3', 'BTCUSDT', BTC, {}, 2000)
afterAll(() => bench.close())

const get = (path: string, as: Person | null = bench.users.owner) => call(app, 'GET', `/api/ml/${path}`, { as })
const post = (path: string, as: Person | null, body: object = {}) => call(app, 'POST', `/api/ml/${path}`, { as, body })
/** Judges an artifact as a training does at its end, and stores it. */
const add = async (artifact: NewArtifact) => {
  const comparison = await parts.models().judge(artifact)
  const id = await bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 5, comparison))
  return { id, comparison }
}
const artifactsOf = async (version: string) => (await get(`models/${version}`)).body.artifacts

describe('a version that is trained again on its series', () => {
  it('predicts by the new artifact only where that is better on candles that neither has learnt from', async () => {
    const again = await quickModel('v3', 'BTCUSDT', BTC, { seed: 9 })
    const { id, comparison } = await add(again)
    // Candles 1800 … 2199 were kept from the new one: forecasts made at 1799 … 2198 have their outcome there.
    expect(comparison).toMatchObject({ againstId: good, outcomes: 400, from: BTC.ts[1799], to: BTC.ts[2198] })
    const { logLoss, takesOver, test } = comparison!
    expect(takesOver).toBe(logLoss!.candidate < logLoss!.active && test!.pValue < 0.05)
    expect(test!.meanDifference).toBeCloseTo(logLoss!.candidate - logLoss!.active, 12)
    const shown = await artifactsOf('v3')
    expect(shown.filter((artifact: { active: boolean }) => artifact.active)).toHaveLength(1)
    expect(shown.find((artifact: { active: boolean }) => artifact.active).id).toBe(takesOver ? id : good)
    expect(comparison!.verdict).toContain(takesOver ? 'so it predicts now' : 'stays until a manager promotes')
  })

  it('keeps the old one where the new one is worse, and shows both until a manager promotes', async () => {
    const before = (await artifactsOf('v3')).find((artifact: { active: boolean }) => artifact.active).id
    const { id, comparison } = await worse()
    expect(comparison!.takesOver).toBe(false)
    expect(comparison!.logLoss!.candidate).toBeGreaterThan(comparison!.logLoss!.active)
    const activeId = async () => (await artifactsOf('v3')).find((artifact: { active: boolean }) => artifact.active).id
    expect(await activeId()).toBe(before)

    const { owner, other, manager } = bench.users
    const trader = (person: Person, version: string | null, status: 'active' | 'paused' | 'stopped') =>
      insertBot(bench.db, person.userId, { mlModelVersion: version, status })
    await trader(owner, 'v3', 'active')
    await trader(owner, 'v3', 'paused')
    await trader(manager, 'v3', 'active')
    await trader(other, 'v4', 'active')
    await trader(other, 'v3', 'stopped')
    for (const person of [owner, other]) expect((await post(`artifacts/${id}/promote`, person)).status).toBe(403)
    expect((await post(`artifacts/${id}/promote`, null)).status).toBe(401)
    expect(await activeId()).toBe(before)
    const promoted = await post(`artifacts/${id}/promote`, manager)
    expect(promoted.body).toMatchObject({ id, active: true })
    expect(await activeId()).toBe(id)
    const listed = (await get('models')).body.models.find((model: { version: string }) => model.version === 'v3')
    expect(listed.artifacts.map((artifact: { id: string }) => artifact.id)).toEqual([id])
    const audit = await bench.db.pool.query("select * from platform.audit where action = 'model.artifact_promoted'")
    expect(audit.rows).toHaveLength(1)
    expect(audit.rows[0]).toMatchObject({ actor_id: manager.userId, before: { artifactId: before } })
    const { rows: told } = await bench.db.pool.query(
      "select user_id, title from platform.notifications where kind = 'model'",
    )
    expect(told).toEqual([{ user_id: owner.userId, title: 'v3 predicts BTCUSDT 1h by a newer model' }])
    await post(`artifacts/${before}/promote`, manager)
    expect(await activeId()).toBe(before)
  })

  /** The same model, sure of the opposite of what it found. */
  async function worse() {
    const artifact = await quickModel('v3', 'BTCUSDT', BTC, { seed: 11 })
    const opened = unpackArtifact(artifact.bytes)
    const card = { ...opened.card, calibration: { climatology: 0.97, weight: 0.05 } }
    return add({ ...artifact, hash: 'f'.repeat(64), card, bytes: packArtifact({ ...opened, card }) })
  }

  it('keeps the old one on a tie, and where the threshold of the signal is another', async () => {
    const settings = { seed: 13 }
    const first = await add(await quickModel('v6', 'BTCUSDT', BTC, settings))
    const same = await quickModel('v6', 'BTCUSDT', BTC, settings)
    const { comparison: tie } = await add({ ...same, hash: 'd'.repeat(64) })
    expect(tie).toMatchObject({ againstId: first.id, takesOver: false, outcomes: 400 })
    expect(tie!.logLoss!.candidate).toBe(tie!.logLoss!.active)
    const { comparison } = await add(await quickModel('v6', 'BTCUSDT', BTC, { ...settings, signalThreshold: 0.5 }))
    expect(comparison).toMatchObject({ takesOver: false, outcomes: 400 })
    expect(comparison!.verdict).toMatch(/^Its signal threshold is 0\.5, that of the active one found in training\./)
    await bench.db.pool.query("delete from trading.artifacts where version = 'v6'")
  })

  it('is not compared across horizons: the old one stays until a manager decides', async () => {
    const { comparison } = await add(await quickModel('v3', 'BTCUSDT', BTC, { signalHorizon: 4 }))
    expect(comparison).toMatchObject({ takesOver: false, logLoss: null, outcomes: 0 })
    expect(comparison!.verdict).toContain('different horizons')
  })

  it('does not take over when it was compared with one that no longer predicts, and does not say so', async () => {
    const before = (await artifactsOf('v3')).find((one: { active: boolean }) => one.active).id
    const again = await quickModel('v3', 'BTCUSDT', BTC, { seed: 11 })
    const comparison = {
      ...(await parts.models().judge(again))!,
      takesOver: true,
      verdict: 'Better, so it predicts now: figures.',
    }
    // Meanwhile a manager has promoted another.
    const [other] = (await artifactsOf('v3')).filter((one: { id: string }) => one.id !== before)
    await post(`artifacts/${other.id}/promote`, bench.users.manager)
    const id = await bench.db.orm.transaction((tx) => insertArtifact(tx, again, INSTALLATION, 5, comparison))
    const found = (await artifactsOf('v3')).find((one: { id: string }) => one.id === id)
    expect(found).toMatchObject({ active: false, comparison: { againstId: before, takesOver: false } })
    expect(found.comparison.verdict).toMatch(/^Another artifact has become the active one .+ Better: figures\.$/)
    await post(`artifacts/${before}/promote`, bench.users.manager)
  })

  it('is the first where the one that it was to be held against is deleted meanwhile', async () => {
    const again = await quickModel('v3', 'BTCUSDT', BTC, { seed: 12 })
    const gone = { use: () => Promise.reject(new AppError('model_not_trained', 'gone')) }
    expect(
      await judgeArtifact({ store: parts.models().modelStore, predictors: gone, candles: parts.market }, again),
    ).toBeNull()
    // What else may be wrong is no reason to take it for the first.
    const broken = { use: () => Promise.reject(new AppError('unprocessable', 'not a usable model file')) }
    await expect(
      judgeArtifact({ store: parts.models().modelStore, predictors: broken, candles: parts.market }, again),
    ).rejects.toMatchObject({ code: 'unprocessable' })
  })

  it('is not compared where fewer than 100 outcomes are known that neither has learnt from', async () => {
    const again = await quickModel('v3', 'BTCUSDT', BTC, { seed: 12 })
    const judged = (last: number) => {
      const load: typeof parts.market.load = (symbol, timeframe, range) =>
        parts.market.load(symbol, timeframe, { ...range, toMs: BTC.ts[last]! })
      const candles = { ...parts.market, load }
      return judgeArtifact({ store: parts.models().modelStore, predictors: parts.models().predictors, candles }, again)
    }
    // Forecasts from 1799 on have outcomes that were kept from it.
    expect(await judged(1898)).toMatchObject({
      outcomes: 0,
      logLoss: null,
      takesOver: false,
      verdict: expect.stringContaining('Only 99 outcomes are known that neither has learnt from; 100 are needed.'),
    })
    expect(await judged(1899)).toMatchObject({ outcomes: 100, from: BTC.ts[1799], to: BTC.ts[1898] })
  })

  it('is judged by later candles where the new training is of older ones', async () => {
    const { comparison } = await add(await quickModel('v3', 'BTCUSDT', sliceCandles(BTC, 0, 1500), { seed: 3 }))
    // The active one's hold-out begins at candle 1600 or later, its first forecast one before: nothing before it is fair.
    expect(comparison!.from).toBeGreaterThanOrEqual(BTC.ts[1599]!)
    expect(comparison!.outcomes).toBeGreaterThanOrEqual(399)
  })
})

describe('the page of a model', () => {
  it('has the whole evaluation of each artifact, for everybody', async () => {
    const { body, status } = await get('models/v3')
    expect(status).toBe(200)
    const first = body.artifacts.find((artifact: { id: string }) => artifact.id === good)
    expect(first.evaluation.fan).toHaveLength(8)
    expect(first.evaluation.probability.reliability).toHaveLength(5)
    expect(first.learningCurves.lstm.history).toHaveLength(QUICK.epochs)
    expect(first.candles).toMatchObject({ count: 2000, from: BTC.ts[0], to: BTC.ts[1999] })
    expect(first.settings.lookback).toBe(8)
    expect((await call(app, 'GET', '/public/ml/models/v3')).body).toEqual(body)
    expect((await get('models/v3?symbol=ETHUSDT')).body.artifacts).toEqual([])
    expect((await get('models/nobody')).body.code).toBe('not_found')
    expect((await get('models/v3', null)).status).toBe(401)
  })

  it('has the card as a file', async () => {
    const reply = await app.inject({ url: `/public/ml/artifacts/${good}/card` })
    expect(reply.headers['content-disposition']).toMatch(
      /^attachment; filename="card-v3-BTCUSDT-1h-[0-9a-f]{12}\.json"$/,
    )
    expect(reply.json()).toMatchObject({ format: 'shapecast-model', data: { candles: 2000 } })
    const absent = await get('artifacts/01890000-0000-7000-8000-000000000000/card')
    expect([absent.status, absent.body.code]).toEqual([404, 'not_found'])
  })
})

describe('the stage of a version', () => {
  it('is changed by managers, on record with the evidence, and the newest of production is current', async () => {
    await addQuickModel(bench.db, 'v9', 'BTCUSDT', BTC, { seed: 2 })
    const { owner, manager, admin } = bench.users
    expect((await post('models/v9/stage', owner, { stage: 'production' })).status).toBe(403)
    expect((await post('models/v9/stage', null, { stage: 'production' })).status).toBe(401)
    const moved = await post('models/v9/stage', manager, { stage: 'production' })
    expect([moved.status, moved.body.version, moved.body.stage]).toEqual([200, 'v9', 'production'])
    const { rows } = await bench.db.pool.query("select * from platform.audit where action = 'model.stage_changed'")
    expect(rows).toHaveLength(1)
    expect(rows[0].before).toEqual({ stage: 'staging' })
    expect(rows[0].after.evidence[0]).toMatchObject({ symbol: 'BTCUSDT', timeframe: '1h' })
    expect((await post('models/v9/stage', admin, { stage: 'archived' })).body.stage).toBe('archived')
    expect((await get('models')).body.current).toBe('v3')
    await Promise.all(Array.from({ length: 6 }, () => post('models/v9/stage', manager, { stage: 'staging' })))
    const moves = await bench.db.pool.query(
      "select before->>'stage' b, after->>'stage' a from platform.audit where action = 'model.stage_changed' order by id",
    )
    expect(moves.rows.map(({ b, a }) => [b, a])).toEqual([
      ['staging', 'production'],
      ['production', 'archived'],
      ['archived', 'staging'],
    ])
  })

  it('is refused where it makes no sense', async () => {
    const { manager } = bench.users
    await bench.db.pool.query("insert into trading.models values ('empty', 'staging', null, 1)")
    expect((await post('models/empty/stage', manager, { stage: 'production' })).body.code).toBe('model_not_trained')
    expect((await post('models/nobody/stage', manager, { stage: 'staging' })).body.code).toBe('not_found')
    expect((await post('models/v3/stage', manager, { stage: 'best' })).status).toBe(400)
  })
})

describe('comparing versions', () => {
  it('judges them by the same unseen candles, in pairs and together', async () => {
    const { body, status } = await post('compare', bench.users.owner, { versions: ['v3', 'v9'], symbol: 'BTCUSDT' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ symbol: 'BTCUSDT', timeframe: '1h', horizon: 1, outcomes: 400, from: BTC.ts[1799] })
    expect(body.effectiveOutcomes).toBeCloseTo(233, 9)
    const [a, b] = body.models
    expect([a.version, b.version, a.stage, b.stage]).toEqual(['v3', 'v9', 'production', 'staging'])
    expect(a.signals.buy + a.signals.sell + a.signals.hold).toBe(400)
    expect(a.accuracyInterval![0]).toBeLessThan(a.accuracy!)
    expect(a.coverage90).toHaveLength(8)
    expect(body.pairs).toHaveLength(1)
    expect(body.pairs[0].logLoss.meanDifference).toBeCloseTo(a.logLoss - b.logLoss, 10)
    expect(body.pairs[0].pinball.meanDifference).toBeCloseTo(a.pinballBps - b.pinballBps, 10)
    expect(body.pairs[0].errorCorrelation).toBeGreaterThan(0.9)
    expect(body.ensembles.map((rule: { strategy: string }) => rule.strategy)).toEqual([
      'unanimous',
      'majority',
      'weighted',
      'confidence_threshold',
    ])
  })

  it.each([
    [['v3'], 400, 'bad_input'],
    [['v3', 'v3'], 400, 'bad_input'],
    [['v3', 'v9', 'a', 'b', 'c', 'd'], 400, 'bad_input'],
    [['v3', 'nobody'], 404, 'not_found'],
    [['v3', 'empty'], 422, 'model_not_trained'],
  ])('refuses %j', async (versions, status, code) => {
    const reply = await post('compare', bench.users.owner, { versions, symbol: 'BTCUSDT' })
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('asks who is asking', async () => {
    expect((await post('compare', null, { versions: ['v3', 'v9'], symbol: 'BTCUSDT' })).status).toBe(401)
  })
})
