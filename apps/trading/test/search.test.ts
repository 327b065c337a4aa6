import type { Search, SearchRequestInput, SearchResult } from '@shapecast/contracts/search'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { afterAll, describe, expect, it } from 'vitest'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { findJob } from '../src/ground/jobs/job-rows.ts'
import { SEARCH } from '../src/search/search-kind.ts'
import { searchWork } from '../src/search/search-work.ts'
import { openCandles } from '../src/trials/opened.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call, type Person } from './support/service-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'

const DAY = 86_400_000
const START = Date.parse('2022-01-01')

/** Days of a random walk; with an edge the day after a fall of more than 2 % rises. */
function days(seed: number, edge: number) {
  const random = createRandom(seed)
  let [close, before] = [100, 0]
  return candlesFromRows(
    Array.from({ length: 500 }, (_, day) => {
      const open = close
      const change = 0.02 * random.normal() + (before < -0.02 ? edge : 0)
      close = open * Math.exp(change)
      before = change
      return [START + day * DAY, open, 1.004 * Math.max(open, close), 0.996 * Math.min(open, close), close, 1]
    }),
  )
}

const HOURS = generateCandles({ candles: 1400, seed: 4 })
const venue = memoryVenue({
  'WALKUSDT 1d': days(1, 0),
  'EDGEUSDT 1d': days(2, 0.02),
  'ELSEUSDT 1d': days(3, 0),
  'BTCUSDT 1h': HOURS,
})
const bench = await createPartsBench(venue)
const { db, parts, users } = bench
const app = await bench.serve()
afterAll(() => bench.close())

const CROSS = 'enter: ema({fast}) > ema({slow}) exit: ema({fast}) < ema({slow})'
const CROSSES: SearchRequestInput = {
  kind: 'rule',
  rule: CROSS,
  symbol: 'WALKUSDT',
  timeframe: '1d',
  parameters: [
    { name: 'stopLossPct', values: [0, 5] },
    { name: 'fast', label: 'Fast EMA', values: [2, 4, 6, 8, 10] },
    { name: 'slow', values: [12, 16, 20, 30, 40] },
  ],
}
const DIPS: SearchRequestInput = {
  ...CROSSES,
  symbol: 'EDGEUSDT',
  rule: 'enter: roc(1) < -{fall}% time: {held}',
  parameters: [
    { name: 'fall', values: [1, 2, 3, 4] },
    { name: 'held', values: [1, 2, 3] },
  ],
}

