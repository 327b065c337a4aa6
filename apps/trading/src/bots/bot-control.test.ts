import { AppError } from '@shapecast/contracts/errors'
import { activities, audit } from '@shapecast/platform/tables'
import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookEntry, botAccountsOn, entriesOf } from '../../test/support/bot-accounts.ts'
import { inventedModel, NO_EXCHANGE } from '../../test/support/bots-bench.ts'
import { insertBot } from '../../test/support/insert-bot.ts'
import { call, createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import { createKeyedReplies } from '../ledger/keyed-replies.ts'
import { type BotAbilityDeps, requireAble } from './bot-ability.ts'
import { type BotControl, createBotControl } from './bot-control.ts'
import { createBotReads } from './bot-reads.ts'
import { createBotService } from './bot-service.ts'
import { createBotStore, seriesOfBots } from './bot-store.ts'
import { createBotTrading } from './bot-trading.ts'
import { createBotEquity } from './equity.ts'
import { botRoutes, botTradingRoutes } from './routes.ts'
import { createRuntimeStore } from './runtime-store.ts'
import { botDecisions, botEquity, bots, botTrades } from './tables.ts'
import { createTradingStore } from './trading-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2025, 0, 1, 10, 20)
let bench: ServiceBench
let app: FastifyInstance
let control: BotControl
let store: ReturnType<typeof createTradingStore>

beforeAll(async () => {
  bench = await createServiceBench()
  const { db } = bench
  const accounts = botAccountsOn('simulated')
  const botStore = createBotStore(db.orm, 'simulated', accounts)
  store = createTradingStore(db.orm, accounts)
  const unknownVersions = async (versions: string[]) => versions.filter((version) => version !== 'v3')
  const ability: BotAbilityDeps = {
    async requireSymbol(symbol) {
      if (symbol === 'XUSDT') throw new AppError('unknown_symbol', 'There is no market XUSDT.')
    },
    async currentModel(version, symbol, timeframe) {
      if (symbol === 'ETHUSDT')
        throw new AppError('model_not_trained', `${version ?? 'No model'} is not trained on ETHUSDT.`)
      return inventedModel(version, symbol, timeframe)
    },
    openaiReady: false,
  }
  const equity = createBotEquity({
    db: db.orm,
    accounts,
    bots: botStore,
    states: store,
    async price() {
      throw new AppError('no_candles', 'There is no price yet.')
    },
    futuresPrice: () => Promise.reject(new Error('not of these tests')),
    rules: async () => null,
  })
  const service = createBotService({
    replies: createKeyedReplies('simulated'),
    replayNow: async () => null,
    db,
    bots: botStore,
    equity,
    unknownVersions,
    requireAble: (bot) => requireAble(ability, bot),
    rules: async () => ({ lotSize: 0, minNotional: 10 }),
    obstacleToDelete: async () => null,
    marketNow: async () => NOW,
    now: () => NOW,
  })
  const marketNow = async () => NOW
  control = createBotControl({
    replayNow: async () => null,
    db,
    bots: botStore,
    equity,
    unknownVersions,
    ...ability,
    predicting: async () => () => undefined,
    real: NO_EXCHANGE,
    trading: createBotTrading({
      states: store,
      runtime: createRuntimeStore(db.orm, 'simulated'),
      marketNow,
      now: () => NOW,
    }),
    replies: createKeyedReplies('simulated'),
    planRebalance: () => Promise.reject(new Error('not of these tests')),
    now: () => NOW,
  })
  const reads = createBotReads({
    states: store,
    bots: botStore,
    equity,
    read: service.read,
    async candles() {
      throw new Error('no candles are needed here')
    },
    orders: async () => [],
    executed: async () => [],
    marketNow,
  })
  app = bench.mount((server) => {
    botRoutes(server, service)
    botTradingRoutes(server, { control, reads, parity: () => Promise.reject(new Error('not of this test')) })
  })
})
afterAll(() => bench.close())

let made = 0
const create = (body: object = {}) =>
  call(app, 'POST', '/api/bots', { as: bench.users.owner, body: { name: `B ${++made}`, ...body } })
const created = async (body: object = {}): Promise<string> => (await create(body)).body.botId
const act = (id: string, action: string) => call(app, 'POST', `/api/bots/${id}/${action}`, { as: bench.users.owner })
const patch = (id: string, body: object) => call(app, 'PATCH', `/api/bots/${id}`, { as: bench.users.owner, body })
const put = (id: string, changes: Partial<typeof bots.$inferInsert>) =>
  bench.db.orm.update(bots).set(changes).where(eq(bots.id, id))

describe('the states of a bot', () => {
  it.each([
    ['stopped', { start: 'active', pause: 409, stop: 409, reset: 'stopped' }],
    ['active', { start: 409, pause: 'paused', stop: 'stopped', reset: 409 }],
    ['paused', { start: 'active', pause: 409, stop: 'stopped', reset: 409 }],
    ['error', { start: 'active', pause: 409, stop: 'stopped', reset: 409 }],
  ] as const)('from %s lead to %o', async (status, ways) => {
    for (const [action, end] of Object.entries(ways)) {
      const id = await created()
      await put(id, { status })
      const { status: code, body } = await act(id, action)
      expect([action, code === 200 ? body.status : code]).toEqual([action, end])
    }
  })

  it('are changed once, however many ask at once, and each change is on record', async () => {
    const id = await created()
    const replies = await Promise.all([1, 2, 3, 4].map(() => act(id, 'start')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const rows = await bench.db.orm.select().from(audit).where(eq(audit.subjectId, id)).orderBy(desc(audit.id))
    expect(rows.filter(({ action }) => action === 'bot.started')).toMatchObject([
      { actorId: bench.users.owner.userId, before: { status: 'stopped' }, after: { status: 'active' } },
    ])
  })

  it('are told to whom the bot is shown, with who changed them, and follow the bot', async () => {
    const { owner } = bench.users
    const id = await created({ visibility: 'private' })
    for (const action of ['start', 'pause', 'stop', 'reset']) await act(id, action)
    await patch(id, { name: 'Renamed' })
    const told = () => bench.db.orm.select().from(activities).where(eq(activities.subjectId, id)).orderBy(activities.id)
    expect((await told()).map(({ action }) => action)).toEqual([
      'bot.created',
      'bot.started',
      'bot.paused',
      'bot.stopped',
      'bot.reset',
    ])
    const whose = { actorId: owner.userId, ownerId: owner.userId }
    for (const row of await told()) expect(row).toMatchObject({ ...whose, isPublic: false })
    await patch(id, { visibility: 'public' })
    for (const row of await told()) expect(row).toMatchObject({ ...whose, isPublic: true })
  })

  it('let its owner and admins close a position, which a bot has to hold', async () => {
    const { owner, other, manager, admin } = bench.users
    const [hidden, shown] = [await created(), await created({ visibility: 'public' })]
    const close = async (id: string, as: typeof owner | null, body: object = { symbol: 'BTCUSDT' }) => {
      const { status, body: reply } = await call(app, 'POST', `/api/bots/${id}/close`, { as, body })
      return [status, reply.code, reply.field]
    }
    for (const [who, id, status, code] of [
      [null, shown, 401, 'unauthorized'],
      [other, hidden, 404, 'not_found'],
      [other, shown, 403, 'forbidden'],
      [manager, shown, 403, 'forbidden'],
      [owner, shown, 409, 'conflict'],
      [admin, hidden, 409, 'conflict'],
    ] as const)
      expect((await close(id, who)).slice(0, 2)).toEqual([status, code])
    expect(await close(shown, owner, {})).toEqual([400, 'bad_input', 'symbol'])
    await put(shown, { status: 'error' })
    expect(await close(shown, owner)).toEqual([409, 'conflict', undefined])
  })

  it('an error is forgotten at the next start', async () => {
    const id = await created()
    await put(id, { status: 'error', statusReason: 'the ledger does not agree' })
    expect((await act(id, 'start')).body).toMatchObject({ status: 'active', statusReason: null })
  })

  it.each([
    [{ tradingPairs: ['XUSDT'] }, 'unknown_symbol', 'tradingPairs', 'There is no market XUSDT.'],
    [
      { tradingPairs: ['BTCUSDT', 'ETHUSDT'] },
      'model_not_trained',
      'tradingPairs',
      'No model is not trained on ETHUSDT.',
    ],
    [
      { strategy: 'openai' },
      'unprocessable',
      'strategy',
      'This installation has no key of a language model: OPENAI_API_KEY is not set.',
    ],
  ] as const)(
    'a bot with %o, which could not decide, is neither created nor started: %s',
    async (draft, code, field, error) => {
      const refused = await create(draft)
      expect([refused.status, refused.body]).toEqual([422, { code, field, error }])
      const id = await created()
      await put(id, draft as never)
      const reply = await act(id, 'start')
      expect([reply.status, reply.body]).toEqual([422, { code, field, error }])
      expect((await call(app, 'GET', `/api/bots/${id}`, { as: bench.users.owner })).body.status).toBe('stopped')
    },
  )

  it('a pair without a trained model is one for a policy that asks none, not for one that does', async () => {
    const pairs = { tradingPairs: ['BTCUSDT', 'ETHUSDT'] }
    const policy = { ...pairs, initialBalance: 1000, parameters: { policy: 'steady_risk' } }
    expect((await create(policy)).status).toBe(200)
    const brake = { ...policy, parameters: { policy: 'model_brake' } }
    expect((await create(brake)).body.code).toBe('model_not_trained')
  })

  it('a policy is refused below half of the balance from which its orders are taken: 2 pairs of 10 USDT in a band of 0.1 work from 200', async () => {
    const draft = { tradingPairs: ['BTCUSDT', 'SOLUSDT'], parameters: { policy: 'trend_ensemble' }, maxDrawdown: 30 }
    expect((await create({ ...draft, initialBalance: 99.99 })).body).toEqual({
      code: 'unprocessable',
      field: 'initialBalance',
      error: 'Initial balance must be at least 100: with less it would hardly ever trade. From 200 on it works.',
    })
    expect((await create({ ...draft, initialBalance: 100 })).status).toBe(200)
    expect((await create({ initialBalance: 10 })).status).toBe(200)
  })

  it('a bot that is made for a backtest is not started', async () => {
    const id = await created({ parameters: { temporary: true } })
    const reply = await act(id, 'start')
    expect([reply.status, reply.body.code]).toEqual([422, 'unprocessable'])
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: bench.users.owner })).body.status).toBe('stopped')
  })
})

