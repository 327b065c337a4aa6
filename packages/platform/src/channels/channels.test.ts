import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Policy } from '@shapecast/contracts/policy'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { silentLogger } from '../logging.ts'
import { notify, notifyAll } from '../notify.ts'
import { storePolicy } from '../policy.ts'
import { createSeal } from '../seal.ts'
import { deliveries, notificationSettings, receivers } from '../tables.ts'
import { startSmtp, type TestSmtp, textOf } from '../testing/smtp-server.ts'
import { startTelegram, TELEGRAM_TOKEN, type TestTelegram } from '../testing/telegram-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { RECEIVER_SEAL } from './channels.ts'
import { sendMail } from './mail.ts'
import { createOutlets, type MailOutlet } from './outlets.ts'
import { sendDeliveries, waitAfter } from './send-deliveries.ts'
import { telegramApi } from './telegram.ts'

const SECRET_KEY = 'a key that is long enough for a test'
const HALT = {
  kind: 'halt',
  title: 'Lattice is near\nits limit',
  text: 'Another 16.57 USDT.',
  link: '/bots/1',
} as const

let db: Database
let smtp: TestSmtp
let telegram: TestTelegram
let clockMs = Date.UTC(2026, 0, 1)
let mail: MailOutlet

beforeAll(async () => {
  db = await createTestDatabase()
  smtp = await startSmtp()
  telegram = await startTelegram()
  mail = {
    host: '127.0.0.1',
    port: smtp.port,
    security: 'none',
    username: 'mira',
    password: 'secret',
    from: 'shapecast@example.org',
    publicUrl: 'https://trade.example.org',
  }
})
afterAll(async () => {
  await Promise.all([smtp.close(), telegram.close()])
  await db.close()
})
beforeEach(async () => {
  smtp.fault = null
  smtp.letters.length = 0
  telegram.fault = null
  telegram.said.length = 0
  await db.orm.delete(deliveries)
  const outlets = createOutlets(db.orm, SECRET_KEY)
  await outlets.setMail(db.orm, mail)
  await outlets.setTelegram(db.orm, { token: TELEGRAM_TOKEN, bot: 'shapecast_bot', apiUrl: telegram.url })
})

async function listener(channel: 'email' | 'telegram' | 'push', url: string, secret: string | null = null) {
  const userId = randomUUID()
  await db.orm.insert(notificationSettings).values({
    userId,
    choices: { halt: { app: true, telegram: false, email: false, push: false, webhook: false, [channel]: true } },
  })
  const sealed = secret === null ? null : createSeal(SECRET_KEY, RECEIVER_SEAL).seal(secret, userId)
  await db.orm.insert(receivers).values({ userId, channel, url, isOn: true, secret: sealed })
  return userId
}
const send = () => sendDeliveries({ db, secretKey: SECRET_KEY, log: silentLogger(), now: () => clockMs })
const rowOf = async (userId: string) =>
  (await db.orm.select().from(deliveries).where(eq(deliveries.userId, userId)))[0]!

describe('the secrets of an installation', () => {
  it('lie sealed in the database, and open with the same SECRET_KEY alone', async () => {
    const stored = await db.pool.query('select * from platform.installation')
    expect(JSON.stringify(stored.rows)).not.toMatch(/"secret":"secret"|test-token/)
    expect(await createOutlets(db.orm, SECRET_KEY).read()).toMatchObject({ mail, telegram: { token: TELEGRAM_TOKEN } })
    expect(await createOutlets(db.orm, `another ${SECRET_KEY}`).read()).toMatchObject({ mail: null, telegram: null })
  })

  it('have push keys of the first process that asks, which stay', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => createOutlets(db.orm, SECRET_KEY).read()))
    expect(a!.push).toEqual(b!.push)
  })
})

