import { activities, audit } from '@shapecast/platform/tables'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookEntry, botAccountsOn, entriesOf } from '../../test/support/bot-accounts.ts'
import { call, createServiceBench, type Person, type ServiceBench } from '../../test/support/service-bench.ts'
import { createKeyedReplies } from '../ledger/keyed-replies.ts'
import { type BotService, createBotService } from './bot-service.ts'
import { createBotStore } from './bot-store.ts'
import { createBotEquity } from './equity.ts'
import { botRoutes } from './routes.ts'
import { createTradingStore } from './trading-store.ts'

let bench: ServiceBench
let app: FastifyInstance
let service: BotService
let clockMs = Date.UTC(2025, 0, 1)
/** Null where the market has no clock of its own. */
let marketMs: number | null = null

beforeAll(async () => {
  bench = await createServiceBench()
  const accounts = botAccountsOn('simulated')
  const store = createBotStore(bench.db.orm, 'simulated', accounts)
  service = createBotService({
    replies: createKeyedReplies('simulated'),
    replayNow: async () => null,
    obstacleToDelete: async () => null,
    marketNow: async () => marketMs,
    requireAble: async () => undefined,
    rules: async () => null,
    db: bench.db,
    bots: store,
    equity: createBotEquity({
      db: bench.db.orm,
      accounts,
      bots: store,
      states: createTradingStore(bench.db.orm, accounts),
      price: () => Promise.reject(new Error('not of these tests')),
      futuresPrice: () => Promise.reject(new Error('not of these tests')),
      rules: async () => null,
    }),
    unknownVersions: async (versions) => versions.filter((version) => version !== 'v3' && version !== 'v4'),
    now: () => clockMs,
  })
  app = bench.mount((server) => botRoutes(server, service))
})
afterAll(() => bench.close())

let made = 0
const create = (as: Person | null, body: object = {}) =>
  call(app, 'POST', '/api/bots', { as, body: { name: `B ${++made}`, ...body } })
const created = async (as: Person, body: object = {}): Promise<string> => {
  const reply = await create(as, body)
  expect(reply).toMatchObject({ status: 200 })
  return reply.body.botId
}
const idsOf = async (path: string, as: Person | null) =>
  (await call(app, 'GET', path, { as })).body.map((bot: { id: string }) => bot.id) as string[]

it('a bot that is made to backtest a model takes any size and balance, and no drawdown limit; another one does not', async () => {
  const { owner } = bench.users
  const tiny = { positionSize: 0.00001, initialBalance: 0.5, maxDrawdown: 0 }
  expect((await create(owner, { ...tiny, maxDrawdown: 100, parameters: { temporary: true } })).status).toBe(200)
  expect((await create(owner, { ...tiny, parameters: { temporary: true } })).status).toBe(200)
  await bench.db.pool.query('delete from trading.bots where temporary')
  for (const [field, value] of Object.entries(tiny))
    expect((await create(owner, { [field]: value })).body).toMatchObject({ code: 'bad_input', field })
})