describe('a change of a bot', () => {
  it('gives it no name that another of its bots has, and lets it keep its own', async () => {
    const first = await created({ name: 'Heron' })
    const second = await created({ name: 'Egret' })
    const refused = await patch(second, { name: 'HERON' })
    expect([refused.status, refused.body]).toEqual([
      409,
      { code: 'conflict', field: 'name', error: 'You have a bot named Heron. The name must be another.' },
    ])
    expect((await patch(first, { name: 'heron' })).body.name).toBe('heron')
    const renames = await Promise.all([first, second].map((id) => patch(id, { name: 'Stork' })))
    expect(renames.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('accepts other changes of a bot whose name is older than unique names', async () => {
    const ids = [await created({ name: 'Old one' }), await created()]
    await put(ids[1]!, { name: 'Old one' })
    expect((await patch(ids[1]!, { name: 'Old one', description: 'kept' })).status).toBe(200)
  })

  it('is held to the drawdown limit of the policy that it has then: 80 percent is none of a signal', async () => {
    const id = await created({ maxDrawdown: 80, initialBalance: 100, parameters: { policy: 'steady_risk' } })
    const wrong = {
      code: 'unprocessable',
      field: 'maxDrawdown',
      error: expect.stringContaining('from 1 to 50 percent'),
    }
    expect((await patch(id, { parameters: { policy: 'signal' } })).body).toEqual(wrong)
    expect((await patch(id, { maxDrawdown: 90 })).status).toBe(200)
    expect((await patch(id, { maxDrawdown: 30, parameters: { policy: 'signal' } })).body.maxDrawdown).toBe(30)
    expect((await patch(id, { maxDrawdown: 51 })).body).toEqual(wrong)
    expect((await patch(id, { maxDrawdown: 10.5 })).body).toMatchObject({ code: 'bad_input', field: 'maxDrawdown' })
  })
})

describe('the first candle of a bot', () => {
  it('is the one that forms at its start: those before were never its own', async () => {
    const id = await created()
    await act(id, 'start')
    expect(await store.state(id)).toMatchObject({ decidedTs: Date.UTC(2025, 0, 1, 9) })
    const log = await call(app, 'GET', `/api/bots/${id}/decisions`, { as: bench.users.owner })
    expect(log.body).toEqual({ summary: null, nextAt: Date.UTC(2025, 0, 1, 11), decisions: [] })
  })

  it('is its next decision, of a policy that has decided for the day the first close of the next one', async () => {
    const id = await created({ initialBalance: 100, parameters: { policy: 'fixed_share' } })
    await act(id, 'start')
    const nextAt = async () =>
      (await call(app, 'GET', `/api/bots/${id}/decisions`, { as: bench.users.owner })).body.nextAt
    expect(await nextAt()).toBe(Date.UTC(2025, 0, 1, 11))
    const { portfolio } = (await store.state(id))!
    const pairs = portfolio.pairs.map((pair) => ({ ...pair, decidedDay: Date.UTC(2025, 0, 1) / DAY }))
    const update = 'update trading.bot_states set portfolio = $2 where bot_id = $1'
    await bench.db.pool.query(update, [id, JSON.stringify({ ...portfolio, pairs })])
    expect(await nextAt()).toBe(Date.UTC(2025, 0, 2))
  })

  it('is later after a stop, and where it was after a pause or an error', async () => {
    for (const [status, decidedTs] of [
      ['stopped', Date.UTC(2025, 0, 1, 9)],
      ['paused', 5 * HOUR],
      ['error', 5 * HOUR],
    ] as const) {
      const id = await created()
      await act(id, 'start')
      await bench.db.pool.query('update trading.bot_states set decided_ts = $2 where bot_id = $1', [id, 5 * HOUR])
      await put(id, { status })
      await act(id, 'start')
      expect([status, (await store.state(id))?.decidedTs]).toEqual([status, decidedTs])
    }
  })
})

describe('a change of a bot', () => {
  it('accepts name, text, visibility and model while the bot is active', async () => {
    const id = await created()
    await put(id, { status: 'active' })
    const body = { name: 'C', description: 'd', visibility: 'public', mlModelVersion: 'v3' }
    expect((await patch(id, body)).body).toMatchObject(body)
    expect((await patch(id, { mlModelVersion: null })).body).toMatchObject({ mlModelVersion: null })
  })

  it.each([{ positionSize: 2 }, { maxDrawdown: 20 }, { riskLevel: 'high' }, { parameters: { timeframe: '4h' } }])(
    'of %o waits until it is stopped',
    async (body) => {
      const id = await created()
      await put(id, { status: 'paused' })
      expect(await patch(id, body)).toMatchObject({ status: 409, body: { code: 'conflict' } })
      await put(id, { status: 'stopped' })
      expect(await patch(id, body)).toMatchObject({ status: 200, body })
    },
  )

  it('turns an ensemble into one model when it names a model', async () => {
    const id = await created()
    await put(id, { mlModelVersions: ['v3', 'v4'], mlModelVersion: null })
    expect((await patch(id, { mlModelVersion: 'v3' })).body).toMatchObject({
      mlModelVersion: 'v3',
      mlModelVersions: null,
      consensusConfig: null,
    })
  })

  it('to a policy that the bot cannot follow is refused', async () => {
    const id = await created({ marketType: 'futures' })
    const reply = await patch(id, { parameters: { policy: 'steady_risk' } })
    expect([reply.status, reply.body.field]).toEqual([422, 'parameters.policy'])
  })

  it.each([[{}], [{ isVirtual: false }], [{ status: 'active' }], [{ maxDrawdown: 91 }]])(
    '%o is refused as input',
    async (body) => {
      expect((await patch(await created(), body)).status).toBe(400)
    },
  )

  it('to a stop loss is refused while its orders rest, and costs wait until it is stopped', async () => {
    const costs = { feeRate: 0.001, slippageBps: 5, postOnly: { makerFeeRate: 0.0002 } }
    const parameters = { policy: 'fixed_share', costs }
    const id = await created({ initialBalance: 1000, parameters })
    expect((await patch(id, { stopLossPct: 5 })).body).toMatchObject({ field: 'parameters.costs' })
    expect((await patch(id, { stopLossPct: 5, parameters: { policy: 'fixed_share' } })).status).toBe(200)
    expect((await act(id, 'start')).status).toBe(200)
    expect((await patch(id, { parameters })).status).toBe(409)
  })

  it('to a model that does not exist, or of a bot without models, is refused', async () => {
    expect((await patch(await created(), { mlModelVersion: 'v9' })).body.error).toContain('v9')
    const id = await created()
    await put(id, { strategy: 'openai' })
    expect(await patch(id, { mlModelVersion: 'v3' })).toMatchObject({ status: 422 })
  })
})

describe('what a bot did', () => {
  const book = (id: string, amount: string, kind: 'sale' | 'fee') => bookEntry(bench.db, id, kind, amount)
  const decision = {
    symbol: 'BTCUSDT',
    votes: [{ version: 'v3', signal: 'BUY' as const, confidence: 0.52, pUp: 0.52, edgeBps: -18 }],
    rule: 'below_cost' as const,
    signal: 'HOLD' as const,
    action: 'no_order' as const,
    reason: 'Expected edge 4 bps, below the cost of 22 bps.',
    target: null,
    orderId: null,
    decidedAt: NOW,
  }
  const trade = {
    symbol: 'BTCUSDT',
    side: 'long' as const,
    entryTime: 0,
    entryPrice: 10,
    exitPrice: 12,
    quantity: 1,
    netPnL: 2,
    fees: 0,
    funding: 0,
    exitReason: 'signal' as const,
  }
  const read = async (id: string, path: string) =>
    (await call(app, 'GET', `/api/bots/${id}/${path}`, { as: bench.users.owner })).body

  it('is read newest first, by pages, and summed up in one sentence', async () => {
    const id = await created()
    await bench.db.orm
      .insert(botTrades)
      .values([1, 2, 3].map((hour) => ({ ...trade, botId: id, exitTime: hour * HOUR })))
    await bench.db.orm.insert(botDecisions).values([
      ...[1, 2, 4].map((hour) => ({ ...decision, botId: id, candleTs: hour * HOUR })),
      {
        ...decision,
        botId: id,
        candleTs: 3 * HOUR,
        rule: 'signal',
        signal: 'BUY',
        action: 'opened_long',
        reason: 'Bought.',
      },
    ])
    const hoursOf = (rows: { exitTime?: number; candleTs?: number }[]) =>
      rows.map(({ exitTime, candleTs }) => (exitTime ?? candleTs)! / HOUR)
    expect(hoursOf(await read(id, 'trades'))).toEqual([3, 2, 1])
    expect(hoursOf(await read(id, `trades?before=${3 * HOUR}&limit=1`))).toEqual([2])
    expect(hoursOf(await read(id, `trades?since=${2 * HOUR}`))).toEqual([3, 2])
    const log = await read(id, 'decisions?limit=2')
    expect(hoursOf(log.decisions)).toEqual([4, 3])
    expect(log.summary).toBe(
      '3 of the last 4 candles: expected edge 4 bps, below the cost of 22 bps. One order in that time.',
    )
    expect(hoursOf((await read(id, 'decisions?show=orders')).decisions)).toEqual([3])
    expect(hoursOf((await read(id, 'decisions?show=not_traded')).decisions)).toEqual([4, 2, 1])
  })

  it('is exported as CSV, however much it is', async () => {
    const id = await created()
    const rows = Array.from({ length: 2500 }, (_, i) => ({ ...decision, botId: id, candleTs: i * HOUR }))
    await bench.db.orm.insert(botDecisions).values(rows)
    const reply = await app.inject({
      url: `/api/bots/${id}/decisions/export`,
      headers: { authorization: `Bearer ${bench.users.owner.token}` },
    })
    const lines = reply.body.trimEnd().split('\r\n')
    expect([reply.statusCode, lines.length]).toEqual([200, 2501])
    expect(lines[0]).toBe('close,symbol,signal,action,rule,reason,target,votes,order,decided')
    expect(lines[2]).toBe(
      '1970-01-01T02:00:00.000Z,BTCUSDT,HOLD,no_order,below_cost,"Expected edge 4 bps, below the cost of 22 bps.",,v3 BUY 0.520 -18.0 bps,,2025-01-01T10:20:00.000Z',
    )
  })

  it('has its trades as CSV, the newest first, each once, also those of several pairs that ended together', async () => {
    const id = await created()
    const rows = Array.from({ length: 2500 }, (_, i) => ({ ...trade, botId: id, exitTime: Math.floor(i / 700) * HOUR }))
    await bench.db.orm.insert(botTrades).values(rows)
    const reply = await app.inject({
      url: `/api/bots/${id}/trades/export`,
      headers: { authorization: `Bearer ${bench.users.owner.token}` },
    })
    const lines = reply.body.trimEnd().split('\r\n')
    expect([reply.statusCode, reply.headers['content-disposition'], lines.length]).toEqual([
      200,
      `attachment; filename="trades-${id}.csv"`,
      2501,
    ])
    expect(lines.slice(0, 2)).toEqual([
      'side,entry_time,exit_time,entry_price,exit_price,quantity,fees,funding,net_pnl,exit_reason,pair',
      'long,1970-01-01T00:00:00.000Z,1970-01-01T03:00:00.000Z,10,12,1,0,0,2,signal,BTCUSDT',
    ])
    const ended = lines.slice(1).map((line) => new Date(line.split(',')[2]!).getTime() / HOUR)
    expect([0, 1, 2, 3].map((hour) => ended.filter((one) => one === hour).length)).toEqual([700, 700, 700, 400])
    expect(ended).toEqual(ended.toSorted((a, b) => b - a))
  })

  it('has the trades that closed in a calendar year as a file of its own', async () => {
    const id = await created()
    const exits = [Date.UTC(2024, 0) - 1, Date.UTC(2024, 0), Date.UTC(2025, 0) - 1, Date.UTC(2025, 0)]
    await bench.db.orm.insert(botTrades).values(exits.map((exitTime) => ({ ...trade, botId: id, exitTime })))
    const headers = { authorization: `Bearer ${bench.users.owner.token}` }
    const reply = await app.inject({ url: `/api/bots/${id}/trades/export?year=2024`, headers })
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="trades-2024-${id}.csv"`)
    const exported = reply.body.trimEnd().split('\r\n').slice(1)
    expect(exported.map((line) => line.split(',')[2])).toEqual(['2024-12-31T23:59:59.999Z', '2024-01-01T00:00:00.000Z'])
    const wrong = await app.inject({ url: `/api/bots/${id}/trades/export?year=24`, headers })
    expect(wrong.statusCode).toBe(400)
  })

  it('counts in its balance: 10 + 5 − 1 = 14', async () => {
    const id = await created()
    await book(id, '5', 'sale')
    await book(id, '-1', 'fee')
    expect(await read(id, 'balance')).toMatchObject({
      initialBalance: 10,
      balance: 14,
      equity: 14,
      realizedPnL: 4,
      fees: 1,
      drawdownPct: 0,
      positions: [],
    })
    expect((await call(app, 'GET', '/api/subaccounts', { as: bench.users.owner })).body).toContainEqual(
      expect.objectContaining({ botId: id, botName: expect.stringMatching(/^B \d+$/), balance: 14, currency: 'USDT' }),
    )
    expect((await call(app, 'GET', '/api/subaccounts', { as: bench.users.other })).body).toEqual([])
  })

  it('is forgotten by a reset, but for the ledger, which says that it was reset', async () => {
    const id = await created()
    await book(id, '-4', 'sale')
    await book(id, '-0.25', 'fee')
    expect(await read(id, 'balance')).toMatchObject({ realizedPnL: -4.25, fees: 0.25 })
    await bench.db.orm.insert(botTrades).values({ ...trade, botId: id, exitTime: HOUR })
    await bench.db.orm.insert(botEquity).values({ botId: id, atMs: HOUR, equity: 5.75 })
    await put(id, { totalTrades: 1, winningTrades: 1, lastTradeAt: 1 })
    expect((await act(id, 'reset')).body).toMatchObject({
      currentBalance: 10,
      totalPnL: 0,
      totalTrades: 0,
      lastTradeAt: null,
    })
    expect(await read(id, 'balance')).toMatchObject({ balance: 10, realizedPnL: 0, fees: 0 })
    expect(await read(id, 'trades')).toEqual([])
    expect(await read(id, 'equity')).toEqual({ initialBalance: 10, points: [], hold: [] })
    expect(await entriesOf(bench.db, id, 'reset')).toEqual([4.25])
  })
})

it('names each series of bots that trade or are paused once, in their own timeframe', async () => {
  const insert = (over: Parameters<typeof insertBot>[2]) =>
    insertBot(bench.db, bench.users.owner.userId, { venue: 'replay', ...over })
  await insert({ status: 'active', tradingPairs: ['BTCUSDT', 'ETHUSDT'] })
  await insert({ status: 'paused', parameters: { timeframe: '5m' } })
  await insert({ status: 'active', parameters: { timeframe: '1h' } })
  await insert({ status: 'stopped', tradingPairs: ['ADAUSDT'] })
  await insert({ status: 'active', tradingPairs: ['XRPUSDT'], temporary: true })
  const found = await seriesOfBots(bench.db.orm, 'replay')
  expect(found.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`).sort()).toEqual([
    'BTCUSDT 1h',
    'BTCUSDT 5m',
    'ETHUSDT 1h',
  ])
})
