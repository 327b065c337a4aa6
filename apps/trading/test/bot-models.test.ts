import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { plainModel } from '@shapecast/ml/foreign/testing/plain-model'
import { gruFile } from '@shapecast/ml/foreign/testing/pytorch-gru'
import { TREE_CARD, treeFile } from '@shapecast/ml/foreign/testing/tree-files'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { aggregateCandles } from '@shapecast/venues/aggregate'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { botPredictionRoutes, botRoutes, botTradingRoutes } from '../src/bots/routes.ts'
import { INSTALLATION, insertArtifact } from '../src/models/active-artifacts.ts'
import type { NewArtifact } from '../src/models/artifact-rows.ts'
import { mlRoutes } from '../src/models/routes.ts'
import { uploadRoutes } from '../src/models/uploads/routes.ts'
import { pruneArtifacts } from '../src/prune-artifacts.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { quickModel } from './support/small-model.ts'
import { GRU_CARD, sendUpload } from './support/uploaded-model.ts'

const HOUR = 3_600_000
const BTC = generateCandles({ candles: 2000, seed: 3, clusters: 0.3 })
const LEARNT = 1400
/** Soon after it the first model enters, and holds. */
const BEGIN = LEARNT + 47

let nowMs = 0
/** Only what has closed by the market's clock. */
const closedBy = (candles: Candles, ms: number, step = HOUR) =>
  sliceCandles(candles, 0, Math.max(0, Math.floor((ms - candles.ts[0]!) / step)))
const ETH = generateCandles({ candles: 2000, seed: 4 })
const FOURS = aggregateCandles(BTC, HOUR, 4 * HOUR)
const whole = memoryVenue({ 'BTCUSDT 1h': BTC })
const bench = await createPartsBench(
  {
    ...whole,
    now: async () => nowMs,
    candles: (...asked) =>
      memoryVenue({
        'BTCUSDT 1h': closedBy(BTC, nowMs),
        'ETHUSDT 1h': closedBy(ETH, nowMs),
        'BTCUSDT 4h': closedBy(FOURS, nowMs, 4 * HOUR),
      }).candles(...asked),
    ticker: async (symbol) => {
      const last = closedBy(BTC, nowMs).close.at(-1)!
      return { symbol, last, change: null, percentage: null, timestamp: nowMs }
    },
  },
  () => nowMs,
)
const { parts, db } = bench
const { owner, other, manager } = bench.users
const app = bench.mount((server) => {
  botRoutes(server, parts.bots().bots)
  botTradingRoutes(server, parts.bots())
  botPredictionRoutes(server, parts.bots().botPredictions)
  mlRoutes(server, parts.models().models, parts.models().trainings)
  uploadRoutes(server, parts.uploads(), parts.models().modelStore)
})
const made = await Promise.all(
  [1, 2, 3].map((seed) =>
    quickModel('v3', 'BTCUSDT', sliceCandles(BTC, 0, LEARNT), { seed, signalThreshold: 0, learningRate: 0.01 }),
  ),
)
afterAll(() => bench.close())

let stored = 0
const store = (artifact: NewArtifact): Promise<string> =>
  db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, ++stored))
const post = async (path: string, body?: object, as: Person = owner) => {
  const reply = await call(app, 'POST', `/api/${path}`, { as, body })
  expect([path, reply.status, reply.body.error]).toEqual([path, 200, undefined])
  return reply.body
}
const get = async (path: string, as: Person = owner) => (await call(app, 'GET', `/api/${path}`, { as })).body

let first = ''
beforeEach(async () => {
  await db.pool.query('delete from trading.bots')
  await db.pool.query('delete from trading.artifacts')
  await db.pool.query("update trading.models set stage = 'production'")
  await db.pool.query('delete from platform.notifications')
  nowMs = BTC.ts[BEGIN]! + 60_000
  first = await store(made[0]!)
})

