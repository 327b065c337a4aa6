import { randomUUID } from 'node:crypto'
import { candlesFromRows } from '@shapecast/engine/candles'
import { audit } from '@shapecast/platform/tables'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { call, type Person } from '../../test/support/service-bench.ts'
import { wholeService } from '../../test/support/whole-service.ts'
import { triedBy } from '../backtests/backtest-service.ts'
import { rules } from './tables.ts'

const HOUR = 3_600_000
const hours = Array.from({ length: 1_000 }, (_, hour) => [hour * HOUR, 100, 101, 99, 100, 1])
const { app, db, users } = await wholeService({ venue: memoryVenue({ 'BTCUSDT 1h': candlesFromRows(hours) }) })
const { owner, other, manager, admin } = users
type Who = Person | null

const FIRST = 'enter: close > sma(20)\nexit: close < sma(20)'
const SECOND = 'enter: close > sma(50)\nexit: close < sma(50)'
const at = (path: string, as: Who) => `/bot/${as === null ? 'public' : 'api'}/rules${path}`
const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, as: Who, body?: object) =>
  call(app, method, at(path, as), { ...(as !== null && { as }), ...(body !== undefined && { body }) })
const make = async (as: Person, body: object = {}) =>
  (await ask('POST', '', as, { name: `Rule ${randomUUID().slice(0, 8)}`, text: FIRST, ...body })).body
const save = (as: Person, id: string, text: string, after: number) =>
  ask('POST', `/${id}/versions`, as, { text, after })
/** The reply to a call that is refused, errors included. */
async function refused(method: 'POST' | 'PATCH' | 'DELETE', url: string, as: Who, payload: object = {}) {
  const headers = as === null ? {} : { authorization: `Bearer ${as.token}` }
  const reply = await app.inject({ method, url, headers, payload })
  return { status: reply.statusCode, ...reply.json() }
}

beforeEach(() => db.orm.delete(rules))

describe('saving a rule', () => {
  it('makes a version of each changed text, and keeps the old ones as they were', async () => {
    const { id, version } = await make(owner, { text: FIRST })
    expect(version).toBe(1)
    expect((await save(owner, id, SECOND, 1)).body).toMatchObject({ version: 2, text: SECOND })
    const { body } = await save(owner, id, `${SECOND} time: 9`, 2)
    expect(body.versions.map(({ version, text }: { version: number; text: string }) => [version, text])).toEqual([
      [3, `${SECOND} time: 9`],
      [2, SECOND],
      [1, FIRST],
    ])
  })

  it('makes no version of the text that is the newest, from whichever version it began', async () => {
    const { id } = await make(owner)
    await save(owner, id, SECOND, 1)
    expect((await save(owner, id, SECOND, 1)).body).toMatchObject({ version: 2, text: SECOND })
  })

  it('refuses the second of two writers who began from one version, and loses neither text', async () => {
    const { id } = await make(owner)
    const [one, two] = await Promise.all([
      save(owner, id, SECOND, 1),
      refused('POST', at(`/${id}/versions`, owner), owner, { text: `${FIRST} time: 5`, after: 1 }),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    const { body } = await ask('GET', `/${id}`, owner)
    expect(body.versions).toHaveLength(2)
    expect(
      await refused('POST', at(`/${id}/versions`, owner), owner, { text: `${FIRST} time: 6`, after: 1 }),
    ).toMatchObject({
      code: 'conflict',
      error: 'Version 2 was saved meanwhile, and you began from version 1. Look at what changed, then save again.',
      data: { version: 2 },
    })
  })

  it('refuses the hundred and first version, and the rule stays as it was', async () => {
    const { id } = await make(owner)
    await db.orm.update(rules).set({ version: 100 }).where(eq(rules.id, id))
    expect((await refused('POST', at(`/${id}/versions`, owner), owner, { text: SECOND, after: 100 })).code).toBe(
      'unprocessable',
    )
    expect((await ask('GET', `/${id}`, owner)).body).toMatchObject({ version: 100, text: FIRST })
  })

  it('refuses the two hundred and first rule of a user', async () => {
    const row = (name: string) => ({
      userId: owner.userId,
      name,
      visibility: 'private' as const,
      version: 1,
      text: FIRST,
      createdAt: 0,
      savedAt: 0,
    })
    await db.orm.insert(rules).values(Array.from({ length: 200 }, (_, k) => row(`Rule ${k}`)))
    expect(await refused('POST', at('', owner), owner, { name: 'One more', text: FIRST })).toMatchObject({
      status: 422,
      error: 'You have 200 rules. Delete one first.',
    })
  })

  it.each([
    [{ name: '', text: FIRST }, 'name', 'A name is required'],
    [{ name: 'x'.repeat(61), text: FIRST }, 'name', 'A name has at most 60 characters'],
    [
      { name: 'A', text: 'enter: close > smaa(20) time: 5' },
      'text',
      'Line 1, column 16: ‘smaa’ is not known. Did you mean sma?',
    ],
    [{ name: 'A', text: '' }, 'text', ''],
    [
      { name: 'A', text: `enter: close > 1 time: 5${' '.repeat(4000)}.` },
      'text',
      'A rule must have at most 4,000 characters',
    ],
    [{ name: 'A', text: FIRST, visibility: 'everybody' }, 'visibility', ''],
  ])('refuses %j', async (body, field, words) => {
    const reply = await refused('POST', at('', owner), owner, body)
    expect([reply.status, reply.field]).toEqual([400, field])
    expect(reply.error).toContain(words)
  })

  it('refuses a name that another rule of its owner has, in any spelling, and lets others use it', async () => {
    await make(owner, { name: 'Cross' })
    const { id } = await make(owner)
    const taken = { status: 409, field: 'name', error: 'There is a rule named Cross. The name must be another.' }
    expect(await refused('POST', at('', owner), owner, { name: 'ｃross', text: FIRST })).toMatchObject(taken)
    expect(await refused('PATCH', at(`/${id}`, owner), owner, { name: 'CROSS' })).toMatchObject(taken)
    expect((await make(other, { name: 'Cross' })).name).toBe('Cross')
  })

  it('stands in the audit, with the name and the version', async () => {
    const { id, name } = await make(owner)
    await save(owner, id, SECOND, 1)
    await ask('PATCH', `/${id}`, owner, { name: 'Another' })
    await ask('DELETE', `/${id}`, owner)
    const entries = await db.orm.select().from(audit).where(eq(audit.subjectId, id)).orderBy(audit.id)
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['rule.created', { name, visibility: 'private' }],
      ['rule.saved', { name, version: 2 }],
      ['rule.changed', { name: 'Another', visibility: 'private' }],
      ['rule.deleted', null],
    ])
  })
})

