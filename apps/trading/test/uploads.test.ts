import { createHash, randomUUID } from 'node:crypto'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { openApiOf } from '@shapecast/contracts/openapi'
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { backtestBot } from '../src/backtests/backtest-bot.ts'
import { orderOf } from '../src/backtests/backtest-order.ts'
import { bots } from '../src/bots/tables.ts'
import { predictionRoutes } from '../src/forecasts/routes.ts'
import { activate, insertArtifact } from '../src/models/active-artifacts.ts'
import { requestFirstModel } from '../src/models/first-model.ts'
import { mlRoutes } from '../src/models/routes.ts'
import { artifacts } from '../src/models/tables.ts'
import { uploadRoutes } from '../src/models/uploads/routes.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { addQuickModel } from './support/small-model.ts'
import { GRU_CARD, sendUpload } from './support/uploaded-model.ts'

const BTC = generateCandles({ candles: 2200, seed: 6 })
const HOUR = 3_600_000
const DAY = 86_400_000
const ASKED = BacktestRequest.parse({
  mode: 'model',
  mlModelVersion: 'gru',
  symbol: 'BTCUSDT',
  positionSize: 1,
  leverage: 1,
  maxDrawdown: 100,
  initialBalance: 100_000,
})
const UNANIMOUS = { strategy: 'unanimous', minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' } as const
let clockMs = BTC.ts[2199]! + HOUR

const venue = memoryVenue({
  'BTCUSDT 1h': BTC,
  'ETHUSDT 1h': generateCandles({ candles: 2200, seed: 7 }),
  'SOLUSDT 1h': sliceCandles(BTC, 0, 1000),
})
const bench = await createPartsBench(venue, () => clockMs)
const parts = bench.parts
const app = bench.mount((server) => {
  mlRoutes(server, parts.models().models, parts.models().trainings)
  predictionRoutes(server, parts.forecasts().predictions)
  uploadRoutes(server, parts.uploads(), parts.models().modelStore)
})
await addQuickModel(bench.db, 'v3', 'BTCUSDT', BTC, {}, 2000)
afterAll(() => bench.close())

type Parts = Parameters<typeof sendUpload>[2]
const upload = (version: string, parts: Parts = {}, as: Person | null = bench.users.owner, symbol = 'BTCUSDT') =>
  sendUpload(app, { version, symbol }, parts, as)
const get = (path: string) => call(app, 'GET', `/api/ml/${path}`, { as: bench.users.owner })
const remove = (id: string, as: Person | null) => call(app, 'DELETE', `/api/ml/artifacts/${id}`, { as })
const artifactsOf = async (version: string) => (await get(`models/${version}`)).body.artifacts
/** An upload as it is kept, without its trial: file and figures are those of `told`, the hash too where it has no name. */
async function kept(version: string, name?: string): Promise<{ id: string; hash: string; active: boolean }> {
  const { userId } = bench.users.owner
  const [told] = await bench.db.orm.select().from(artifacts).where(eq(artifacts.version, 'told'))
  const hash = name === undefined ? told!.hash : createHash('sha256').update(name).digest('hex')
  const artifact = { ...told!, id: undefined, version, hash, uploadedBy: userId }
  const id = await bench.db.orm.transaction((tx) => insertArtifact(tx, artifact, { userId, isManager: false }, clockMs))
  return (await artifactsOf(version)).find((one: { id: string }) => one.id === id)
}
const counts = async () => {
  const { rows } = await bench.db.pool.query(
    'select (select count(*)::int from trading.models) as models, (select count(*)::int from trading.artifacts) as artifacts',
  )
  return rows[0]
}
const onRecord = async (action: string) =>
  (await bench.db.pool.query('select * from platform.audit where action = $1 order by id', [action])).rows

describe('an upload', () => {
  it('is tried out, judged on the newest 400 candles, and starts in staging as what it is', async () => {
    const { status, body } = await upload('gru')
    expect([status, body.code ?? null]).toEqual([200, null])
    expect(body).toMatchObject({ version: 'gru', stage: 'staging' })
    expect(body.artifact).toMatchObject({
      origin: 'uploaded',
      symbol: 'BTCUSDT',
      timeframe: '1h',
      active: true,
      comparison: null,
      trainedFrom: null,
      seed: null,
      settings: null,
      learningCurves: null,
      features: ['return_1', 'range', 'log_sigma', 'volume_z'],
      holdoutFrom: BTC.ts[1799],
      holdoutTo: BTC.ts[2198],
      upload: { name: 'A GRU from PyTorch', author: 'Ada', holdoutSeen: 'unknown', lookback: 16, opset: 17 },
    })
    expect(body.artifact.upload.seenWords).toContain('Nobody here knows what it has seen')
    expect(body.artifact.evaluation.accuracy.outcomes).toBe(400)
    const listed = (await get('models')).body.models.find((model: { version: string }) => model.version === 'gru')
    expect(listed).toMatchObject({ stage: 'staging', artifacts: [{ origin: 'uploaded' }] })
    expect(await onRecord('model.uploaded')).toMatchObject([
      { actor_id: bench.users.owner.userId, subject_id: 'gru', after: { name: 'A GRU from PyTorch' } },
    ])
  })

  it('predicts, has a fan with its realised coverage, a history that may be in-sample, and stands beside ours', async () => {
    const asked = { symbol: 'BTCUSDT', timeframe: '1h', version: 'gru' }
    const post = (path: string, body: object) => call(app, 'POST', `/api/ml/${path}`, { as: bench.users.owner, body })
    const predicted = (await post('predict', asked)).body
    expect(predicted).toMatchObject({ version: 'gru', timestamp: BTC.ts[2199] })
    // It has one median, which stands for both networks.
    expect(predicted.lstm_prediction).toBe(predicted.transformer_prediction)
    const multi = await post('predict-multi', { ...asked, versions: ['gru', 'v3'] })
    expect(multi.body.results.map((result: { error: string | null }) => result.error)).toEqual([null, null])
    expect(multi.body.results[0].prediction).toEqual(predicted)
    const cloud = (await post('predict-cloud', { symbol: 'BTCUSDT', lookback: 16, params: { version: 'gru' } })).body
    expect(cloud).toMatchObject({ version: 'gru', lookback: 16, points: { length: 8 } })
    expect(cloud.coverage.holdout).toHaveLength(8)
    const history = (await get('predictions?symbol=BTCUSDT&version=gru&limit=500')).body
    expect(history).toHaveLength(500)
    expect(history.every((row: { trainedOn: boolean }) => row.trainedOn)).toBe(true)
    // Nothing has happened since it came: what it has not seen is nothing yet.
    const compared = await post('compare', { versions: ['gru', 'v3'], symbol: 'BTCUSDT' })
    expect([compared.status, compared.body.code]).toEqual([422, 'too_few_candles'])
  })

  it('is backtested, with everything until its upload told apart as possibly learnt from', async () => {
    const order = orderOf(ASKED, null)
    const { summary, detail } = await backtestBot(parts.backtest(), order)
    expect(summary).toMatchObject({ candles: 1000, seenRatio: 1, params: { mlModelVersion: 'gru' } })
    expect(detail.seen).toMatchObject({ ranges: [{ version: 'gru', basis: 'unknown' }], unseen: null })
    expect(detail.meta.hashes.models).toEqual([(await artifactsOf('gru'))[0].hash])
    expect(detail.meta.signals.buy + detail.meta.signals.sell).toBeGreaterThan(0)
    // An ensemble with ours: both kinds vote, and the same order comes to the same result.
    const both = { ...order, plan: { ...order.plan, versions: ['v3', 'gru'], consensus: UNANIMOUS } }
    const first = await backtestBot(parts.backtest(), both)
    expect(first.detail.seen.ranges.map(({ basis }) => basis)).toEqual(['trained', 'unknown'])
    const again = await backtestBot(parts.backtest(), both)
    expect(again.detail.meta.hashes).toEqual(first.detail.meta.hashes)
  })

  it('is sealed at the close of a candle, after ours', async () => {
    await parts.forecasts().seal('BTCUSDT', '1h', BTC.ts[2199]!)
    const { rows } = await bench.db.pool.query(
      'select version, artifact_hash, lstm = transformer as one_median from trading.sealed_predictions order by seq',
    )
    const [{ hash }] = await artifactsOf('gru')
    expect(rows).toMatchObject([{ version: 'v3' }, { version: 'gru', artifact_hash: hash, one_median: true }])
  })

  it('is compared with ours on candles after both by the word of its author', async () => {
    const card = { ...GRU_CARD, trained: { from: BTC.ts[0], to: BTC.ts[1500] } }
    const { body } = await upload('told', { card })
    expect(body.artifact).toMatchObject({ trainedFrom: BTC.ts[0], trainedTo: BTC.ts[1500] })
    expect(body.artifact.upload).toMatchObject({ holdoutSeen: 'no', trained: card.trained })
    const compared = await call(app, 'POST', '/api/ml/compare', {
      as: bench.users.owner,
      body: { versions: ['told', 'v3'], symbol: 'BTCUSDT' },
    })
    // v3 was trained on 2,000 candles, so that its hold-out begins with the forecast of candle 1599.
    expect(compared.body).toMatchObject({ from: BTC.ts[1599], outcomes: 600, models: { length: 2 } })
  })

  it('looks at another coin too, says which, and is predicted and backtested with it', async () => {
    const inputs = GRU_CARD.inputs.map((input, k) => (k === 1 ? { ...input, symbol: 'ETHUSDT' } : input))
    const { body } = await upload('beside', { card: { ...GRU_CARD, name: 'ETH leads', inputs } })
    expect(body.artifact.upload.beside).toEqual([{ symbol: 'ETHUSDT', timeframe: '1h' }])
    const predict = async (version: string) =>
      (
        await call(app, 'POST', '/api/ml/predict', {
          as: bench.users.owner,
          body: { symbol: 'BTCUSDT', timeframe: '1h', version },
        })
      ).body
    const [own, mixed] = [await predict('gru'), await predict('beside')]
    expect(mixed).toMatchObject({ version: 'beside', timestamp: own.timestamp })
    expect(mixed.lstm_prediction).not.toBe(own.lstm_prediction)
    const { detail } = await backtestBot(parts.backtest(), orderOf({ ...ASKED, mlModelVersion: 'beside' }, null))
    expect(detail.meta.signals.buy + detail.meta.signals.sell).toBeGreaterThan(0)
    const lost = await upload('lost', {
      card: { ...GRU_CARD, inputs: GRU_CARD.inputs.map((input) => ({ ...input, symbol: 'NOPEUSDT' })) },
    })
    expect([lost.status, lost.body.error]).toEqual([422, expect.stringContaining('NOPEUSDT')])
  })

  it('counts all until the end of its corpus as seen, where its author names that', async () => {
    const tripleBarrier = { upSigma: 0.5, downSigma: 0.5, candles: 4 }
    const card = { ...GRU_CARD, name: 'Pre-trained', corpusUntil: BTC.ts[2000], tripleBarrier }
    const { body } = await upload('corpus', { card })
    expect(body.artifact.upload).toMatchObject({ holdoutSeen: 'yes', trained: null, corpusUntil: BTC.ts[2000] })
    expect(body.artifact.upload.seenWords).toContain('so that all before counts as seen')
    expect(body.artifact.upload.ownLabel).toMatch(
      /^Its own label: \+0\.5 σ before −0\.5 σ within 4 candles\. Of \d+ of 400/,
    )
    const order = orderOf({ ...ASKED, mlModelVersion: 'corpus' }, null)
    const { detail } = await backtestBot(parts.backtest(), order)
    // The 1,000 newest candles are 1200 … 2199, and an outcome reaches eight candles on.
    expect(detail.seen.ranges).toMatchObject([
      { version: 'corpus', basis: 'declared', from: BTC.ts[1200], to: BTC.ts[2008] },
    ])
    expect(detail.seen.unseen).not.toBeNull()
  })

  it('serves several coins with one file, each judged by itself', async () => {
    const { body } = await upload('gru', {}, bench.users.owner, 'ETHUSDT')
    const [eth, btc] = await artifactsOf('gru')
    expect([eth.symbol, btc.symbol, eth.hash === btc.hash]).toEqual(['ETHUSDT', 'BTCUSDT', true])
    expect(body.artifact.evaluation.accuracy).not.toEqual(btc.evaluation.accuracy)
  })
})

it('the API reference lists both files of an upload', () => {
  const { paths } = openApiOf('trading', '0', '/') as {
    paths: Record<string, Record<string, { requestBody: unknown }>>
  }
  expect(paths['/api/ml/models/{id}/upload']?.post?.requestBody).toMatchObject({
    content: { 'multipart/form-data': { schema: { required: ['onnx', 'card'] } } },
  })
})

describe('who may upload', () => {
  it('is anybody signed in, under a new name or to a version of their own; managers to any', async () => {
    const { owner, other, manager } = bench.users
    expect((await upload('mine', {}, null)).status).toBe(401)
    expect((await upload('mine', {}, owner)).status).toBe(200)
    const again = { card: { ...GRU_CARD, name: 'Another' } }
    expect((await upload('mine', again, other)).body).toMatchObject({ code: 'forbidden', field: 'version' })
    expect((await upload('v3', again, owner)).body).toMatchObject({ code: 'forbidden', field: 'version' })
    expect((await upload('mine', again, manager)).status).toBe(200)
    expect(await artifactsOf('mine')).toHaveLength(2)
  })

  it('is nobody for the name under which the installation trains by itself, before it has', async () => {
    const fresh = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }))
    const ownParts = fresh.parts
    const own = fresh.mount((server) => uploadRoutes(server, ownParts.uploads(), ownParts.models().modelStore))
    expect((await sendUpload(own, { version: 'v3' }, {}, fresh.users.admin)).body).toMatchObject({ code: 'conflict' })
    // Nor does an upload keep it from training its first model.
    expect((await sendUpload(own, { version: 'other' }, {}, fresh.users.owner)).status).toBe(200)
    const { modelStore, trainings } = ownParts.models()
    await requestFirstModel(fresh.db.orm, modelStore, trainings, ownParts.log)
    const { rows } = await fresh.db.pool.query(
      "select payload->>'version' as version, payload->>'symbol' as symbol from trading.jobs",
    )
    expect(rows).toEqual([{ version: 'v3', symbol: 'BTCUSDT' }])
    await fresh.close()
  })

  it('is managers with files of up to 64 MB, who have 20 MB otherwise', async () => {
    const onnx = new Uint8Array(20 * 2 ** 20 + 1)
    expect((await upload('large', { onnx })).body.code).toBe('payload_too_large')
    expect((await upload('large', { onnx }, bench.users.manager)).body.error).toContain('not an ONNX file')
  })

  it('is everybody 20 times a day, and managers without end', async () => {
    const of = async (role: Person['role']): Promise<Person> => {
      const userId = randomUUID()
      return { userId, role, address: 'test', token: (await bench.sessions.issue({ userId, role })).accessToken }
    }
    const [busy, busyManager] = [await of('user'), await of('bot_manager')]
    const before = clockMs
    await bench.db.pool.query(
      `insert into platform.audit (actor_id, action, subject_type, subject_id, at)
       select u, 'model.uploaded', 'model', 'one that was deleted since', to_timestamp($2::float8 / 1000)
       from unnest($1::uuid[]) u, generate_series(1, 20)`,
      [[busy.userId, busyManager.userId], clockMs],
    )
    const refused = await upload('busy', {}, busy)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_requests',
      '86400',
    ])
    // Looked at, and refused for what it is.
    const none = { onnx: new TextEncoder().encode('not a network') }
    clockMs += DAY + 1
    expect((await upload('busy', none, busy)).body).toMatchObject({ code: 'unprocessable' })
    clockMs = before
    expect((await upload('managed', none, busyManager)).body).toMatchObject({ code: 'unprocessable' })
  })
})

