import { createECDH, randomBytes } from 'node:crypto'
import { createOutlets } from '@shapecast/platform/channels/outlets'
import { silentLogger } from '@shapecast/platform/logging'
import type { Member } from '@shapecast/platform/sessions'
import { startSmtp, textOf } from '@shapecast/platform/testing/smtp-server'
import { startTelegram, TELEGRAM_TOKEN } from '@shapecast/platform/testing/telegram-server'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatBot } from '../src/notifications/chat-commands.ts'
import { openChat } from '../src/notifications/telegram-chat.ts'
import { benchOfFile } from './bench-of-file.ts'
import { type Person, SECRET_KEY } from './social-bench.ts'

const { bench, ann, bob, admin, manager } = await benchOfFile()
const smtp = await startSmtp()
const telegram = await startTelegram()
afterAll(() => Promise.all([smtp.close(), telegram.close()]))

const MAIL = {
  host: '127.0.0.1',
  port: smtp.port,
  security: 'none',
  username: 'mira',
  password: 'secret',
  from: 'shapecast@example.org',
  publicUrl: 'https://trade.example.org/somewhere',
}
const BOT = { token: TELEGRAM_TOKEN, apiUrl: telegram.url }
const ask = bench.ask
const settingsOf = async (as: Person) => (await ask('GET', '/api/notifications/settings', as)).body

beforeEach(() => {
  smtp.fault = null
  smtp.letters.length = 0
  telegram.said.length = 0
})

describe('the mail server and the Telegram bot', () => {
  it('are set, seen and forgotten by admins alone, once they answer, without their secrets', async () => {
    for (const who of [null, ann, manager]) {
      const status = who === null ? 401 : 403
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['POST', '/mail', MAIL],
        ['POST', '/telegram', BOT],
        ['DELETE', '/mail', undefined],
        ['DELETE', '/telegram', undefined],
      ] as const)
        expect([path, (await ask(method, `/api/outlets${path}`, who, body)).status]).toEqual([path, status])
    }
    expect((await settingsOf(ann)).outlets).toMatchObject({ telegram: null, email: false })
    expect((await ask('POST', '/api/notifications/telegram', ann)).status).toBe(422)
    expect((await ask('POST', '/api/notifications/email', ann, { address: 'a@example.org' })).status).toBe(422)

    const wrong = await ask('POST', '/api/outlets/mail', admin, { ...MAIL, password: 'wrong' })
    expect([wrong.status, wrong.body.error]).toEqual([422, expect.stringContaining('535 5.7.8 bad credentials')])
    const set = await ask('POST', '/api/outlets/mail', admin, MAIL)
    expect([set.status, set.body.words]).toEqual([200, '250 2.0.0 taken as 17'])
    expect(smtp.letters.map(({ to }) => to)).toEqual([[`${admin.username}@example.org`]])
    // The stored password goes to no other server.
    const elsewhere = await ask('POST', '/api/outlets/mail', admin, { ...MAIL, host: 'localhost', password: undefined })
    expect(elsewhere.status).toBe(422)
    expect((await ask('POST', '/api/outlets/mail', admin, { ...MAIL, password: undefined })).status).toBe(200)

    const unknown = await ask('POST', '/api/outlets/telegram', admin, { ...BOT, token: '1:not-a-token-of-theirs' })
    expect([unknown.status, unknown.body.error]).toEqual([422, 'Telegram did not take this token: 401 Unauthorized.'])
    expect((await ask('POST', '/api/outlets/telegram', admin, BOT)).body).toEqual({ bot: 'shapecast_bot' })
    const seen = await ask('GET', '/api/outlets', admin)
    expect(seen.body).toMatchObject({
      mail: { host: '127.0.0.1', hasPassword: true, publicUrl: 'https://trade.example.org' },
      telegram: 'shapecast_bot',
    })
    expect(JSON.stringify(seen.body)).not.toMatch(/"secret"|test-token/)
    const audit = await bench.db.pool.query("select * from platform.audit where action in ('mail.set', 'telegram.set')")
    expect(audit.rowCount).toBe(3)
    expect(JSON.stringify(audit.rows)).not.toMatch(/"secret"|test-token/)
  })
})