const ask = (as: Person, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  call(app, method, `/bot/api/${path}`, { as, body })
const start = async (request: unknown, as = users.manager): Promise<string> => {
  const reply = await ask(as, 'POST', 'searches', request)
  expect(reply.body).toEqual({ id: expect.any(String) })
  return reply.body.id
}
/** Carries a search out as a worker does to whom the queue gives it. */
async function carry(id: string, threads = 2): Promise<void> {
  const { queueId } = (await findJob(db.orm, SEARCH, id))!
  const deps = { orm: db.orm, log: silentLogger(), now: Date.now }
  await carryOut(deps, SEARCH, searchWork({ ...parts.backtest(), db, threads }), { id, queueId }, AbortSignal.any([]))
}
const read = async (id: string, as = users.manager): Promise<Search> => (await ask(as, 'GET', `searches/${id}`)).body
async function searched(
  request: unknown,
  as = users.manager,
  threads?: number,
): Promise<Search & { result: SearchResult }> {
  const id = await start(request, as)
  await carry(id, threads)
  const found = await read(id, as)
  expect([found.status, found.error]).toEqual(['completed', null])
  return found as Search & { result: SearchResult }
}

describe('a search of a market without an edge', () => {
  it('finds that the best is no better than luck, and counts every combination as a try', async () => {
    const { id, result, verdict, progress, tries } = await searched(CROSSES)
    expect(verdict).toMatchObject({ code: 'cannot_tell', kept: 'opened', points: 50 })
    expect(progress).toMatchObject({ current: 50, total: 50 })
    expect(tries).toEqual({ count: 50, byKind: { search: 50 } })
    expect(result.searched).toMatchObject({ candles: 400, from: START })
    expect(result.kept).toMatchObject({ candles: 100, to: START + 499 * DAY })
    expect(result.parameters.map(({ label }) => label)).toEqual(['Fast EMA', 'slow', 'Stop loss, % (0 is off)'])
    expect(result.luck.tries).toBe(50)
    const { body: file } = await app.inject({
      method: 'GET',
      url: `/bot/api/searches/${id}/export`,
      headers: { authorization: `Bearer ${users.manager.token}` },
    })
    const [heads, , second, ...more] = file.split('\n')
    expect(heads).toBe('fast,slow,stopLossPct,sharpe,net_return_pct,max_drawdown_pct,trades')
    expect([second!.slice(0, 7), more.length]).toEqual(['2,12,5,', 49])
    expect(result.overfitting!.choices).toBe(12_870)
    const { sharpe } = result.points
    expect(result.intervals).toHaveLength(Math.min(20, sharpe.filter((value) => value !== null).length))
    expect(result.intervals[0]).toEqual({ point: result.best.point, interval: result.best.interval })
    expect(result.best.sharpe).toBeCloseTo(Math.max(...sharpe.map((value) => value ?? -9)), 4)
    expect(result.moved.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9)
    expect(result.curves.best.at(-1)).not.toBeNull()
    expect(result.curves.median.at(-1)).toBeNull()

    const refused = await ask(users.manager, 'POST', `searches/${id}/take`, { name: 'Lucky' })
    expect(refused).toMatchObject({ status: 422, body: { error: expect.stringContaining('no better than luck') } })
    const { body } = await ask(users.manager, 'POST', `searches/${id}/take`, { name: 'Lucky', anyway: true })
    const { body: bot } = await ask(users.manager, 'GET', `bots/${body.botId}`)
    const { fast, slow, stopLossPct } = result.best.values
    expect(bot).toMatchObject({
      name: 'Lucky',
      isVirtual: true,
      status: 'stopped',
      stopLossPct,
      description: expect.stringContaining('Best of 50 combinations of a search: no better than luck'),
      parameters: {
        policy: 'rule',
        timeframe: '1d',
        rule: CROSS.replaceAll('{fast}', `${fast}`).replaceAll('{slow}', `${slow}`),
      },
    })
  })

  it('comes to the same, to the bit, whatever the number of threads', async () => {
    const results = []
    for (const threads of [1, 3]) {
      const { result } = await searched(
        { ...CROSSES, symbol: 'ELSEUSDT' },
        await bench.signIn(crypto.randomUUID(), 'bot_manager'),
        threads,
      )
      results.push({ ...result, seconds: 0 })
    }
    expect(results[0]).toEqual(results[1])
  })
})

describe('a search of a market with an edge', () => {
  it('finds it, and its settings may be taken', async () => {
    const { id, result, verdict } = await searched(DIPS)
    expect(verdict).toMatchObject({ code: 'better_than_luck', kept: 'opened' })
    expect(result.keptRun!.returnPct).toBeGreaterThan(result.keptRun!.holdPct)
    const { status, body } = await ask(users.manager, 'POST', `searches/${id}/take`, { name: 'Dips' })
    expect(status).toBe(200)
    const { body: bot } = await ask(users.manager, 'GET', `bots/${body.botId}`)
    expect(bot.description).toContain('more than luck, so far')
  })

  it('shows the kept part once: a second search of it proves nothing', async () => {
    const { body: ground } = await ask(users.manager, 'GET', 'searches/ground?symbol=EDGEUSDT&timeframe=1d')
    expect(ground.keptOpenedAt).toEqual(expect.any(Number))
    expect(ground.tries.count).toBe(12)
    const { id, result, verdict } = await searched({
      ...DIPS,
      parameters: [DIPS.parameters[0], { name: 'held', values: [1, 2] }],
    })
    expect(verdict!.kept).toBe('spent')
    expect(result.keptRun).toBeNull()
    expect(result.curves.best.at(-1)).toBeNull()
    expect(result.luck.tries).toBe(20)
    const refused = await ask(users.manager, 'POST', `searches/${id}/take`, { name: 'Again' })
    expect(refused).toMatchObject({ status: 422, body: { error: expect.stringContaining('kept unseen') } })
  })

  it('has a spent kept part where a backtest of the same user reached into it, not of another', async () => {
    const series = { venue: 'replay', symbols: ['EDGEUSDT'], timeframe: '1d' }
    const reached = { fromMs: START, toMs: START + 400 * DAY }
    await openCandles(db.orm, { userId: users.admin.userId, series, ...reached }, 7)
    const of = async (as: Person) =>
      (await ask(as, 'GET', 'searches/ground?symbol=EDGEUSDT&timeframe=1d')).body.keptOpenedAt
    expect([await of(users.admin), await of(users.other)]).toEqual([7, null])
    expect((await searched(DIPS, users.admin)).verdict!.kept).toBe('spent')
  })

  it('keeps nothing where nothing is to be kept', async () => {
    const { result, verdict } = await searched({ ...DIPS, keptPct: 0 })
    expect([verdict!.kept, result.kept, result.keptRun]).toEqual(['none', null, null])
    expect(result.searched.candles).toBe(500)
  })
})

it('searches the settings of a policy, and the threshold of a model', async () => {
  await addQuickModel(db, 'v3', 'BTCUSDT', MODEL_CANDLES)
  const ground = { symbol: 'BTCUSDT', timeframe: '1h', minTrades: 1 } as const
  const policy = await searched({
    ...ground,
    kind: 'policy',
    policy: 'steady_risk',
    parameters: [
      { name: 'riskPct', values: [20, 40, 60] },
      { name: 'maxDrawdown', values: [5, 90] },
    ],
  })
  expect(policy.result.best.rule).toBeNull()
  expect(policy.title).toBe('Steady risk on BTCUSDT 1h')
  const signal = await searched({
    ...ground,
    kind: 'signal',
    mlModelVersion: 'v3',
    parameters: [{ name: 'threshold', values: [0, 0.5, 1] }],
  })
  expect(signal.result.best.rule).toMatch(/^enter: p_up > 50% \+ (0|0.5|1)% exit: p_up < 50% - \1%$/)
  expect(signal.result.model).toMatchObject({ version: 'v3' })
  expect(signal.result.model!.seenRatio).toBeGreaterThan(0)
})

it('fails in words where no combination traded enough', async () => {
  const id = await start({ ...DIPS, minTrades: 900 })
  await carry(id)
  expect(await read(id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('None of the 12 combinations closed 900 trades'),
    result: null,
  })
})

it('counts the points that were run where it is cancelled, and opens nothing', async () => {
  const as = await bench.signIn(crypto.randomUUID(), 'bot_manager')
  const id = await start(DIPS, as)
  await db.pool.query(`update trading.jobs set progress = '{"current": 7, "total": 12, "leftS": 1}' where id = $1`, [
    id,
  ])
  expect((await ask(as, 'DELETE', `searches/${id}`)).status).toBe(409)
  expect((await ask(as, 'POST', `jobs/${id}/cancel`, {})).status).toBe(200)
  const { body: ground } = await ask(as, 'GET', 'searches/ground?symbol=EDGEUSDT&timeframe=1d')
  expect([ground.tries.count, ground.keptOpenedAt]).toEqual([7, null])
  expect((await ask(as, 'POST', `searches/${id}/take`, { name: 'Early', anyway: true })).status).toBe(409)
  expect((await ask(as, 'DELETE', `searches/${id}`)).status).toBe(200)
  expect((await ask(as, 'GET', `searches/${id}`)).status).toBe(404)
  expect((await ask(as, 'GET', 'searches/ground?symbol=EDGEUSDT&timeframe=1d')).body.tries.count).toBe(7)
})

it('managers start searches; their own user and admins read, export and delete them', async () => {
  const [nobody, ...others] = [null, users.owner, users.other]
  expect((await call(app, 'POST', '/bot/api/searches', { as: nobody!, body: DIPS })).status).toBe(401)
  for (const as of others) expect((await ask(as!, 'POST', 'searches', DIPS)).status).toBe(403)
  const id = await start(DIPS)
  const statusOf = async (as: Person, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    (await ask(as, method, path, body)).status
  for (const as of [users.owner, await bench.signIn(crypto.randomUUID(), 'bot_manager')]) {
    expect(await statusOf(as, 'GET', `searches/${id}`)).toBe(404)
    expect(await statusOf(as, 'POST', `searches/${id}/take`, { name: 'Mine' })).toBe(404)
    expect(await statusOf(as, 'DELETE', `searches/${id}`)).toBe(404)
    expect((await ask(as, 'GET', 'searches')).body).toEqual([])
  }
  for (const as of [users.manager, users.admin]) {
    expect(await statusOf(as, 'GET', `searches/${id}`)).toBe(200)
    expect((await ask(as, 'GET', 'searches?limit=1')).body).toMatchObject([
      { id, own: true, status: 'queued', verdict: null },
    ])
  }
  await ask(users.manager, 'POST', `jobs/${id}/cancel`, {})
})

const wrong: readonly [what: string, request: object, words: string][] = [
  ['a mark without values', { parameters: CROSSES.parameters.slice(0, 2) }, 'The rule marks {slow}: give its values'],
  [
    'an unknown name',
    { parameters: [...CROSSES.parameters, { name: 'luck', values: [1] }] },
    'luck is neither a {mark}',
  ],
  ['a rule that cannot be read', { rule: 'enter: emma({fast}) > ema({slow}) exit: close < 1' }, 'emma'],
  [
    'a value that the rule cannot have',
    {
      parameters: [
        { name: 'fast', values: [2, 0] },
        { name: 'slow', values: [9] },
      ],
    },
    'With fast 0:',
  ],
  [
    'one combination',
    { rule: 'enter: close > sma({n}) exit: close < 1', parameters: [{ name: 'n', values: [3] }] },
    'at least 2',
  ],
  [
    'too many',
    {
      parameters: ['fast', 'slow', 'stopLossPct'].map((name) => ({
        name,
        values: Array.from({ length: 30 }, (_, k) => k + 1),
      })),
    },
    '27000 combinations are too many',
  ],
  [
    'the same value twice',
    { parameters: [...CROSSES.parameters.slice(1), { name: 'sizePct', values: [5, 5] }] },
    'each value once',
  ],
  ['leverage on spot', { parameters: [...CROSSES.parameters, { name: 'leverage', values: [2] }] }, 'must be 1 on spot'],
  [
    'too short a range',
    { limit: 100, keptPct: 50, timeframe: '1h', symbol: 'BTCUSDT' },
    'daily closes; it must have more than 30',
  ],
  ['no candles', { from: 1, to: 2 }, 'No 1d candles of WALKUSDT'],
]
it.each(wrong)('refuses %s in words', async (_, request, words) => {
  const { status, body } = await ask(users.manager, 'POST', 'searches', { ...CROSSES, ...request })
  expect(body.error).toContain(words)
  expect([400, 422]).toContain(status)
})

it('a search names the candle at which the drawdown limit ended its best point', async () => {
  const parameters = [
    { name: 'fast', values: [2, 4] },
    { name: 'slow', values: [12] },
    { name: 'maxDrawdown', values: [3] },
  ]
  const { result } = await searched({ ...CROSSES, minTrades: 1, parameters }, users.admin)
  expect(result.best.haltedAt).toBeGreaterThan(result.searched.from)
  expect(result.best.haltedAt).toBeLessThan(result.searched.to)
})