describe('a refused upload says why and leaves nothing behind', () => {
  const cases: [
    what: string,
    parts: () => Parts,
    symbol: string,
    status: number,
    code: string,
    field: string | undefined,
    says: string,
  ][] = [
    ['without a card', () => ({ card: null }), 'BTCUSDT', 400, 'bad_input', 'card', 'no card'],
    ['with an empty file', () => ({ onnx: new Uint8Array(0) }), 'BTCUSDT', 400, 'bad_input', 'onnx', 'no ONNX file'],
    ['without a file', () => ({ onnx: null }), 'BTCUSDT', 400, 'bad_input', 'onnx', 'no ONNX file'],
    ['with a card that is no JSON', () => ({ card: '{' }), 'BTCUSDT', 400, 'bad_input', 'card', 'not a JSON file'],
    [
      'with a card of another format',
      () => ({ card: { ...GRU_CARD, format: 'x' } }),
      'BTCUSDT',
      400,
      'bad_input',
      'card.format',
      'format must be shapecast-foreign-model',
    ],
    [
      'with an unknown input',
      () => ({ card: { ...GRU_CARD, inputs: [{ name: 'tomorrow' }] } }),
      'BTCUSDT',
      400,
      'bad_input',
      'card.inputs',
      'no input named tomorrow',
    ],
    [
      'with an input of a coin that there is not',
      () => ({
        card: { ...GRU_CARD, inputs: [...GRU_CARD.inputs.slice(1), { name: 'return_1', symbol: 'NOPEUSDT' }] },
      }),
      'BTCUSDT',
      422,
      'unknown_symbol',
      undefined,
      'NOPEUSDT',
    ],
    [
      'with a training that ends before it begins',
      () => ({ card: { ...GRU_CARD, trained: { from: 2, to: 1 } } }),
      'BTCUSDT',
      400,
      'bad_input',
      'card.trained.to',
      'not earlier',
    ],
    [
      'with a training that ends after all time',
      () => ({ card: { ...GRU_CARD, trained: { from: 1, to: 8.64e15 + 1 } } }),
      'BTCUSDT',
      400,
      'bad_input',
      'card.trained.to',
      'A time is in ms since 1970',
    ],
    [
      'with half a character in a name',
      () => ({ card: { ...GRU_CARD, author: 'Ada\ud800' } }),
      'BTCUSDT',
      400,
      'bad_input',
      'card.author',
      'no invisible characters',
    ],
    [
      'with a description that cannot be stored',
      () => ({ card: { ...GRU_CARD, description: 'a\u0000b' } }),
      'BTCUSDT',
      400,
      'bad_input',
      'card.description',
      'cannot be stored',
    ],
    [
      'with a card of more than 64 KB',
      () => ({ card: { ...GRU_CARD, description: 'x'.repeat(70_000) } }),
      'BTCUSDT',
      413,
      'payload_too_large',
      'card',
      '64 KB',
    ],
    [
      'with a file of more than 20 MB',
      () => ({ onnx: new Uint8Array(20 * 2 ** 20 + 1) }),
      'BTCUSDT',
      413,
      'payload_too_large',
      'onnx',
      '20 MB',
    ],
    [
      'with a file that is none',
      () => ({ onnx: new TextEncoder().encode('not a network') }),
      'BTCUSDT',
      422,
      'unprocessable',
      'onnx',
      'not an ONNX file',
    ],
    [
      'whose file does not fit its card',
      () => ({ card: { ...GRU_CARD, lookback: 17 } }),
      'BTCUSDT',
      422,
      'unprocessable',
      'onnx',
      'should be [batch, 17, 4]',
    ],
    ['on a symbol that there is not', () => ({}), 'NOPEUSDT', 422, 'unknown_symbol', undefined, 'NOPEUSDT'],
    [
      'on a series without candles',
      () => ({ card: { ...GRU_CARD, timeframe: '4h' } }),
      'BTCUSDT',
      422,
      'no_candles',
      'symbol',
      'No candles',
    ],
    ['on a series with too few candles', () => ({}), 'SOLUSDT', 422, 'too_few_candles', undefined, 'needs'],
  ]
  it.each(cases)('%s', async (_what, parts, symbol, status, code, field, says) => {
    const before = await counts()
    const reply = await upload('refused', parts(), bench.users.owner, symbol)
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([status, code, field])
    expect(reply.body.error).toContain(says)
    expect(await counts()).toEqual(before)
    expect((await get('models/refused')).status).toBe(404)
  })

  it('the same file and card a second time', async () => {
    const before = await counts()
    expect((await upload('gru')).body).toMatchObject({ code: 'conflict', field: 'onnx' })
    expect(await counts()).toEqual(before)
  })

  it('with no multipart body', async () => {
    const reply = await call(app, 'POST', '/api/ml/models/refused/upload?symbol=BTCUSDT', {
      as: bench.users.owner,
      body: {},
    })
    expect([reply.status, reply.body.field]).toEqual([400, 'onnx'])
  })
})