/** A started bot of the owner. */
async function started(draft: object = {}): Promise<string> {
  const { botId } = await post('bots', {
    name: 'Follower',
    positionSize: 0.01,
    initialBalance: 1000,
    maxDrawdown: 50,
    leverage: 1,
    ...draft,
  })
  await post(`bots/${botId}/start`)
  return botId
}
const close = async () => {
  nowMs += HOUR
  await parts.running().closes.decideDue('1h')
}
const holds = async (id: string): Promise<boolean> => (await get(`bots/${id}/balance`)).positions.length > 0
/** Closes candles until the bot holds something, which it does not sell at the next open. */
async function untilHolding(id: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const [last] = (await get(`bots/${id}/decisions`)).decisions
    if (last?.action === 'held') return
    await close()
  }
  throw new Error('It never held anything.')
}
const hashOf = async (id: string) => (await get(`bots/${id}/last-prediction`)).votes[0].prediction.hash
const modelOf = async (id: string) => (await get(`bots/${id}`)).models[0]
/** Closes candles until the bot trades on an artifact: never while it holds something. */
async function untilTaken(id: string, artifactId: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    await close()
    if ((await modelOf(id)).artifactId !== artifactId) continue
    expect(i).toBeGreaterThan(0)
    expect(await holds(id)).toBe(false)
    return
  }
  throw new Error('It never took it.')
}
/** Trained again, and chosen by a manager. */
async function retrained(artifact = made[1]!): Promise<string> {
  const id = await store(artifact)
  await post(`ml/artifacts/${id}/promote`, undefined, manager)
  return id
}

describe('a bot whose model is trained again', () => {
  it.each([
    ['names its version', { mlModelVersion: 'v3' }],
    ['follows the current one', {}],
  ])('goes on with the one that it started on, and is offered the new one, where it %s', async (_name, draft) => {
    const id = await started(draft)
    expect(await modelOf(id)).toMatchObject({ version: 'v3', artifactId: first, offer: null, takesNext: false })
    await untilHolding(id)
    const newer = await retrained()
    for (let i = 0; i < 3; i++) {
      await close()
      expect(await hashOf(id)).toBe(made[0]!.hash)
    }
    expect(await modelOf(id)).toMatchObject({ artifactId: first, offer: { version: 'v3', artifactId: newer } })
    const [listed] = await get('bots')
    expect(listed.models).toEqual((await get(`bots/${id}`)).models)
  })

  it('takes it when its owner says so: once what it holds is sold', async () => {
    const id = await started()
    await untilHolding(id)
    const newer = await retrained()
    expect((await call(app, 'POST', `/api/bots/${id}/take-model`, { as: other })).status).toBe(404)
    const [said] = (await post(`bots/${id}/take-model`)).models
    expect(said).toMatchObject({ artifactId: first, takesNext: true })
    await untilTaken(id, newer)
    expect(await modelOf(id)).toMatchObject({ offer: null, takesNext: false })
    expect(await hashOf(id)).toBe(made[1]!.hash)
    const { rows } = await db.pool.query("select actor_id from platform.audit where action = 'bot.model_taken'")
    expect(rows).toEqual([{ actor_id: owner.userId }])
    expect((await call(app, 'POST', `/api/bots/${id}/take-model`, { as: owner })).status).toBe(409)
  })

  it('is asked by hand for what it trades on, and not for the newest', async () => {
    const asked = async (id: string) => (await post(`bots/${id}/poll-prediction`)).votes[0].prediction.hash
    for (const draft of [{}, { name: 'Named', mlModelVersion: 'v3' }]) {
      await db.pool.query('update trading.artifacts set active = (id = $1)', [first])
      const id = await started(draft)
      const newer = await retrained(made[1]!)
      expect(await asked(id)).toBe(made[0]!.hash)
      await post(`bots/${id}/take-model`)
      expect(await modelOf(id)).toMatchObject({ artifactId: newer })
      expect(await asked(id)).toBe(made[1]!.hash)
      await db.pool.query('delete from trading.artifacts where id = $1', [newer])
    }
  })

  it('takes it at once while it holds nothing, or where its owner will not wait', async () => {
    const flat = await started()
    const newer = await retrained()
    expect((await post(`bots/${flat}/take-model`)).models).toMatchObject([{ artifactId: newer, takesNext: false }])
    const holding = await started({ name: 'Holder' })
    await untilHolding(holding)
    const newest = await retrained(made[2]!)
    expect((await post(`bots/${holding}/take-model`, { when: 'now' })).models).toMatchObject([{ artifactId: newest }])
  })

  it('takes it by itself where it follows its model, at the first decision without a position', async () => {
    const id = await started({ parameters: { followModel: true } })
    await untilHolding(id)
    const newer = await retrained()
    await untilTaken(id, newer)
  })

  it('adopts it at its next daily decision when it is a policy, whatever it holds', async () => {
    const parameters = { policy: 'model_brake', followModel: true }
    const id = await started({ parameters })
    await close()
    const newer = await retrained()
    while (new Date(nowMs + HOUR).getUTCHours() !== 0) {
      await close()
      expect(await modelOf(id)).toMatchObject({ artifactId: first })
    }
    await close()
    expect(await modelOf(id)).toMatchObject({ artifactId: newer })
  })

  it('takes the newest where it is started again without a position, and keeps its own where it was paused', async () => {
    const id = await started()
    const newer = await retrained()
    await post(`bots/${id}/pause`)
    await post(`bots/${id}/start`)
    expect(await modelOf(id)).toMatchObject({ artifactId: first })
    await post(`bots/${id}/stop`)
    await post(`bots/${id}/start`)
    expect(await modelOf(id)).toMatchObject({ artifactId: newer })
  })

  it('is pinned at its next decision when it is older than pins', async () => {
    const id = await started()
    await db.pool.query('delete from trading.bot_models')
    await close()
    expect(await modelOf(id)).toMatchObject({ artifactId: first })
    await retrained()
    await close()
    expect(await modelOf(id)).toMatchObject({ artifactId: first })
  })

  it('keeps it from being pruned, paused and stopped as well', async () => {
    const id = await started()
    await post(`bots/${id}/pause`)
    await store(made[1]!)
    const newest = await store(made[2]!)
    await db.pool.query('update trading.artifacts set active = false')
    await db.pool.query('update trading.artifacts set active = true where id = $1', [newest])
    await pruneArtifacts(db, 1)
    const left = async () => (await db.pool.query('select id from trading.artifacts')).rows.map((row) => row.id)
    expect(await left()).toEqual(expect.arrayContaining([first, newest]))
    expect(await left()).toHaveLength(2)
    await post(`bots/${id}/stop`)
    await pruneArtifacts(db, 1)
    expect(await left()).toContain(first)
    await db.pool.query('delete from trading.bots')
    await pruneArtifacts(db, 1)
    expect(await left()).toEqual([newest])
  })
})