describe('rights over a rule', () => {
  const ALL: readonly [string, Who][] = [
    ['guest', null],
    ['owner', owner],
    ['other user', other],
    ['manager', manager],
    ['admin', admin],
  ]
  const MAY = {
    'see a private rule': ['owner', 'admin'],
    'see a public rule': ['guest', 'owner', 'other user', 'manager', 'admin'],
    'change a public rule': ['owner', 'admin'],
  }
  const ids = async () => ({ secret: (await make(owner)).id, shared: (await make(owner, { visibility: 'public' })).id })

  it.each(ALL)(
    'show it to %s by its id where the list does: a private one to its owner and admins',
    async (name, who) => {
      const { secret, shared } = await ids()
      for (const [id, may] of [
        [secret, MAY['see a private rule']],
        [shared, MAY['see a public rule']],
      ] as const) {
        const sees = may.includes(name)
        expect(
          (
            await app.inject({
              url: at(`/${id}`, who),
              headers: who === null ? {} : { authorization: `Bearer ${who.token}` },
            })
          ).statusCode,
        ).toBe(sees ? 200 : 404)
        expect((await ask('GET', '', who)).body.some((rule: { id: string }) => rule.id === id)).toBe(sees)
      }
    },
  )

  it.each(ALL)('let %s save, share and delete it only as its owner or an admin', async (name, who) => {
    const { secret, shared } = await ids()
    const may = MAY['change a public rule'].includes(name)
    const calls = (id: string) =>
      [
        ['POST', `/bot/api/rules/${id}/versions`, { text: SECOND, after: 1 }],
        ['PATCH', `/bot/api/rules/${id}`, { visibility: 'private' }],
        ['PATCH', `/bot/api/rules/${id}`, { visibility: 'public' }],
        ['DELETE', `/bot/api/rules/${id}`, {}],
      ] as const
    for (const [id, otherwise] of [
      [shared, 403],
      [secret, 404],
    ] as const)
      for (const [method, url, body] of calls(id))
        expect((await refused(method, url, who, body)).status).toBe(may ? 200 : who === null ? 401 : otherwise)
  })

  it('let everybody who is signed in store one', async () => {
    for (const [, who] of ALL) {
      const { status } = await refused('POST', '/bot/api/rules', who, { name: 'Mine', text: FIRST })
      expect(status).toBe(who === null ? 401 : 200)
    }
  })

  it('end for others once its owner keeps it private again', async () => {
    const { shared } = await ids()
    await ask('PATCH', `/${shared}`, owner, { visibility: 'private' })
    expect((await ask('GET', '', other)).body).toEqual([])
  })
})

it('lists own rules first, then the newest, and finds them by name or text with signs taken as they are', async () => {
  const theirs = await make(other, { name: '100% cross', visibility: 'public' })
  const mine = await make(owner, { name: 'Old', text: SECOND })
  const newest = await make(other, { name: 'Newest', visibility: 'public' })
  const found = async (search: string) =>
    (await ask('GET', `?search=${encodeURIComponent(search)}`, owner)).body.map(({ name }: { name: string }) => name)
  expect((await ask('GET', '', owner)).body.map(({ id }: { id: string }) => id)).toEqual([
    mine.id,
    newest.id,
    theirs.id,
  ])
  expect(await found('0% CROSS')).toEqual(['100% cross'])
  expect(await found('SMA(50)')).toEqual(['Old'])
  expect(await found('%')).toEqual(['100% cross'])
})