describe('an email address', () => {
  it('becomes a channel with the code that was mailed there, for the user who asked, once', async () => {
    expect((await ask('POST', '/api/notifications/email', ann, { address: 'ann@home.example.org' })).status).toBe(200)
    expect((await settingsOf(ann)).email).toBeNull()
    const code = /[a-z0-9]{4}(-[a-z0-9]{4}){3}/.exec(textOf(smtp.letters[0]!))![0]
    expect((await ask('POST', '/api/notifications/email/confirm', bob, { code })).status).toBe(403)
    expect((await ask('POST', '/api/notifications/email/confirm', ann, { code: 'aaaa-bbbb-cccc-dddd' })).status).toBe(
      403,
    )
    const confirmed = await ask('POST', '/api/notifications/email/confirm', ann, { code })
    expect(confirmed.body.settings).toMatchObject({
      email: { name: 'ann@home.example.org', isOn: true, last: null },
      choices: { halt: { email: true }, error: { email: true }, security: { email: true }, fill: { email: false } },
    })
    expect((await ask('POST', '/api/notifications/email/confirm', ann, { code })).status).toBe(403)
  })

  it('is tested with one press, which answers with what the server said', async () => {
    smtp.fault = 'refused'
    const failed = (await ask('POST', '/api/notifications/email/test', ann)).body.delivery
    expect(failed).toMatchObject({ channel: 'email', state: 'waiting', tries: 1, answer: '550 5.1.1 no such user' })
    expect((await settingsOf(ann)).email.last).toEqual(failed)
    smtp.fault = null
    expect((await ask('POST', '/api/notifications/email/test', ann)).body.delivery.state).toBe('delivered')
    expect((await ask('POST', '/api/notifications/email/test', bob)).status).toBe(404)
  })

  it('is told of security whatever was chosen', async () => {
    const none = { app: false, telegram: false, email: false, push: false, webhook: false }
    const { body } = await ask('PATCH', '/api/notifications/settings', ann, { choices: { security: none } })
    expect(body.choices.security).toEqual({ ...none, app: true, email: true })
  })

  it('is asked for ten times in a quarter of an hour at most', async () => {
    const address = 'bob@home.example.org'
    for (let i = 0; i < 10; i++)
      expect((await ask('POST', '/api/notifications/email', bob, { address })).status).toBe(200)
    expect((await ask('POST', '/api/notifications/email', bob, { address })).status).toBe(429)
  })
})