describe('live against backtest', () => {
  /** Closes candles until a trade of the bot is closed. */
  async function untilTraded(id: string) {
    for (let i = 0; i < 200; i++) {
      const [trade] = await get(`bots/${id}/trades`)
      if (trade !== undefined) return trade
      await close()
    }
    throw new Error('It never traded.')
  }

  it('names a candle that was revised after it was decided, with its close then and today', async () => {
    const id = await started()
    const { exitTime } = await untilTraded(id)
    for (let i = 0; i < 3; i++) await close()
    expect(await get(`bots/${id}/parity`)).toMatchObject({ differences: [], costs: [] })
    const at = BTC.ts.indexOf(exitTime)
    const [open, high, shut] = [BTC.open[at]!, BTC.high[at]!, BTC.close[at]!]
    try {
      BTC.open[at] = open + 1
      BTC.high[at] = high + 2
      BTC.close[at] = shut + 1
      const { differences, costs } = await get(`bots/${id}/parity`)
      expect(differences).toMatchObject([
        { cause: 'candle_changed', note: expect.stringContaining(`close ${shut} then, ${shut + 1} today`) },
      ])
      expect(costs).toMatchObject([{ cause: 'candle_changed', trades: 1 }])
    } finally {
      BTC.open[at] = open
      BTC.high[at] = high
      BTC.close[at] = shut
    }
  })

  it('asks what the bot trades on where no forecast was kept, also when no model is current any more', async () => {
    const id = await started()
    await untilTraded(id)
    nowMs += 3 * HOUR
    await close()
    const before = await get(`bots/${id}/parity`)
    expect(before.backtestTrades).toBeGreaterThan(0)
    await retrained()
    expect(await get(`bots/${id}/parity`)).toEqual(before)
    await post('ml/models/v3/stage', { stage: 'staging' }, manager)
    expect(await get(`bots/${id}/parity`)).toEqual(before)
  })

  it('takes candles at which it has no model any more as decided nothing', async () => {
    const id = await started()
    const { exitTime } = await untilTraded(id)
    nowMs += 3 * HOUR
    await close()
    await db.pool.query('delete from trading.bot_models')
    await post('ml/models/v3/stage', { stage: 'staging' }, manager)
    const { status, body } = await call(app, 'GET', `/api/bots/${id}/parity`, { as: owner })
    expect([status, body.error]).toEqual([200, undefined])
    expect(body).toMatchObject({ liveTrades: body.backtestTrades, differences: [] })
    expect(body.to).toBeGreaterThan(exitTime)
  })
})

