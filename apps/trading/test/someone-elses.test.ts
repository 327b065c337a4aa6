import { brotliCompressSync } from 'node:zlib'
import { endpointsOf } from '@shapecast/contracts/table'
import { expect, it } from 'vitest'
import { memoryVenue } from './support/memory-venue.ts'
import { SAMPLE_DETAIL, SAMPLE_RUN } from './support/sample-run.ts'
import { type Answer, call } from './support/service-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'
import { wholeService } from './support/whole-service.ts'

/** What belongs to somebody, asked for by everybody: the whole service as it is mounted, nobody at work behind it. */
const made: Record<string, string> = {}

type Who = 'nobody' | 'owner' | 'other' | 'manager' | 'admin'
const ask = (who: Who, request: string, body?: unknown): Promise<Answer> => {
  const [method, path] = request.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string]
  const url = `/bot${path.replace(/\{(\w+)\}/g, (_, name: string) => made[name]!)}`
  return call(app, method, url, { as: who === 'nobody' ? null : users[who], body })
}
const make = async (who: Who, path: string, body: unknown, id: string): Promise<string> => {
  const reply = await ask(who, `POST /api/${path}`, body)
  expect([reply.status, path]).toEqual([200, path])
  return reply.body[id]
}

const { app, db, users } = await wholeService({ venue: memoryVenue({ 'BTCUSDT 1h': MODEL_CANDLES }) })
made.artifact = await addQuickModel(db, 'v3', 'BTCUSDT', MODEL_CANDLES)
made.upload = await addQuickModel(db, 'net', 'BTCUSDT', MODEL_CANDLES, { seed: 2 })
await db.pool.query("update trading.artifacts set origin = 'uploaded', uploaded_by = $1 where id = $2", [
  users.owner.userId,
  made.upload,
])
const run = await db.pool.query(
  `insert into trading.backtest_runs (user_id, venue, symbol, timeframe, summary, created_at_ms)
   values ($1, 'test', 'BTCUSDT', '1h', $2, 0) returning id`,
  [users.owner.userId, SAMPLE_RUN],
)
made.run = run.rows[0].id
/** A run that is stored whole, of a bot. */
async function runOf(botId: string): Promise<string> {
  const summary = { ...SAMPLE_RUN, params: { ...SAMPLE_RUN.params, mode: 'bot' as const, botId } }
  const { rows } = await db.pool.query(
    `insert into trading.backtest_runs (user_id, bot_id, venue, symbol, timeframe, summary, created_at_ms)
     values ($1, $2, 'test', 'BTCUSDT', '1h', $3, 0) returning id`,
    [users.owner.userId, botId, summary],
  )
  await db.pool.query('insert into trading.backtest_run_details (run_id, bytes) values ($1, $2)', [
    rows[0].id,
    brotliCompressSync(JSON.stringify(SAMPLE_DETAIL)),
  ])
  return rows[0].id
}
made.dataset = await make('owner', 'ml/dataset/save', { symbol: 'BTCUSDT', limit: 50 }, 'id')
made.training = await make('owner', 'ml/train', { version: 'v9', symbol: 'BTCUSDT' }, 'jobId')
const model = { mlModelVersion: 'v3', tradingPairs: ['BTCUSDT'] }
made.secret = await make('owner', 'bots', { name: 'Secret', ...model }, 'botId')
made.shown = await make('owner', 'bots', { name: 'Shown', visibility: 'public', ...model }, 'botId')
made.alert = await make(
  'owner',
  'alerts',
  { rule: { kind: 'price', symbol: 'BTCUSDT', direction: 'above', price: 1 } },
  'id',
)
made.rule = await make('owner', 'rules', { name: 'Secret rule', text: 'enter: close > 1 time: 2' }, 'id')
made.secretRun = await runOf(made.secret)
made.shownRun = await runOf(made.shown)
made.shownRunToo = await runOf(made.shown)
made.backtest = await make('manager', 'ml/backtest', { mlModelVersion: 'v3', symbol: 'BTCUSDT' }, 'jobId')
made.walkForward = await make(
  'manager',
  'walk-forwards',
  {
    search: {
      kind: 'policy',
      policy: 'steady_risk',
      symbol: 'BTCUSDT',
      parameters: [{ name: 'riskPct', values: [20, 40] }],
    },
    train: 300,
    test: 100,
  },
  'id',
)
made.batch = await make(
  'manager',
  'batches',
  { mode: 'rule', rule: 'enter: close > 1 time: 2', symbols: ['BTCUSDT'], timeframes: ['1h'] },
  'id',
)
made.search = await make(
  'manager',
  'searches',
  { kind: 'policy', policy: 'steady_risk', symbol: 'BTCUSDT', parameters: [{ name: 'riskPct', values: [20, 40] }] },
  'id',
)