describe('the origin of a rule', () => {
  const bot = (text: string, ruleOrigin: object, as = other) =>
    refused('POST', '/bot/api/bots', as, {
      name: `Bot ${randomUUID()}`,
      tradingPairs: ['BTCUSDT'],
      initialBalance: 1000,
      maxDrawdown: 30,
      parameters: { policy: 'rule', rule: text, ruleOrigin },
    })
  const shown = async (id: string, as = other) => (await call(app, 'GET', `/bot/api/bots/${id}`, { as })).body

  it('is named by a bot, with the name that the service knows, and kept when the rule is deleted', async () => {
    const { id } = await make(owner, { name: 'Cross', visibility: 'public' })
    const { data } = await bot(FIRST.replace('\n', ' '), { id, version: 1, name: 'What I like' })
    const origin = { id, version: 1, name: 'Cross' }
    expect((await shown(data.botId)).parameters.ruleOrigin).toEqual(origin)
    await ask('DELETE', `/${id}`, owner)
    const { parameters } = await shown(data.botId)
    expect(parameters).toMatchObject({ rule: FIRST.replace('\n', ' '), ruleOrigin: origin })
    const patched = await refused('PATCH', `/bot/api/bots/${data.botId}`, other, {
      parameters: { ...parameters, pauseWhenWorse: true },
    })
    expect(patched.data.parameters).toMatchObject({ ruleOrigin: origin, pauseWhenWorse: true })
    expect(
      (await refused('PATCH', `/bot/api/bots/${data.botId}`, other, { parameters: { ...parameters, rule: SECOND } }))
        .code,
    ).toBe('not_found')
  })

  it('is refused where the text is another, or the rule or its version cannot be seen', async () => {
    const { id } = await make(owner, { name: 'Cross', visibility: 'public' })
    expect(await bot(SECOND, { id, version: 1 })).toMatchObject({
      status: 400,
      field: 'parameters.ruleOrigin',
      error: 'This is not the text of Cross, version 1. Save it first, or name no origin.',
    })
    expect((await bot(FIRST, { id, version: 2 })).error).toBe('Cross has no version 2.')
    await ask('PATCH', `/${id}`, owner, { visibility: 'private' })
    expect((await bot(FIRST, { id, version: 1 })).status).toBe(404)
  })

  it('names a backtest, and makes it no other trial', async () => {
    const { id } = await make(manager, { name: 'Cross' })
    const request = (more: object) =>
      refused('POST', '/bot/api/backtest/jobs', manager, {
        mode: 'rule',
        rule: FIRST,
        symbol: 'BTCUSDT',
        limit: 200,
        ...more,
      })
    const { data } = await request({ ruleOrigin: { id, version: 1 } })
    const { rows } = await db.pool.query('select payload from trading.jobs where id = $1', [data.jobId])
    const order = rows[0].payload
    expect(order.bot).toMatchObject({
      name: 'Cross, version 1',
      parameters: { ruleOrigin: { id, version: 1, name: 'Cross' } },
    })
    const plain = (
      await db.pool.query('select payload from trading.jobs where id = $1', [(await request({})).data.jobId])
    ).rows[0]
    expect(triedBy(order)).toEqual(triedBy(plain.payload))
    expect((await request({ rule: SECOND, ruleOrigin: { id, version: 1 } })).field).toBe('ruleOrigin')
  })

  it('names a batch, and a search and a walk of its numbers, whatever these are', async () => {
    const { id } = await make(manager, { name: 'Cross' })
    const ruleOrigin = { id, version: 1 }
    const batch = { mode: 'rule', rule: FIRST, ruleOrigin, symbols: ['BTCUSDT'], timeframes: ['1h'] }
    const parameters = [{ name: 'days', values: [5, 10] }]
    const rule = FIRST.replaceAll('20', '{days}')
    const search = { kind: 'rule', rule, ruleOrigin, symbol: 'BTCUSDT', parameters }
    const other = { ...search, rule: rule.replace('close >', 'open >') }
    const asked = [
      ['batches', batch, { ...batch, rule: SECOND }],
      ['walk-forwards', { search, train: 50, test: 50 }, { search: other, train: 50, test: 50 }],
    ] as const
    for (const [path, body, wrong] of asked) {
      expect((await refused('POST', `/bot/api/${path}`, manager, wrong)).field).toBe('ruleOrigin')
      const { data } = await refused('POST', `/bot/api/${path}`, manager, body)
      const { request, title } = (await call(app, 'GET', `/bot/api/${path}/${data.id}`, { as: manager })).body
      expect(title).toMatch(/^Cross, version 1 on /)
      expect((request.search ?? request).ruleOrigin).toEqual({ id, version: 1, name: 'Cross' })
    }
  })
})