describe('browsers', () => {
  const key = createECDH('prime256v1')
  key.generateKeys()
  const keys = { p256dh: key.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  const browser = (name: string) => ({ endpoint: `https://push.example.org/${name}`, keys, name })

  it('are added and taken off by name, their addresses sealed, ten at most', async () => {
    for (const name of ['Firefox on Linux', 'Chrome on Android'])
      expect((await ask('POST', '/api/notifications/push', ann, browser(name))).status).toBe(200)
    expect((await settingsOf(ann)).push.name).toBe('Firefox on Linux, Chrome on Android')
    const { rows } = await bench.db.pool.query("select * from platform.notification_receivers where channel = 'push'")
    expect(JSON.stringify(rows)).not.toContain('push.example.org')
    const off = { endpoint: browser('Firefox on Linux').endpoint }
    const { settings } = (await ask('POST', '/api/notifications/push/remove', ann, off)).body
    expect(settings.push.name).toBe('Chrome on Android')
    for (let i = 0; i < 11; i++) await ask('POST', '/api/notifications/push', ann, browser(`n${i}`))
    expect((await settingsOf(ann)).push.name.split(', ')).toHaveLength(10)
  })

  it('are refused where their address is no public https address, or their keys are none', async () => {
    const add = async (change: object) =>
      (await ask('POST', '/api/notifications/push', bob, { ...browser('x'), ...change })).status
    expect(await add({ endpoint: 'http://push.example.org/' })).toBe(400)
    expect(await add({ endpoint: 'https://127.0.0.1/' })).toBe(422)
    expect(await add({ keys: { ...keys, auth: 'short' } })).toBe(400)
  })
})

describe('a forgotten password', () => {
  const forgot = (email: string, address?: string) => ask('POST', '/api/auth/forgot', null, { email }, address)
  const reset = (email: string, code: string, newPassword = 'quite another one') =>
    ask('POST', '/api/auth/reset', null, { email, code, newPassword })
  const linkIn = async (count: number) => {
    await expect.poll(() => smtp.letters.length, { timeout: 20_000 }).toBe(count)
    return /#email=(\S+?)&code=(\S+)/
      .exec(textOf(smtp.letters.at(-1)!))!
      .slice(1)
      .map(decodeURIComponent)
  }

  it('is reset by a link that is mailed, good once, which ends every session and leaves the second factor', async () => {
    const eve = await bench.person('eve')
    expect((await ask('GET', '/api/auth/registration')).body).toMatchObject({ resetsByMail: true })
    const answers = [await forgot('eve@example.org'), await forgot('nobody@example.org')]
    expect(answers).toEqual([
      { status: 200, body: { ok: true } },
      { status: 200, body: { ok: true } },
    ])
    const [email, code] = await linkIn(1)
    expect(textOf(smtp.letters[0]!)).toContain('https://trade.example.org/reset#email=')
    await bench.db.pool.query(
      "insert into social.second_factors (user_id, secret, on_since_ms, last_step) values ($1, 'sealed', 1, 0)",
      [eve.userId],
    )
    expect((await reset('nobody@example.org', code!)).status).toBe(403)
    expect((await reset(email!, code!)).status).toBe(200)
    expect((await reset(email!, code!)).status).toBe(403)
    expect((await ask('GET', '/api/auth/profile', eve)).status).toBe(401)
    const credentials = { email, password: 'quite another one' }
    expect((await ask('POST', '/api/auth/login', null, credentials)).body.code).toBe('second_factor_required')
  })

  it('leaves the code of an admin as it is', async () => {
    const { userId } = await bench.person('finn')
    const { code } = (await ask('POST', `/api/users/${userId}/reset-code`, admin)).body
    await forgot('finn@example.org', '10.0.0.7')
    await linkIn(1)
    expect((await reset('finn@example.org', code)).status).toBe(200)
  })

  it('is asked for ten times in a quarter of an hour at most, with or without an account', async () => {
    for (const email of ['gil@example.org', 'ann@example.org']) {
      for (let i = 0; i < 10; i++) expect((await forgot(email, `10.9.${email.length}.1`)).status).toBe(200)
      expect((await forgot(email, `10.9.${email.length}.1`)).status).toBe(429)
    }
  })

  it('is not reset in an hour, nor where no mail is set up', async () => {
    const { userId } = await bench.person('hal')
    await forgot('hal@example.org', '10.0.0.8')
    await expect.poll(() => smtp.letters.some(({ to }) => to[0] === 'hal@example.org'), { timeout: 20_000 }).toBe(true)
    const letter = smtp.letters.find(({ to }) => to[0] === 'hal@example.org')!
    const code = /&code=(\S+)/.exec(textOf(letter))![1]!
    await bench.db.pool.query('update social.reset_codes set expires_at_ms = $2 where user_id = $1', [
      userId,
      Date.now(),
    ])
    expect((await reset('hal@example.org', code)).status).toBe(403)
    await ask('DELETE', '/api/outlets/mail', admin)
    expect((await forgot('hal@example.org', '10.0.0.8')).status).toBe(422)
    expect((await ask('GET', '/api/auth/registration')).body).toMatchObject({ resetsByMail: false })
  })
})

describe('a chat', () => {
  const done: string[] = []
  const bots: Record<string, ChatBot[]> = {}
  const note = (what: string, { userId, address }: Member, ...more: unknown[]) =>
    void done.push(
      [what, userId === ann.userId ? 'ann' : userId === admin.userId ? 'admin' : userId, address, ...more].join(' '),
    )
  const chat = openChat({
    db: bench.db,
    secretKey: SECRET_KEY,
    log: silentLogger(),
    outlets: createOutlets(bench.db.orm, SECRET_KEY),
    now: Date.now,
    trading: {
      botsOf: async (userId) => bots[userId] ?? [],
      pause: async (member, id) => note('pause', member, id),
      stop: async (member, id, sellsReal) => note('stop', member, id, sellsReal),
      kill: async (member, sells) => note('kill', member, sells),
    },
  })
  const [ANN, ADMIN, EVE] = [501, 502, 503]
  /** What the bot answers to what is written. */
  async function say(from: number, text: string, other: Parameters<typeof telegram.write>[2] = {}): Promise<string[]> {
    const before = telegram.said.length
    telegram.write(from, text, other)
    await chat.poll()
    return telegram.said.slice(before).map((one) => one.text)
  }
  const codeOf = async (as: Person) => (await ask('POST', '/api/notifications/telegram', as)).body
  const commands = (as: Person, takesCommands: boolean) =>
    ask('PATCH', '/api/notifications/telegram', as, { takesCommands })
  beforeAll(async () => {
    await ask('POST', '/api/outlets/telegram', admin, BOT)
    bots[ann.userId] = [
      { id: 'tern', name: 'Tern', isVirtual: true, state: 'active, 1,012.44 USDT (+1.24%)', positions: [] },
      { id: 'ridge', name: 'Ridge Real', isVirtual: false, state: 'active', positions: ['long 0.01 BTC'] },
    ]
  })
  beforeEach(() => {
    done.length = 0
  })

  it('is linked by the code of a user, once, and belongs to that one', async () => {
    expect(await say(ANN, '/status')).toEqual([expect.stringContaining('I do not know this chat')])
    const { code, bot, url } = await codeOf(ann)
    expect([bot, url]).toEqual(['shapecast_bot', `https://t.me/shapecast_bot?start=${code}`])
    expect(await say(ANN, `/start ${code}`, { username: 'ann_trades' })).toEqual([
      expect.stringContaining(`Connected to ${ann.username}`),
    ])
    expect((await settingsOf(ann)).telegram).toMatchObject({ name: '@ann_trades', isOn: true, takesCommands: false })
    expect(await say(EVE, code)).toEqual([expect.stringContaining('wrong, was used already')])
    const other = await codeOf(bob)
    expect(await say(ANN, other.code)).toEqual([
      'This chat is connected to another account. Disconnect it there first.',
    ])
    expect((await settingsOf(bob)).telegram).toBeNull()
  })

  it('takes no code after ten minutes', async () => {
    const { code } = await codeOf(bob)
    await bench.db.pool.query('update platform.notification_links set expires_at_ms = $1', [Date.now()])
    expect(await say(EVE, code)).toEqual([expect.stringContaining('has run out')])
  })

  it('takes commands only once its user has said so with proof, from its user alone, and fresh ones', async () => {
    expect(await say(ANN, '/status')).toEqual([expect.stringContaining('Commands from this chat are off')])
    const { accessToken } = await bench.sessions.issue({ userId: ann.userId, role: 'user' })
    const unproved = { ...ann, token: accessToken }
    expect((await commands(unproved, true)).body.code).toBe('confirmation_required')
    expect((await ask('PATCH', '/api/notifications/email', ann, { takesCommands: true })).status).toBe(422)
    expect((await commands(bob, true)).status).toBe(404)
    expect((await commands(ann, true)).status).toBe(200)
    expect(await say(ANN, '/status')).toEqual(['Tern: active, 1,012.44 USDT (+1.24%)\nRidge Real: active'])
    expect(await say(ANN, '/positions')).toEqual(['Ridge Real: long 0.01 BTC'])
    expect(await say(ANN, '/status', { type: 'group' })).toEqual([])
    expect(await say(ANN, '/status', { from: EVE })).toEqual([])
    expect(await say(EVE, '/status')).toEqual([expect.stringContaining('I do not know this chat')])
    expect(await say(ANN, '/pause Tern', { dateMs: Date.now() - 6 * 60_000 })).toEqual([
      expect.stringContaining('more than five minutes old'),
    ])
    expect(await say(ANN, '/start Tern')).toEqual([expect.stringContaining('I never start a bot')])
    expect(done).toEqual([])
  })

  it('pauses after a yes, stops a virtual bot after its name, and does nothing otherwise', async () => {
    expect(await say(ANN, '/pause tern')).toEqual([expect.stringContaining('Pause Tern?')])
    expect(await say(ANN, 'no')).toEqual(['Nothing was done.'])
    expect(await say(ANN, 'yes')).toEqual([expect.stringContaining('/pause NAME')])
    await say(ANN, '/pause Tern')
    expect(await say(ANN, 'Yes')).toEqual([expect.stringContaining('Tern is paused')])
    await say(ANN, '/stop Tern')
    expect(await say(ANN, 'yes')).toEqual(['Nothing was done.'])
    await say(ANN, '/stop Tern')
    await say(ANN, 'Tern')
    expect(await say(ANN, '/stop Other')).toEqual([expect.stringContaining('You have no bot called Other')])
    expect(await say(ANN, '/kill')).toEqual([expect.stringContaining('Only an admin')])
    expect(done).toEqual(['pause ann Telegram tern', 'stop ann Telegram tern false'])
  })

  it('sells for real money only with a code of the second factor, each good once', async () => {
    await say(ANN, '/stop Ridge Real')
    expect(await say(ANN, 'Ridge Real')).toEqual([expect.stringContaining('takes two-factor authentication')])
    const begun = await ask('POST', '/api/auth/second-factor', ann, { password: 'a password that nobody uses' })
    const own = Secret.fromBase32(begun.body.secret)
    const codeNow = (offset: number) =>
      new TOTP({ secret: own, period: 30 }).generate({ timestamp: Date.now() + offset * 30_000 })
    expect((await ask('POST', '/api/auth/second-factor/confirm', ann, { code: codeNow(-1) })).status).toBe(200)
    await say(ANN, '/stop Ridge Real')
    expect(await say(ANN, 'Ridge Real')).toEqual([expect.stringContaining('Send the code')])
    expect(await say(ANN, '000000')).toEqual([expect.stringContaining('code is wrong')])
    await say(ANN, '/stop Ridge Real')
    await say(ANN, 'Ridge Real')
    const code = codeNow(0)
    expect(await say(ANN, code)).toEqual([expect.stringContaining('Ridge Real is stopped')])
    await say(ANN, '/stop Ridge Real')
    await say(ANN, 'Ridge Real')
    expect(await say(ANN, code)).toEqual([expect.stringContaining('Nothing was done')])
    expect(done).toEqual(['stop ann Telegram ridge true'])
  })

  it('has the kill switch for an admin, which sells only with a code', async () => {
    const { code } = await codeOf(admin)
    await say(ADMIN, code)
    await commands(admin, true)
    await say(ADMIN, '/kill')
    expect(await say(ADMIN, 'yes')).toEqual([expect.stringContaining('The kill switch is on')])
    await say(ADMIN, '/kill sell')
    expect(await say(ADMIN, 'yes')).toEqual([expect.stringContaining('takes two-factor authentication')])
    expect(done).toEqual(['kill admin Telegram false'])
  })

  it('obeys nobody whose account is disabled, and asks no more once it is disconnected', async () => {
    await bench.db.pool.query('update social.users set disabled_at = now() where id = $1', [ann.userId])
    expect(await say(ANN, '/status')).toEqual(['This account is gone or disabled.'])
    await bench.db.pool.query('update social.users set disabled_at = null where id = $1', [ann.userId])
    const token = await bench.signIn(ann.userId, 'user')
    expect((await ask('DELETE', '/api/notifications/telegram', { ...ann, token })).status).toBe(200)
    expect(await say(ANN, '/status')).toEqual([expect.stringContaining('I do not know this chat')])
  })

  it('is read once: what was answered does not come again', async () => {
    const before = telegram.said.length
    await chat.poll()
    expect(telegram.said.length).toBe(before)
  })
})