describe('two uploads at once', () => {
  it('to one new version and series: one predicts, the other is held against it; nothing is lost', async () => {
    const other = { card: { ...GRU_CARD, name: 'The second', signalThreshold: 0.01 } }
    const [a, b] = await Promise.all([upload('twins'), upload('twins', other)])
    expect([a.status, b.status]).toEqual([200, 200])
    const artifacts = await artifactsOf('twins')
    expect(artifacts).toHaveLength(2)
    expect(artifacts.filter((one: { active: boolean }) => one.active)).toHaveLength(1)
    const compared = artifacts.filter((one: { comparison: unknown }) => one.comparison !== null)
    expect(compared).toHaveLength(1)
    expect(compared[0].comparison.verdict).toContain('neither has learnt from')
  })

  it('give a new name that two people want to the first', async () => {
    const { owner, other } = bench.users
    const replies = await Promise.all([upload('contested', {}, owner), upload('contested', {}, other)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await artifactsOf('contested')).toHaveLength(1)
  })

  it('a third of the same person is asked to wait', async () => {
    const parts = (name: string) => ({ card: { ...GRU_CARD, name } })
    const replies = await Promise.all(['1', '2', '3'].map((name) => upload('many', parts(name))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429])
  })
})

describe('an upload to a version in production', () => {
  it('takes over nothing by itself, whatever its author says; a manager promotes it', async () => {
    const { manager } = bench.users
    const [before] = await artifactsOf('v3')
    const card = { ...GRU_CARD, trained: { from: BTC.ts[0], to: BTC.ts[1200] } }
    const { body } = await upload('v3', { card }, manager)
    expect(body).toMatchObject({ stage: 'production', artifact: { active: false } })
    expect(body.artifact.comparison).toMatchObject({ againstId: before.id, takesOver: false, outcomes: 600 })
    expect((await artifactsOf('v3')).find((one: { active: boolean }) => one.active).id).toBe(before.id)
    const promoted = await call(app, 'POST', `/api/ml/artifacts/${body.artifact.id}/promote`, { as: manager, body: {} })
    expect(promoted.body).toMatchObject({ id: body.artifact.id, active: true })
    const predicted = await call(app, 'POST', '/api/ml/predict', { as: manager, body: { symbol: 'BTCUSDT' } })
    expect(predicted.body).toMatchObject({ version: 'v3', hash: body.artifact.hash })
    // In production it cannot be deleted from under those who follow it.
    expect((await remove(body.artifact.id, manager)).body).toMatchObject({ code: 'model_in_use' })
    await call(app, 'POST', `/api/ml/artifacts/${before.id}/promote`, { as: manager, body: {} })
    expect((await remove(body.artifact.id, manager)).status).toBe(200)
    expect((await remove(before.id, manager)).body).toMatchObject({ code: 'unprocessable' })
  })

  it('does not predict by itself where nothing else does either', async () => {
    const { manager } = bench.users
    const { body } = await upload('v3', {}, manager, 'ETHUSDT')
    expect(body).toMatchObject({ stage: 'production', artifact: { active: false, comparison: null } })
    const promoted = await call(app, 'POST', `/api/ml/artifacts/${body.artifact.id}/promote`, { as: manager, body: {} })
    expect(promoted.body).toMatchObject({ id: body.artifact.id, active: true })
  })
})

describe('deleting an upload', () => {
  it('is for who uploaded it and for managers; its name is free again', async () => {
    const { owner, other, manager } = bench.users
    const { id } = await kept('gone')
    await get('predictions?symbol=BTCUSDT&version=gone&limit=10')
    expect((await remove(id, null)).status).toBe(401)
    expect((await remove(id, other)).status).toBe(403)
    expect((await remove(id, owner)).body).toEqual({ version: 'gone', predicted: true, predictsNow: null })
    expect((await remove(id, owner)).status).toBe(404)
    expect((await get('models/gone')).status).toBe(404)
    const { rows } = await bench.db.pool.query('select 1 from trading.predictions where artifact_id = $1', [id])
    expect(rows).toEqual([])
    expect((await onRecord('model.upload_deleted')).at(-1)).toMatchObject({
      subject_id: 'gone',
      before: { artifactId: id },
    })
    const taken = await upload('gone', {}, other)
    expect(taken.status).toBe(200)
    expect((await remove(taken.body.artifact.id, manager)).status).toBe(200)
  })

  it('leaves what it said on record, and keeps the name that stands there', async () => {
    const [btc] = (await get('models/gru?symbol=BTCUSDT')).body.artifacts
    const [eth] = (await get('models/gru?symbol=ETHUSDT')).body.artifacts
    for (const { id } of [btc, eth]) expect((await remove(id, bench.users.owner)).status).toBe(200)
    expect((await get('models/gru')).body).toMatchObject({ version: 'gru', artifacts: [] })
    const { rows } = await bench.db.pool.query("select 1 from trading.sealed_predictions where version = 'gru'")
    expect(rows).toHaveLength(1)
  })

  it('hands over to the newest other one of its series, or to nobody, and says so', async () => {
    const { other, manager } = bench.users
    const made = [await kept('heirs', 'first'), await kept('heirs', 'second'), await kept('heirs')]
    expect(made.map(({ active }) => active)).toEqual([true, false, false])
    const [first, second, third] = made.map(({ id }) => id)
    const removed = (predictsNow: string | undefined | null) => ({ version: 'heirs', predicted: true, predictsNow })
    expect((await remove(first!, other)).status).toBe(403)
    expect((await remove(first!, manager)).body).toEqual(removed(third))
    expect((await get('predictions?symbol=BTCUSDT&version=heirs&limit=1')).body[0].hash).toBe(made[2]!.hash)
    expect((await remove(third!, manager)).body).toEqual(removed(second))
    expect((await remove(second!, manager)).body).toEqual(removed(null))
    expect((await onRecord('model.upload_deleted')).at(-1)).toMatchObject({
      before: { artifactId: second, active: true },
      after: { predictsNow: null },
    })
  })

  it('by two people at once is done once, and leaves no version behind', async () => {
    const { owner, manager } = bench.users
    const { id } = await kept('twice')
    const replies = await Promise.all([remove(id, owner), remove(id, manager)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await get('models/twice')).status).toBe(404)
    const done = await onRecord('model.upload_deleted')
    expect(done.filter(({ before }: { before: { artifactId: string } }) => before.artifactId === id)).toHaveLength(1)
  })

  it('while it is being promoted leaves the one before it, and what is worked out of it goes with it', async () => {
    const { manager } = bench.users
    const first = await kept('raced')
    const second = await kept('raced', 'second')
    // The promotion has read the artifact; the deletion is quicker.
    const row = await parts.models().modelStore.artifact(second.id)
    await bench.db.pool.query(
      "insert into trading.drift_states (artifact_id, decision, last_scored_ms) values ($1, 'holds', 1)",
      [second.id],
    )
    expect((await remove(second.id, manager)).body.predicted).toBe(false)
    await expect(bench.db.orm.transaction((tx) => activate(tx, row!))).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await artifactsOf('raced')).toMatchObject([{ id: first.id, active: true }])
    const { rows } = await bench.db.pool.query('select 1 from trading.drift_states where artifact_id = $1', [second.id])
    expect(rows).toEqual([])
    await remove(first.id, manager)
  })

  it('is refused while a bot trades on it', async () => {
    const { owner } = bench.users
    const { id, hash } = await kept('traded')
    await bench.db.orm.insert(bots).values({
      userId: owner.userId,
      name: 'Follows it',
      description: '',
      venue: 'replay',
      strategy: 'ml',
      status: 'stopped',
      visibility: 'private',
      isVirtual: true,
      tradingPairs: ['BTCUSDT'],
      positionSize: 0.001,
      maxDrawdown: 10,
      riskLevel: 'medium',
      initialBalance: 10,
      marketType: 'spot',
      leverage: 1,
      takeProfitPct: 0,
      stopLossPct: 0,
      mlModelVersion: 'traded',
      temporary: false,
      createdAt: 1,
    })
    const refused = await remove(id, owner)
    expect([refused.status, refused.body.code]).toEqual([409, 'model_in_use'])
    expect(refused.body.error).toContain('1 bot trades on traded')
    const [bot] = await parts.bots().bots.list({ userId: owner.userId, role: 'user' })
    const polled = await parts.bots().botPredictions.poll(bot!.id, { userId: owner.userId, role: 'user' })
    expect(polled.votes).toMatchObject([{ error: null, prediction: { hash } }])
  })
})