describe('an upload of another family', () => {
  const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
  const families: [string, { onnx: Uint8Array; card: object }][] = [
    ['lightgbm', { onnx: treeFile('lightgbm'), card: TREE_CARD }],
    ['gru', { onnx: gruFile(), card: GRU_CARD }],
    [
      'deciles',
      {
        onnx: plainModel({ fan: DECILES.map((level) => 2.6 * (level - 0.5)), inputs: 4 }),
        card: { ...TREE_CARD, name: 'Deciles', output: 'fan', lookback: 4, quantiles: DECILES },
      },
    ],
    [
      'beside-others',
      {
        onnx: plainModel({ inputs: 3 }),
        card: {
          ...TREE_CARD,
          output: 'fan',
          lookback: 4,
          inputs: [
            { name: 'return_1' },
            { name: 'return_1', symbol: 'ETHUSDT' },
            { name: 'return_1', timeframe: '4h' },
          ],
        },
      },
    ],
  ]

  it.each(families)('is judged, and traded by a bot as by its backtest: %s', async (version, { onnx, card }) => {
    nowMs = BTC.ts[LEARNT]! + 60_000
    const parts = { onnx, card: { ...card, signalThreshold: 0 } }
    const { status, body } = await sendUpload(app, { version }, parts, owner)
    expect([status, body.error]).toEqual([200, undefined])
    expect(body.artifact.evaluation.accuracy.outcomes).toBe(400)
    // Its fan has the levels of every other, and covers about as much of the hold-out.
    expect(body.artifact.evaluation.fan[0].coverage90).toBeGreaterThan(0.8)
    const id = await started({ name: version, mlModelVersion: version, takeProfitPct: 1, stopLossPct: 1 })
    for (let i = 0; i < 16; i++) await close()
    const { liveTrades, backtestTrades, differences } = await get(`bots/${id}/parity`)
    expect(liveTrades).toBeGreaterThan(0)
    expect([backtestTrades, differences]).toEqual([liveTrades, []])
  })
})

describe('an upload that bots are pinned to', () => {
  it('is not deleted, whatever their state; the answer names them as the person may see them', async () => {
    const id = await started()
    const stopped = await started({ name: 'Shown', visibility: 'public' })
    await started({ name: 'Theirs' })
    await untilHolding(id)
    await db.pool.query("update trading.artifacts set origin = 'uploaded', uploaded_by = $1", [manager.userId])
    await retrained()
    const refused = async (as: Person) => {
      const { status, body } = await call(app, 'DELETE', `/api/ml/artifacts/${first}`, { as })
      expect([status, body.code]).toEqual([409, 'model_in_use'])
      return body.error.split(': ')[1]
    }
    expect(await refused(manager)).toBe(
      'Shown and 2 bots of others. Have them take another model first, or delete them.',
    )
    expect(await refused(bench.users.admin)).toContain('Follower, Shown, Theirs. ')
    await post(`bots/${stopped}/stop`, { position: 'keep' })
    await db.pool.query('delete from trading.bots where id <> $1', [stopped])
    expect(await refused(manager)).toContain('Shown. ')
    await db.pool.query('update trading.bots set visibility = $1', ['private'])
    expect(await refused(manager)).toContain('1 bot of others. ')
    await db.pool.query('delete from trading.bots')
    const gone = await call(app, 'DELETE', `/api/ml/artifacts/${first}`, { as: manager })
    expect([gone.status, gone.body.predicted]).toEqual([200, false])
  })
})