describe('in quiet hours', () => {
  const NIGHT = { isOn: true, from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
  const FILL = { kind: 'fill', title: 'Trend opened a long on BTCUSDT', text: 'Bought 0.1 BTC.' } as const
  const ways = { app: true, telegram: true, email: false, push: false, webhook: true }
  const EVENING = Date.UTC(2026, 0, 1, 21, 14)
  const MORNING = Date.UTC(2026, 0, 2, 6)
  const rowsOf = (userId: string) => db.orm.select().from(deliveries).where(eq(deliveries.userId, userId))

  async function sleeper(chat: string) {
    const userId = await listener('telegram', chat)
    const set = { quiet: NIGHT, choices: { fill: ways, halt: ways } }
    await db.orm.update(notificationSettings).set(set).where(eq(notificationSettings.userId, userId))
    return userId
  }

  it('what can wait comes as one message after them, and what cannot at once', async () => {
    const userId = await sleeper('71')
    clockMs = EVENING
    await notify(db.orm, userId, FILL, EVENING)
    await notify(db.orm, userId, HALT, EVENING)
    await notify(db.orm, userId, { ...FILL, title: 'Trend closed a long on BTCUSDT' }, EVENING + 3_600_000)
    expect([await send(), telegram.said.map(({ text }) => text.split('\n')[0])]).toEqual([1, ['Lattice is near']])
    clockMs = MORNING
    expect(await send()).toBe(1)
    expect(telegram.said[1]).toEqual({
      chat: '71',
      text: 'While it was quiet\n22:14 Trend opened a long on BTCUSDT\n23:14 Trend closed a long on BTCUSDT',
    })
    await notify(db.orm, userId, FILL, MORNING)
    expect([await send(), telegram.said.length]).toEqual([1, 3])
  })

  it('a webhook is told at once, and so is everybody in the last minute', async () => {
    const userId = await sleeper('72')
    await db.orm.insert(receivers).values({ userId, channel: 'webhook', url: 'https://x.example', isOn: true })
    await notify(db.orm, userId, FILL, EVENING)
    await notify(db.orm, userId, FILL, MORNING - 60_000)
    const waiting = (await rowsOf(userId)).map(({ channel, kind, nextTryAtMs }) => [channel, kind, nextTryAtMs])
    expect(waiting).toHaveLength(4)
    expect(waiting).toEqual(
      expect.arrayContaining([
        ['telegram', 'quiet', MORNING],
        ['webhook', 'fill', EVENING],
        ['telegram', 'fill', MORNING - 60_000],
        ['webhook', 'fill', MORNING - 60_000],
      ]),
    )
  })

  it('a message that grows too long ends with dots, once', async () => {
    const userId = await sleeper('73')
    const tells = Array.from({ length: 40 }, () => ({ ...FILL, userId, title: 'x'.repeat(120) }))
    await notifyAll(db.orm, tells, EVENING)
    const { text } = await rowOf(userId)
    expect(text.length).toBeLessThan(3_200)
    expect([text.endsWith('\n…'), text.split('…').length]).toEqual([true, 2])
  })
})

describe('a message by mail', () => {
  it('is a letter in plain text with its link, whose subject is one line', async () => {
    const userId = await listener('email', 'mira@example.org')
    await notify(db.orm, userId, HALT, clockMs)
    expect(await send()).toBe(1)
    const { id, state, answer } = await rowOf(userId)
    expect([state, answer]).toEqual(['delivered', '250 2.0.0 taken as 17'])
    const [letter] = smtp.letters
    expect(letter).toMatchObject({ from: 'shapecast@example.org', to: ['mira@example.org'] })
    expect(letter!.data).toMatch(/^Subject: Lattice is near its limit$/m)
    expect(letter!.data).toContain(`Message-ID: <${id}@example.org>`)
    expect(textOf(letter!)).toContain('Another 16.57 USDT.\n\nhttps://trade.example.org/bots/1')
  })

  it.each([
    ['refused', '550 5.1.1 no such user'],
    ['busy', '451 4.3.2 try again later'],
    ['bad_login', '535 5.7.8 bad credentials'],
    ['broken', 'Connection closed unexpectedly'],
  ] as const)('is tried again when the server is %s, in its words', async (fault, words) => {
    const userId = await listener('email', 'mira@example.org')
    await notify(db.orm, userId, HALT, clockMs)
    smtp.fault = fault
    await send()
    const row = await rowOf(userId)
    expect(row).toMatchObject({ state: 'waiting', tries: 1, nextTryAtMs: clockMs + waitAfter(1) })
    expect(row.answer).toContain(words)
    smtp.fault = null
    clockMs += waitAfter(1)
    await send()
    expect(await rowOf(userId)).toMatchObject({ state: 'delivered', tries: 2 })
    expect(smtp.letters).toHaveLength(1)
  })

  it('is not waited for when the server stays silent', async () => {
    smtp.fault = 'slow'
    const letter = { id: randomUUID(), to: 'mira@example.org', subject: 'x', text: '' }
    await expect(sendMail(mail, letter, 200)).rejects.toThrow(/greeting|timeout/i)
  })

  it('goes to one address, whatever stands in it', async () => {
    const to = 'mira@example.org, eve@example.org'
    await sendMail(mail, { id: randomUUID(), to, subject: 'a\r\nBcc: eve@example.org', text: '' }).catch(() => null)
    expect(smtp.letters.flatMap((letter) => letter.to)).not.toContain('eve@example.org')
    for (const { data } of smtp.letters) expect(data).not.toMatch(/^Bcc:/m)
  })

  it('is encrypted where the admin asks for it, or not sent', async () => {
    const letter = { id: randomUUID(), to: 'mira@example.org', subject: 'x', text: '' }
    expect(await sendMail({ ...mail, security: 'starttls' }, letter)).toEqual({
      isTaken: false,
      words: '502 5.5.1 not implemented',
    })
    expect(smtp.letters).toEqual([])
  })
})

describe('a message by Telegram', () => {
  it('is text to one chat', async () => {
    const userId = await listener('telegram', '42')
    await notify(db.orm, userId, HALT, clockMs)
    await send()
    expect(await rowOf(userId)).toMatchObject({ state: 'delivered', answer: '200' })
    expect(telegram.said).toEqual([
      { chat: '42', text: 'Lattice is near\nits limit\nAnother 16.57 USDT.\nhttps://trade.example.org/bots/1' },
    ])
  })

  it('waits as long as Telegram asks for', async () => {
    const userId = await listener('telegram', '43')
    await notify(db.orm, userId, HALT, clockMs)
    telegram.fault = 'too_many'
    await send()
    expect(await rowOf(userId)).toMatchObject({
      state: 'waiting',
      answer: '429 Too Many Requests: retry after 120',
      nextTryAtMs: clockMs + 120_000,
    })
  })

  it('is given up when its person has blocked the bot, and the channel is off', async () => {
    const userId = await listener('telegram', '44')
    await notify(db.orm, userId, HALT, clockMs)
    telegram.fault = 'blocked'
    await send()
    expect(await rowOf(userId)).toMatchObject({ state: 'failed', answer: '403 Forbidden: bot was blocked by the user' })
    expect(await db.orm.select().from(receivers).where(eq(receivers.userId, userId))).toMatchObject([{ isOn: false }])
  })

  it.each([
    ['broken', 'Telegram cannot be reached'],
    ['no_json', "502, and no answer of Telegram's"],
  ] as const)('is tried again when its server is %s', async (fault, answer) => {
    const userId = await listener('telegram', randomUUID())
    await notify(db.orm, userId, HALT, clockMs)
    telegram.fault = fault
    await send()
    expect(await rowOf(userId)).toMatchObject({ state: 'waiting', answer, nextTryAtMs: clockMs + waitAfter(1) })
  })

  it('says that a token is wrong, without saying the token', async () => {
    const token = '123456:another-token-of-a-bot'
    const failure = telegramApi({ token, apiUrl: telegram.url })('getMe')
    await expect(failure).rejects.toThrow('401 Unauthorized')
    const nobody = telegramApi({ token, apiUrl: 'http://127.0.0.1:1' })('getMe')
    const error = await nobody.catch((caught: Error) => caught)
    expect(`${error} ${(error as Error).cause}`).not.toContain(token)
  })
})

describe('a message to browsers', () => {
  it('is encrypted for each, drops those that are gone, and stays in public networks', async () => {
    const got: { path: string; headers: http.IncomingHttpHeaders; bytes: Buffer }[] = []
    const server = http.createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      got.push({ path: request.url!, headers: request.headers, bytes: Buffer.concat(parts) })
      response.writeHead(request.url === '/gone' ? 410 : 201).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const key = createECDH('prime256v1')
    key.generateKeys()
    const keys = { p256dh: key.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
    const browsers = ['/gone', '/here'].map((path) => ({ endpoint: origin + path, keys, name: path }))
    const userId = await listener('push', 'push', JSON.stringify(browsers))

    await notify(db.orm, userId, HALT, clockMs)
    await send()
    expect(await rowOf(userId)).toMatchObject({ state: 'waiting', answer: expect.stringContaining('private network') })
    expect(got).toEqual([])

    await storePolicy(db.orm, { ...Policy.parse({}), privateWebhooks: true })
    clockMs += waitAfter(1)
    await send()
    expect(await rowOf(userId)).toMatchObject({ state: 'delivered', answer: '410, 201' })
    const here = got.find(({ path }) => path === '/here')!
    expect(here.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      authorization: expect.stringMatching(/^vapid t=/),
    })
    expect(here.bytes.toString('latin1')).not.toContain('Lattice')
    await notify(db.orm, userId, HALT, clockMs)
    await send()
    expect(got.map(({ path }) => path).filter((path) => path === '/gone')).toHaveLength(1)
    server.close()
  })
})
