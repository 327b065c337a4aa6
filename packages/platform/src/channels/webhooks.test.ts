import { createHmac, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { NOTIFICATION_KINDS } from '@shapecast/contracts/notifications'
import { Policy } from '@shapecast/contracts/policy'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { silentLogger } from '../logging.ts'
import { notify } from '../notify.ts'
import { storePolicy } from '../policy.ts'
import { createSeal } from '../seal.ts'
import { deliveries, notificationSettings, notifications, receivers } from '../tables.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { RECEIVER_SEAL } from './channels.ts'
import { postBytes } from './post-message.ts'
import { isPublicAddress, lookUpPublic, REFUSED_ADDRESS } from './public-address.ts'
import { sendDeliveries, waitAfter } from './send-deliveries.ts'

const SECRET_KEY = 'a key that is long enough for a test'
const SECRET = 'whsec_test'
let db: Database
let server: http.Server
let port = 0
let clockMs = Date.UTC(2026, 0, 1)
let answers: number[] = []
let got: { headers: http.IncomingHttpHeaders; body: string }[] = []

beforeAll(async () => {
  db = await createTestDatabase()
  server = http.createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    got.push({ headers: request.headers, body })
    const status = answers.shift() ?? 204
    if (status === 302) response.setHeader('location', `http://127.0.0.1:${port}/elsewhere`)
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.close()
  await db.close()
})
beforeEach(async () => {
  got = []
  answers = []
  await db.orm.delete(deliveries)
  await storePolicy(db.orm, { ...Policy.parse({}), privateWebhooks: true })
})

async function listener(kinds: readonly string[] = NOTIFICATION_KINDS, isOn = true): Promise<string> {
  const userId = randomUUID()
  await db.orm.insert(notificationSettings).values({
    userId,
    choices: Object.fromEntries(kinds.map((kind) => [kind, { app: false, webhook: true }])),
  })
  await db.orm.insert(receivers).values({
    userId,
    channel: 'webhook',
    url: `http://127.0.0.1:${port}/hook`,
    isOn,
    secret: createSeal(SECRET_KEY, RECEIVER_SEAL).seal(SECRET, userId),
  })
  return userId
}
const send = () => sendDeliveries({ db, secretKey: SECRET_KEY, log: silentLogger(), now: () => clockMs })
const rowsOf = (userId: string) => db.orm.select().from(deliveries).where(eq(deliveries.userId, userId))
const FILL = { kind: 'fill', title: 'Ridge opened a long', text: 'At 66,494.3', link: '/trading' } as const

describe('a person is told', () => {
  it('in the app unless they chose otherwise, of errors and security always', async () => {
    const userId = await listener()
    for (const kind of NOTIFICATION_KINDS) await notify(db.orm, userId, { kind, title: kind, text: '' })
    const rows = await db.orm.select().from(notifications).where(eq(notifications.userId, userId))
    expect(rows.map((row) => row.kind)).toEqual(['error', 'security'])
    const stranger = randomUUID()
    await notify(db.orm, stranger, FILL)
    expect(await rowsOf(stranger)).toEqual([])
    expect(await db.orm.select().from(notifications).where(eq(notifications.userId, stranger))).toHaveLength(1)
  })

  it('hears of fills of a virtual bot as read, of everything else as unread', async () => {
    const userId = await listener([])
    const ridge = (isVirtual: boolean) => ({ id: randomUUID(), name: 'Ridge', isVirtual, netPnL: null })
    await db.orm.delete(notificationSettings).where(eq(notificationSettings.userId, userId))
    await notify(db.orm, userId, { ...FILL, bot: ridge(true) }, clockMs)
    await notify(db.orm, userId, { ...FILL, bot: ridge(false) }, clockMs)
    await notify(db.orm, userId, { ...FILL, kind: 'halt', bot: ridge(true) }, clockMs)
    const rows = await db.orm.select().from(notifications).where(eq(notifications.userId, userId))
    expect(rows.map(({ readAtMs }) => readAtMs)).toEqual([clockMs, null, null])
  })

  it('once of what repeats itself, until it is read', async () => {
    const userId = randomUUID()
    const votes = {
      kind: 'task',
      title: 'New votes',
      text: '1 for',
      link: '/settings/tasks?task=1',
      onceUnread: true,
    } as const
    const heard = () => db.orm.select().from(notifications).where(eq(notifications.userId, userId))
    await notify(db.orm, userId, votes)
    await notify(db.orm, userId, votes)
    await notify(db.orm, userId, { ...votes, link: '/settings/tasks?task=2' })
    await notify(db.orm, randomUUID(), votes)
    expect(await heard()).toHaveLength(2)
    await db.orm.update(notifications).set({ readAtMs: 1 }).where(eq(notifications.userId, userId))
    await notify(db.orm, userId, votes)
    expect(await heard()).toHaveLength(3)
  })

  it('by webhook of the kinds that they chose, and of none while it is off, or where the transaction fails', async () => {
    const chosen = await listener(['halt'])
    const off = await listener(NOTIFICATION_KINDS, false)
    for (const userId of [chosen, off]) {
      await notify(db.orm, userId, FILL)
      await notify(db.orm, userId, { ...FILL, kind: 'halt' })
      await db.orm
        .transaction(async (tx) => {
          await notify(tx, userId, { ...FILL, kind: 'halt' })
          throw new Error('undone')
        })
        .catch(() => undefined)
    }
    expect((await rowsOf(chosen)).map((row) => row.kind)).toEqual(['halt'])
    expect(await rowsOf(off)).toEqual([])
  })
})

describe('a message', () => {
  it('calls nobody in Slack or Discord, whatever somebody else wrote', async () => {
    const userId = await listener()
    await notify(db.orm, userId, { ...FILL, text: '@everyone <!channel> <@U1> a < b' }, clockMs)
    await send()
    const sent = JSON.parse(got[0]!.body)
    expect(sent.text).toBe('Ridge opened a long\n@everyone < !channel> < @U1> a < b')
    expect(sent.allowed_mentions).toEqual({ parse: [] })
  })

  it('carries what happened and a signature over time and body that the secret checks', async () => {
    const userId = await listener()
    await notify(db.orm, userId, FILL, clockMs)
    expect(await send()).toBe(1)
    const [{ headers, body }] = got as [{ headers: http.IncomingHttpHeaders; body: string }]
    expect(JSON.parse(body)).toMatchObject({ kind: 'fill', title: FILL.title, message: FILL.text, link: '/trading' })
    expect(JSON.parse(body).text).toBe('Ridge opened a long\nAt 66,494.3')
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['shapecast-signature']))!
    expect([Number(t), v1]).toEqual([clockMs / 1000, createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')])
    expect(await rowsOf(userId)).toMatchObject([{ state: 'delivered', tries: 1, answer: '204', nextTryAtMs: null }])
    expect(await send()).toBe(0)
  })

  it('is tried again with growing waits until it is taken', async () => {
    const userId = await listener()
    await notify(db.orm, userId, FILL, clockMs)
    answers = [503, 500, 302]
    for (const waitMs of [30_000, 120_000, 480_000]) {
      expect(await send()).toBe(1)
      expect(await rowsOf(userId)).toMatchObject([{ state: 'waiting', nextTryAtMs: clockMs + waitMs }])
      clockMs += waitMs - 1
      expect(await send()).toBe(0)
      clockMs += 1
    }
    expect(await send()).toBe(1)
    expect(await rowsOf(userId)).toMatchObject([{ state: 'delivered', tries: 4 }])
    // A redirect is no success, and is followed nowhere.
    expect(got).toHaveLength(4)
  })

  it('is given up after 8 tries', async () => {
    const userId = await listener()
    await notify(db.orm, userId, FILL, clockMs)
    answers = Array(9).fill(503)
    for (let i = 1; i <= 8; i++) {
      await send()
      clockMs += waitAfter(i)
    }
    expect(await rowsOf(userId)).toMatchObject([{ state: 'failed', tries: 8, answer: '503', nextTryAtMs: null }])
    expect([await send(), got.length]).toEqual([0, 8])
  })

  it('is sent by one of several processes, and again where the one that took it died', async () => {
    const userId = await listener()
    for (let i = 0; i < 30; i++) await notify(db.orm, userId, FILL, clockMs)
    const sent = await Promise.all([send(), send(), send()])
    expect([sent.reduce((a, b) => a + b), got.length]).toEqual([30, 30])
    await db.orm.update(deliveries).set({ state: 'waiting', nextTryAtMs: clockMs + 60_000 })
    expect(await send()).toBe(0)
    clockMs += 60_000
    expect(await send()).toBe(20)
  })

  it('goes to no private address unless an admin allows it, by whatever name', async () => {
    await storePolicy(db.orm, Policy.parse({}))
    const userId = await listener()
    for (const url of ['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'http://2130706433', 'http://0x7f.1']) {
      await db.orm
        .update(receivers)
        .set({ url: `${url}:${port}/` })
        .where(eq(receivers.userId, userId))
      await db.orm.delete(deliveries)
      await notify(db.orm, userId, FILL, clockMs)
      await send()
      expect([url, (await rowsOf(userId))[0]!.answer]).toEqual([url, REFUSED_ADDRESS])
    }
    expect(got).toEqual([])
  })
})

describe('an address', () => {
  it.each([
    ['8.8.8.8', true],
    ['1.1.1.1', true],
    ['100.63.255.255', true],
    ['172.32.0.1', true],
    ['192.0.1.1', true],
    ['223.255.255.255', true],
    ['2606:4700::1111', true],
    ['2a00:1450:4001:81b::200e', true],
    ['2001:4860:4860::8888', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['192.168.0.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['192.0.0.8', false],
    ['192.0.2.1', false],
    ['192.88.99.1', false],
    ['198.18.0.1', false],
    ['198.51.100.1', false],
    ['203.0.113.9', false],
    ['224.0.0.1', false],
    ['240.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::127.0.0.1', false],
    ['::8.8.8.8', false],
    ['::7f00:1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:8.8.8.8', false],
    ['::ffff:0:7f00:1', false],
    ['64:ff9b::7f00:1', false],
    ['64:ff9b:1::1', false],
    ['100::1', false],
    ['2001::1', false],
    ['2001:10::1', false],
    ['2001:20::1', false],
    ['2001:db8::1', false],
    ['2002:7f00:1::1', false],
    ['3fff::1', false],
    ['5f00::1', false],
    ['fc00::1', false],
    ['fd00::1', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['fec0::1', false],
    ['ff02::1', false],
    ['4000::1', false],
    ['127.1', false],
    ['no address', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic)
  })

  it('is looked up once, and what was checked is what is connected to', async () => {
    let asked = 0
    // Says a public address first; the machine's own would come next.
    const lookup: typeof lookUpPublic = (_host, options, done) => {
      asked++
      const found = [{ address: '127.0.0.1', family: 4 }]
      if (options.all) done(null, found)
      else done(null, '127.0.0.1', 4)
    }
    const message = { url: `http://hook.example:${port}/`, headers: {}, body: '{}', allowPrivate: false }
    expect([await postBytes({ ...message, lookup }), asked]).toEqual([204, 1])
    await expect(
      new Promise((resolve, reject) =>
        lookUpPublic('localhost', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
      ),
    ).rejects.toThrow(REFUSED_ADDRESS)
  })
})