/** Those who are refused come first: what belongs to somebody is still there for the next one. */
const REQUESTS: readonly [request: string, answers: Partial<Record<Who, number>>, body?: string][] = [
  ['PATCH /api/alerts/{alert}', { nobody: 401, other: 404, manager: 404, admin: 404, owner: 200 }, 'alert'],
  ['DELETE /api/alerts/{alert}', { nobody: 401, other: 404, manager: 404, admin: 404, owner: 200 }],
  ['POST /api/alerts/{alert}/restore', { nobody: 401, other: 404, manager: 404, admin: 404, owner: 200 }],
  ['GET /api/rules/{rule}', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['GET /public/rules/{rule}', { nobody: 404, other: 404, manager: 404 }],
  ['PATCH /api/rules/{rule}', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }, 'run'],
  ['POST /api/rules/{rule}/versions', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }, 'rule'],
  ['DELETE /api/rules/{rule}', { nobody: 401, other: 404, manager: 404, owner: 200, admin: 404 }],
  ['POST /api/ml/datasets/active', { nobody: 401, other: 404, manager: 404, admin: 404, owner: 200 }, 'dataset'],
  ['DELETE /api/ml/datasets/{dataset}', { nobody: 401, other: 404, manager: 404, admin: 404, owner: 200 }],
  ['GET /api/ml/train/jobs/{training}', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['POST /api/ml/train/jobs/{training}/repeat', { nobody: 401, other: 404, manager: 404, admin: 409, owner: 409 }],
  ['POST /api/jobs/{training}/cancel', { nobody: 401, other: 404, manager: 404, owner: 200, admin: 409 }],
  ['GET /api/backtest/jobs/{backtest}', { nobody: 401, owner: 404, other: 404, manager: 200, admin: 200 }],
  ['POST /api/jobs/{backtest}/cancel', { nobody: 401, owner: 404, other: 404, admin: 200, manager: 409 }],
  ['GET /api/walk-forwards/{walkForward}', { nobody: 401, owner: 404, other: 404, manager: 200, admin: 200 }],
  ['GET /api/batches/{batch}', { nobody: 401, owner: 404, other: 404, manager: 200, admin: 200 }],
  ['GET /api/walk-forwards/{walkForward}/export', { nobody: 401, owner: 404, other: 404, manager: 409, admin: 409 }],
  ['GET /api/batches/{batch}/export', { nobody: 401, owner: 404, other: 404, manager: 409, admin: 409 }],
  ['GET /api/searches/{search}/export', { nobody: 401, owner: 404, other: 404, manager: 409, admin: 409 }],
  ['GET /api/searches/{search}', { nobody: 401, owner: 404, other: 404, manager: 200, admin: 200 }],
  ['POST /api/searches/{search}/take', { nobody: 401, owner: 404, other: 404, manager: 409, admin: 409 }, 'run'],
  ['DELETE /api/searches/{search}', { nobody: 401, owner: 404, other: 404, manager: 409, admin: 409 }],
  ['GET /api/backtest/compare?ids={shownRun},{shownRunToo}', { nobody: 401, other: 200, manager: 200, admin: 200 }],
  ['GET /public/backtest/compare?ids={shownRun},{shownRunToo}', { nobody: 200, other: 200, admin: 200 }],
  [
    'GET /api/backtest/compare?ids={shownRun},{secretRun}',
    { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 },
  ],
  [
    'GET /public/backtest/compare?ids={shownRun},{secretRun}',
    { nobody: 404, other: 404, manager: 404, admin: 404, owner: 200 },
  ],
  ['GET /public/backtest/compare/export?ids={shownRun},{shownRunToo}', { nobody: 200, other: 200, admin: 200 }],
  [
    'GET /api/backtest/compare/export?ids={shownRun},{secretRun}',
    { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 },
  ],
  [
    'GET /public/backtest/compare/export?ids={shownRun},{secretRun}',
    { nobody: 404, other: 404, manager: 404, admin: 404, owner: 200 },
  ],
  ['PATCH /api/backtest/runs/{run}', { nobody: 401, other: 404, manager: 404, owner: 200, admin: 200 }, 'run'],
  ['DELETE /api/backtest/runs/{run}', { nobody: 401, other: 404, manager: 404, owner: 200, admin: 404 }],
  ['GET /api/backtest/runs/{secretRun}', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['GET /public/backtest/runs/{secretRun}', { nobody: 404, other: 404, manager: 404, admin: 404, owner: 200 }],
  ['GET /api/backtest/runs/{secretRun}/export', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['PATCH /api/backtest/runs/{secretRun}', { nobody: 401, other: 404, manager: 404, owner: 200, admin: 200 }, 'run'],
  ['DELETE /api/backtest/runs/{secretRun}', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 404 }],
  ['GET /api/backtest/runs/{shownRun}', { nobody: 401, other: 200, manager: 200, admin: 200, owner: 200 }],
  ['GET /public/backtest/runs/{shownRun}', { nobody: 200, other: 200, manager: 200, admin: 200, owner: 200 }],
  ['GET /public/backtest/runs/{shownRun}/export', { nobody: 200, other: 200, manager: 200, admin: 200, owner: 200 }],
  ['PATCH /api/backtest/runs/{shownRun}', { nobody: 401, other: 404, manager: 404, owner: 200, admin: 200 }, 'run'],
  ['GET /api/bots/{secret}', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['GET /public/bots/{secret}', { nobody: 404, other: 404, manager: 404, admin: 404, owner: 404 }],
  ['GET /public/bots/{shown}', { nobody: 200, other: 200, manager: 200, admin: 200, owner: 200 }],
  ['GET /api/bots/{secret}/last-prediction', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['POST /api/bots/{secret}/poll-prediction', { nobody: 401, other: 404, manager: 404, admin: 200, owner: 200 }],
  ['POST /api/bots/{shown}/poll-prediction', { nobody: 401, other: 200, manager: 200, admin: 200, owner: 200 }],
  ['POST /api/backtest/jobs', { nobody: 401, owner: 403, other: 403, manager: 404, admin: 200 }, 'secret'],
  ['GET /api/bots/{secret}/rebalance', { nobody: 401, other: 404, manager: 404, admin: 422, owner: 422 }],
  ['GET /api/bots/{shown}/rebalance', { nobody: 401, other: 403, manager: 403, admin: 422, owner: 422 }],
  ['POST /api/bots/{secret}/rebalance', { nobody: 401, other: 404, manager: 404, admin: 422, owner: 422 }],
  ['POST /api/bots/{shown}/rebalance', { nobody: 401, other: 403, manager: 403, admin: 422, owner: 422 }],
  ['GET /api/bots/{secret}/rebalances', { nobody: 401, other: 404, manager: 404, admin: 422, owner: 422 }],
  ['DELETE /api/bots/{secret}', { nobody: 401, other: 404, manager: 404, owner: 200 }],
  ['DELETE /api/bots/{shown}', { nobody: 401, other: 403, manager: 403, admin: 200 }],
  ['POST /api/ml/models/net/stage', { nobody: 401, owner: 403, other: 403, manager: 200, admin: 200 }, 'stage'],
  ['POST /api/ml/artifacts/{artifact}/promote', { nobody: 401, owner: 403, other: 403, manager: 200, admin: 200 }],
  ['DELETE /api/ml/artifacts/{upload}', { nobody: 401, other: 403, owner: 200 }],
]

it.each(REQUESTS)('%s is answered %o', async (request, answers, what) => {
  const bodies: Record<string, unknown> = {
    dataset: { id: made.dataset },
    secret: { botId: made.secret },
    stage: { stage: 'staging' },
    run: { name: 'Mine' },
    alert: { isOn: false },
    rule: { text: 'enter: close > 1 time: 2', after: 1 },
  }
  const body = what === undefined ? (request.startsWith('POST') ? {} : undefined) : bodies[what]
  const found: Partial<Record<Who, number>> = {}
  for (const who of Object.keys(answers) as Who[]) found[who] = (await ask(who, request, body)).status
  expect(found).toEqual(answers)
})

const named = endpointsOf('trading').filter(([, { path, access }]) => path.includes('/:id') && access === 'user')
const ofBots = named.filter(([, { path }]) => path.startsWith('/api/bots/:id'))

it.each(ofBots)('another user gets 404 for a private bot: %s', async (name, { method, path, publicPath }) => {
  const { botId } = (await ask('owner', 'POST /api/bots', { name: `Private ${name}`, tradingPairs: ['BTCUSDT'] })).body
  const body = method === 'POST' ? { symbol: 'BTCUSDT' } : method === 'PATCH' ? { name: 'Taken' } : undefined
  const statusOf = async (who: Who, request: string) => (await ask(who, request.replace(':id', botId), body)).status
  for (const who of ['other', 'manager'] as const)
    expect([who, await statusOf(who, `${method} ${path}`)]).toEqual([who, 404])
  if (publicPath !== undefined) expect(await statusOf('owner', `GET ${publicPath}`)).toBe(404)
})

it('tries every call that names a thing with an owner', () => {
  const tried = new Set(REQUESTS.map(([request]) => request.replace(/\{\w+\}/g, ':id')))
  const left = named
    .filter((entry) => !ofBots.includes(entry))
    .filter(([, { method, path }]) => !tried.has(`${method} ${path}`))
  // Models are for everybody who is signed in, as tried below; private-orders.test.ts tries orders, retraining.test.ts its own.
  expect(left.map(([name]) => name).sort()).toEqual([
    'artifactCard',
    'artifactOnnx',
    'cancelOrder',
    'endRetraining',
    'importance',
    'modelDetail',
    'requestImportance',
    'uploadModel',
  ])
})

it('predictions of a private bot are left out of what others are told', async () => {
  const { botId } = (await ask('owner', 'POST /api/bots', { name: 'Mine', tradingPairs: ['BTCUSDT'] })).body
  made.mine = botId
  expect((await ask('owner', 'POST /api/bots/{mine}/poll-prediction')).status).toBe(200)
  for (const [who, path] of [
    ['nobody', '/public'],
    ['owner', '/public'],
    ['other', '/api'],
    ['manager', '/api'],
  ] as const)
    expect((await ask(who, `GET ${path}/bots/last-predictions?ids={mine}`)).body).toEqual({})
  for (const who of ['owner', 'admin'] as const)
    expect(Object.keys((await ask(who, 'GET /api/bots/last-predictions?ids={mine}')).body)).toEqual([botId])
})

it('an artifact is downloaded by everybody who is signed in, an uploaded one too, and by nobody else', async () => {
  const found: Record<string, number[]> = {}
  for (const who of ['nobody', 'other', 'manager', 'owner', 'admin'] as const) {
    const headers = who === 'nobody' ? {} : { authorization: `Bearer ${users[who].token}` }
    const statusOf = async (id: string) =>
      (await app.inject({ url: `/bot/api/ml/artifacts/${id}/onnx`, headers })).statusCode
    found[who] = [await statusOf(made.artifact!), await statusOf(users.owner.userId)]
  }
  expect(found).toEqual({
    nobody: [401, 401],
    other: [200, 404],
    manager: [200, 404],
    owner: [200, 404],
    admin: [200, 404],
  })
})