describe('a new bot', () => {
  it('has the defaults, is stopped, and owns what it was given: 10', async () => {
    const { owner } = bench.users
    const id = await created(owner, { name: 'B' })
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: owner })).body).toEqual({
      id,
      userId: owner.userId,
      venue: 'simulated',
      name: 'B',
      description: '',
      strategy: 'ml',
      status: 'stopped',
      statusReason: null,
      visibility: 'private',
      isVirtual: true,
      tradingPairs: ['BTCUSDT'],
      positionSize: 0.001,
      maxDrawdown: 10,
      riskLevel: 'medium',
      marketType: 'spot',
      leverage: 10,
      takeProfitPct: 0,
      stopLossPct: 0,
      initialBalance: 10,
      currentBalance: 10,
      totalPnL: 0,
      closedPnL: 0,
      openPnL: 0,
      positions: [],
      totalTrades: 0,
      winningTrades: 0,
      lastTradeAt: null,
      mlModelVersion: null,
      mlModelVersions: null,
      consensusConfig: null,
      parameters: null,
      models: [],
      createdAt: clockMs,
    })
  })

  it('was made when the market says, as in a replay of another year', async () => {
    const { owner } = bench.users
    marketMs = Date.UTC(2024, 0, 9)
    const id = await created(owner)
    marketMs = null
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: owner })).body.createdAt).toBe(Date.UTC(2024, 0, 9))
  })

  it('trades real money only where an admin made it', async () => {
    const { owner, manager, admin } = bench.users
    for (const [person, virtual] of [
      [owner, true],
      [manager, true],
      [admin, false],
    ] as const) {
      const id = await created(person, { isVirtual: false })
      expect((await call(app, 'GET', `/api/bots/${id}`, { as: person })).body.isVirtual).toBe(virtual)
    }
  })

  it('keeps an ensemble with its consensus, majority of 2 and hold where none is given', async () => {
    const { owner } = bench.users
    const id = await created(owner, { mlModelVersions: ['v3', 'v4'] })
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: owner })).body).toMatchObject({
      mlModelVersion: null,
      mlModelVersions: ['v3', 'v4'],
      consensusConfig: { strategy: 'majority', minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' },
    })
  })

  it('is one of 200 at most, however many are made at once', async () => {
    const { manager } = bench.users
    const clear = () => bench.db.pool.query('delete from trading.bots where user_id = $1', [manager.userId])
    await clear()
    const id = await created(manager)
    const columns = `user_id, venue, name, description, strategy, status, visibility, is_virtual, trading_pairs, position_size,
      max_drawdown, risk_level, market_type, leverage, take_profit_pct, stop_loss_pct, initial_balance, temporary, created_at_ms`
    const more = `insert into trading.bots (${columns}) select ${columns} from trading.bots, generate_series(1, 197) where id = $1`
    await bench.db.pool.query(more, [id])
    const replies = await Promise.all(Array.from({ length: 6 }, () => create(manager)))
    await clear()
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422])
  })

  it('is made once by one key, however often and at once it is asked for; each user has keys of their own', async () => {
    const { owner, other } = bench.users
    const ask = (as: Person, idempotencyKey: string, body: object = { name: 'Once' }) =>
      call(app, 'POST', '/api/bots', { as, body, idempotencyKey })
    const replies = await Promise.all([1, 2, 3].map(() => ask(owner, 'k')))
    const [id, ...rest] = new Set(replies.map(({ body }) => body.botId))
    expect([replies.map(({ status }) => status), rest]).toEqual([[200, 200, 200], []])
    expect((await ask(owner, 'k')).body).toEqual({ botId: id })
    expect((await ask(other, 'k')).body.botId).not.toBe(id)
    // The key stands for what was asked with it; another one finds the name taken.
    expect(await ask(owner, 'k', { name: 'Twice' })).toMatchObject({ status: 409, body: { field: 'Idempotency-Key' } })
    expect(await ask(owner, 'k2')).toMatchObject({ status: 409, body: { field: 'name' } })
    expect((await ask(owner, '')).status).toBe(400)
  })

  it('has a name that no other bot of its owner has, whatever its capitals, and however many are made at once', async () => {
    const { owner, other, manager } = bench.users
    const named = (as: Person, name: string) => create(as, { name })
    const replies = await Promise.all(['Tern', 'tern', 'TERN '].map((name) => named(manager, name)))
    const refused = replies.filter(({ status }) => status === 409).map(({ body }) => body)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(refused).toMatchObject([
      { code: 'conflict', field: 'name' },
      { code: 'conflict', field: 'name' },
    ])
    expect(refused[0].error).toMatch(/^You have a bot named tern\. The name must be another\.$/i)
    expect((await named(other, 'Tern')).status).toBe(200)
    const own = (await named(owner, 'Tern')).body.botId
    expect((await call(app, 'DELETE', `/api/bots/${own}`, { as: owner })).status).toBe(200)
    expect((await named(owner, 'tern')).status).toBe(200)
    for (const _twice of [1, 2])
      expect((await create(owner, { name: 'tern', parameters: { temporary: true } })).status).toBe(200)
    await bench.db.pool.query('delete from trading.bots where temporary')
  })

  it.each([
    ['initialBalance', 1_000_000_001, 'Initial balance must be at most 1,000,000,000'],
    ['initialBalance', 9, 'Initial balance must be at least 10'],
    ['positionSize', 1e9, 'Position size must be at most 1,000,000: size a cheaper coin in its quote currency'],
    ['positionSize', 0.0009, 'Position size must be at least 0.001'],
    ['maxDrawdown', 10.5, 'Max drawdown must be a whole number from 1 to 50 percent'],
    ['maxDrawdown', 51, 'Max drawdown must be a whole number from 1 to 50 percent'],
  ])('with %s %d is refused: %s', async (field, value, error) => {
    const reply = await create(bench.users.owner, { [field]: value })
    expect([reply.status, reply.body]).toEqual([400, { code: 'bad_input', field, error }])
  })

  it('may set a drawdown limit of 90 percent, not of 91, when it holds a share of its equity', async () => {
    const { owner } = bench.users
    const parameters = { policy: 'fixed_share' }
    expect((await create(owner, { maxDrawdown: 90, parameters })).status).toBe(200)
    const reply = await create(owner, { maxDrawdown: 91, parameters })
    expect(reply.body.error).toBe('Max drawdown must be a whole number from 1 to 90 percent')
  })

  it.each([
    [{ isVirtual: false }, {}, null],
    [{}, { policy: 'signal' }, 'hold a share'],
    [{}, { timeframe: '4h' }, '1h or smaller'],
    [{ takeProfitPct: 5 }, {}, 'to be off'],
    [{}, { costs: { feeRate: 0.0001, postOnly: { makerFeeRate: 0.0002 } } }, 'at most that of a taker'],
    [{}, {}, null],
  ])('with %j and %j rests its rebalances as post-only orders unless: %s', async (draft, changes, words) => {
    const costs = { feeRate: 0.001, slippageBps: 3, postOnly: { makerFeeRate: 0.0002 } }
    const parameters = { policy: 'fixed_share', costs, ...changes }
    const reply = await create(bench.users.admin, { ...draft, maxDrawdown: 50, initialBalance: 1000, parameters })
    if (words === null) expect(reply.status).toBe(200)
    else
      expect([reply.status, reply.body.field, reply.body.error.includes(words)]).toEqual([
        400,
        'parameters.costs',
        true,
      ])
  })

  it('is refused with a model that does not exist, and the answer names it', async () => {
    const reply = await create(bench.users.owner, { mlModelVersion: 'v9' })
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'unprocessable', 'mlModelVersion'])
    expect(reply.body.error).toContain('v9')
  })

  it('is refused with an ensemble of one model, in words', async () => {
    const reply = await create(bench.users.owner, { mlModelVersions: ['v3'] })
    expect(reply.body.error).toContain('Please select at least 2 models for ensemble mode')
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ description: 'x\u0000' }, 'description'],
    [{ positionSize: 0 }, 'positionSize'],
    [{ positionSize: 'much' }, 'positionSize'],
    [{ maxDrawdown: 51 }, 'maxDrawdown'],
    [{ initialBalance: 9.99 }, 'initialBalance'],
    [{ leverage: 101 }, 'leverage'],
    [{ leverage: 1.5 }, 'leverage'],
    [{ stopLossPct: -1 }, 'stopLossPct'],
    [{ tradingPairs: [] }, 'tradingPairs'],
    [{ tradingPairs: ['BTC USDT!'] }, 'tradingPairs.0'],
    [{ mlModelVersions: ['v3'] }, 'mlModelVersions'],
    [{ mlModelVersions: ['v3', 'v3'] }, 'mlModelVersions'],
    [{ strategy: 'openai', mlModelVersions: ['v3', 'v4'] }, 'mlModelVersions'],
    [{ mlModelVersion: "v3'; drop table bots" }, 'mlModelVersion'],
  ])('is refused with 400 for %j', async (body, field) => {
    const reply = await create(bench.users.owner, body)
    expect([reply.status, reply.body.field]).toEqual([400, field])
  })
})