describe('a bot without a model', () => {
  it('says so once, and decides again when there is one', async () => {
    const id = await started()
    await db.pool.query('delete from trading.bot_models')
    await post('ml/models/v3/stage', { stage: 'staging' }, manager)
    for (let i = 0; i < 3; i++) await close()
    const { decisions } = await get(`bots/${id}/decisions`)
    expect(decisions.map(({ reason }: { reason: string }) => reason)).toEqual([
      'It still has no model, so it decides nothing.',
      'It still has no model, so it decides nothing.',
      expect.stringContaining('No production model is trained on BTCUSDT 1h'),
    ])
    const { rows } = await db.pool.query("select title, user_id from platform.notifications where kind = 'model'")
    expect(rows).toEqual([{ title: 'Follower has no model for BTCUSDT', user_id: owner.userId }])
    await post('ml/models/v3/stage', { stage: 'production' }, manager)
    await close()
    expect(await modelOf(id)).toMatchObject({ artifactId: first })
  })
})

describe('a version that is taken out of production', () => {
  it('names the bots that trade on it, which go on with what they pinned, and is taken back', async () => {
    const id = await started()
    await started({ name: 'Named', mlModelVersion: 'v3' })
    await started({ name: 'Shown', visibility: 'public' })
    const asked = (as: Person) => get('ml/models/v3/bots', as)
    expect(await asked(manager)).toEqual({ bots: [expect.objectContaining({ name: 'Shown' })], others: 2 })
    expect((await asked(bench.users.admin)).bots.map(({ name }: { name: string }) => name)).toEqual([
      'Follower',
      'Named',
      'Shown',
    ])
    expect((await call(app, 'GET', '/api/ml/models/v3/bots', { as: owner })).status).toBe(403)
    await post('ml/models/v3/stage', { stage: 'staging' }, manager)
    for (let i = 0; i < 3; i++) await close()
    const { decisions } = await get(`bots/${id}/decisions`)
    expect(decisions).toHaveLength(3)
    for (const { votes } of decisions) expect(votes).toMatchObject([{ version: 'v3' }])
    expect(await get(`bots/${id}`)).toMatchObject({ status: 'active', models: [{ artifactId: first, offer: null }] })
    const told = await db.pool.query("select title, text, user_id from platform.notifications where kind = 'model'")
    expect(told.rows).toEqual([
      {
        user_id: owner.userId,
        title: 'v3 is out of production',
        text: expect.stringContaining('Follower, Named, Shown: goes on with the model of its start.'),
      },
    ])
    await post('ml/models/v3/stage', { stage: 'production' }, manager)
    await close()
    expect(await modelOf(id)).toMatchObject({ artifactId: first, offer: null })
  })

  it('pauses them where the person says so', async () => {
    const id = await started()
    await post('ml/models/v3/stage', { stage: 'staging', bots: 'pause' }, manager)
    expect(await get(`bots/${id}`)).toMatchObject({
      status: 'paused',
      statusReason: 'v3 was taken out of production, and its bots were paused.',
    })
    const { rows } = await db.pool.query(
      "select actor_id from platform.audit where action = 'bot.paused' and subject_id = $1",
      [id],
    )
    expect(rows).toEqual([{ actor_id: manager.userId }])
    await close()
    expect((await get(`bots/${id}/decisions`)).decisions).toMatchObject([{ rule: 'paused' }])
    // The one that it pinned is there still.
    expect((await post(`bots/${id}/start`)).models).toMatchObject([{ artifactId: first }])
  })
})