describe('who sees a bot', () => {
  it('is everybody for a public one, its owner and admins for a private one', async () => {
    const { owner, other, manager, admin } = bench.users
    const open = await created(owner, { visibility: 'public' })
    const secret = await created(owner)
    for (const [person, seesSecret] of [
      [owner, true],
      [other, false],
      [manager, false],
      [admin, true],
    ] as const) {
      const list = await idsOf('/api/bots', person)
      expect([list.includes(open), list.includes(secret)]).toEqual([true, seesSecret])
      expect((await call(app, 'GET', `/api/bots/${open}`, { as: person })).status).toBe(200)
      const reply = await call(app, 'GET', `/api/bots/${secret}`, { as: person })
      expect(reply.status).toBe(seesSecret ? 200 : 404)
      expect((await call(app, 'GET', `/public/bots/${secret}`, { as: person })).status).toBe(404)
      expect(await idsOf('/public/bots', person)).not.toContain(secret)
    }
    expect(await idsOf('/public/bots', null)).toContain(open)
    expect((await call(app, 'GET', `/public/bots/${open}`)).status).toBe(200)
    expect((await call(app, 'GET', '/api/bots')).status).toBe(401)
    expect((await call(app, 'GET', `/api/bots/${open}`)).status).toBe(401)
    expect((await create(null)).status).toBe(401)
  })

  it('is nobody on another venue', async () => {
    const id = await created(bench.users.owner, { visibility: 'public' })
    const elsewhere = createBotStore(bench.db.orm, 'replay', botAccountsOn('replay'))
    expect(await elsewhere.find(id)).toBeUndefined()
    expect(await elsewhere.list('all')).toEqual([])
  })

  it('answers 400 for an id that is none and 404 for one that is nobody', async () => {
    const { owner } = bench.users
    expect((await call(app, 'GET', '/api/bots/17', { as: owner })).status).toBe(400)
    expect((await call(app, 'GET', `/api/bots/${owner.userId}`, { as: owner })).status).toBe(404)
  })
})

describe('deleting', () => {
  it('is for the owner and admins; 403 where others see the bot, 404 where they do not', async () => {
    const { owner, other, manager, admin } = bench.users
    const open = await created(owner, { visibility: 'public' })
    const secret = await created(owner)
    expect((await call(app, 'DELETE', `/api/bots/${open}`)).status).toBe(401)
    for (const person of [other, manager]) {
      expect((await call(app, 'DELETE', `/api/bots/${open}`, { as: person })).status).toBe(403)
      expect((await call(app, 'DELETE', `/api/bots/${secret}`, { as: person })).status).toBe(404)
    }
    expect((await call(app, 'DELETE', `/api/bots/${open}`, { as: owner })).body).toEqual({ ok: true })
    expect((await call(app, 'DELETE', `/api/bots/${secret}`, { as: admin })).body).toEqual({ ok: true })
    expect((await call(app, 'DELETE', `/api/bots/${open}`, { as: owner })).status).toBe(404)
    const [last] = await bench.db.orm.select().from(audit).orderBy(desc(audit.id)).limit(1)
    expect(last).toMatchObject({ action: 'bot.deleted', actorId: admin.userId, subjectId: secret })
    expect(last!.before).toMatchObject({ name: expect.stringMatching(/^B \d+$/), userId: owner.userId })
  })

  it('is done, and written down, once where two delete at once', async () => {
    const { owner } = bench.users
    const id = await created(owner)
    const { pool } = bench.db
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from trading.bots where id = $1 for update', [id])
    const both = Promise.all([1, 2].map(() => call(app, 'DELETE', `/api/bots/${id}`, { as: owner })))
    await expect.poll(async () => (await waitingForLocks(pool)).length).toBe(2)
    await holder.query('commit')
    holder.release()
    expect((await both).map((reply) => reply.status).sort()).toEqual([200, 404])
    const rows = await bench.db.orm.select().from(audit).where(eq(audit.subjectId, id))
    expect(rows.filter((row) => row.action === 'bot.deleted')).toHaveLength(1)
  })

  it('takes the account and its ledger along', async () => {
    const id = await created(bench.users.owner)
    expect(await entriesOf(bench.db, id)).toEqual([10])
    await call(app, 'DELETE', `/api/bots/${id}`, { as: bench.users.owner })
    expect(await entriesOf(bench.db, id)).toEqual([])
    const { rows } = await bench.db.pool.query('select 1 from trading.accounts where owner_id = $1', [id])
    expect(rows).toEqual([])
  })
})

describe('the ledger', () => {
  it('adds up to the balance, exactly: 10 + 0.1 + 0.2 − 0.3 = 10', async () => {
    const { owner } = bench.users
    const id = await created(owner)
    for (const amount of ['0.1', '0.2', '-0.3']) await bookEntry(bench.db, id, 'sale', amount)
    const { body } = await call(app, 'GET', `/api/bots/${id}`, { as: owner })
    expect([body.currentBalance, body.totalPnL]).toEqual([10, 0])
    await bookEntry(bench.db, id, 'fee', '-2.5')
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: owner })).body).toMatchObject({
      currentBalance: 7.5,
      totalPnL: -2.5,
    })
  })

  it('refuses to change what is written', async () => {
    const id = await created(bench.users.owner)
    const { pool } = bench.db
    const of = 'account_id = (select id from trading.accounts where owner_id = $1)'
    await expect(pool.query(`update trading.ledger_entries set amount = 1000 where ${of}`, [id])).rejects.toThrow(
      'append-only',
    )
    await expect(pool.query(`delete from trading.ledger_entries where ${of}`, [id])).rejects.toThrow('append-only')
  })
})

describe('a temporary bot', () => {
  it('is private and virtual, in no list, readable by its owner, and gone after ten minutes', async () => {
    const { owner, admin } = bench.users
    const id = await created(admin, { parameters: { temporary: true }, visibility: 'public', isVirtual: false })
    expect(await idsOf('/api/bots', admin)).not.toContain(id)
    expect(await idsOf('/public/bots', null)).not.toContain(id)
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: owner })).status).toBe(404)
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: admin })).body).toMatchObject({
      visibility: 'private',
      isVirtual: true,
    })
    clockMs += 600_000 - 1
    expect(await service.sweep()).toBe(0)
    clockMs += 2
    expect(await service.sweep()).toBe(1)
    expect((await call(app, 'GET', `/api/bots/${id}`, { as: admin })).status).toBe(404)
  })
})

it('activities of a bot, earlier ones too, are shown to those who see the bot, and those of a temporary bot to nobody', async () => {
  const { owner } = bench.users
  const shown = async (id: string) => {
    const of = eq(activities.subjectId, id)
    return (await bench.db.orm.select().from(activities).where(of).orderBy(activities.id)).map((row) => [
      row.action,
      row.isPublic,
      row.ownerId,
    ])
  }
  const id = await created(owner)
  expect(await shown(id)).toEqual([['bot.created', false, owner.userId]])
  const turn = (visibility: string) =>
    bench.db.pool.query('update trading.bots set visibility = $1 where id = $2', [visibility, id])
  await turn('public')
  expect(await shown(id)).toEqual([['bot.created', true, owner.userId]])
  await turn('private')
  await service.delete(id, { ...owner, role: 'user' })
  expect(await shown(id)).toEqual([
    ['bot.created', false, owner.userId],
    ['bot.deleted', false, owner.userId],
  ])
  const temporary = await created(owner, { parameters: { temporary: true } })
  expect(await shown(temporary)).toEqual([])
})
