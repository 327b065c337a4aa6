import { randomBytes } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import {
  CHANNEL_NAMES,
  CHANNELS,
  type Channel,
  type ConnectedChannel,
  type Delivery,
  URGENT_KINDS,
} from '@shapecast/contracts/notifications'
import { recordAudit } from '@shapecast/platform/audit'
import type { Answer } from '@shapecast/platform/channels/channel'
import { type Channels, channelsOf, RECEIVER_SEAL } from '@shapecast/platform/channels/channels'
import { sendMail } from '@shapecast/platform/channels/mail'
import type { OutletStore, Outlets } from '@shapecast/platform/channels/outlets'
import { type Browser, browsersOf } from '@shapecast/platform/channels/push'
import { failureWords, sendTaken, TAKEN_MS } from '@shapecast/platform/channels/send-deliveries'
import { webhookRefusal } from '@shapecast/platform/channels/webhook'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Logger } from '@shapecast/platform/logging'
import { readPolicy } from '@shapecast/platform/policy'
import { createSeal } from '@shapecast/platform/seal'
import type { Member } from '@shapecast/platform/sessions'
import { channelLinks, deliveries, notificationSettings, receivers } from '@shapecast/platform/tables'
import { and, count, eq, gt } from 'drizzle-orm'
import type { Guesses } from '../auth/guesses.ts'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import { findUserById } from '../users/user-store.ts'
import { newestOf, shownDelivery } from './delivery-list.ts'

const TESTS_A_MINUTE = 5
const TELEGRAM_LINK_MS = 10 * 60_000
const EMAIL_LINK_MS = 3_600_000
const MOST_BROWSERS = 10
const testOf = (channel: Channel) =>
  ({
    kind: 'test',
    title: 'A test from Shapecast',
    text: `Your ${CHANNELS[channel].label.toLowerCase()} works.`,
  }) as const

type ReceiverRow = typeof receivers.$inferSelect

export interface ChannelServiceDeps {
  db: Database
  secretKey: string
  outlets: OutletStore
  guesses: Pick<Guesses, 'take' | 'clear'>
  log: Logger
  now(): number
  /** How messages are sent; over the network when left out. */
  channels?: ((outlets: Outlets) => Channels) | undefined
}

const subjectOf = (id: string) => ({ type: 'user', id })
const wrongCode = () => new AppError('wrong_code', 'This code is wrong, was used already or has run out.')
const which = (userId: string, channel: Channel) => and(eq(receivers.userId, userId), eq(receivers.channel, channel))

/** Tells a channel that was just connected of what matters, where nothing was chosen for it yet. */
async function chooseAtFirst(tx: Orm, userId: string, channel: Channel): Promise<void> {
  const [row] = await tx.select().from(notificationSettings).where(eq(notificationSettings.userId, userId))
  const choices = row?.choices ?? {}
  if (Object.values(choices).some((ways) => ways?.[channel])) return
  const none = { app: true, ...Object.fromEntries(CHANNEL_NAMES.map((name) => [name, false])) }
  const told = URGENT_KINDS.map((kind) => [kind, { ...none, ...choices[kind], [channel]: true }])
  const set = { choices: { ...choices, ...Object.fromEntries(told) } }
  await tx
    .insert(notificationSettings)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: notificationSettings.userId, set })
}

type Connected = Pick<ReceiverRow, 'url'> & Partial<Pick<ReceiverRow, 'name' | 'secret'>>

/** Writes down where somebody is reached by a channel from now on, which is on. What comes from there is taken only once they say so. */
export async function connect(tx: Orm, member: Member, channel: Channel, to: Connected, nowMs: number): Promise<void> {
  const { userId } = member
  const set = { name: null, ...to, isOn: true, sinceMs: nowMs, takesCommands: false }
  await tx
    .insert(receivers)
    .values({ userId, channel, ...set })
    .onConflictDoUpdate({ target: [receivers.userId, receivers.channel], set })
  await chooseAtFirst(tx, userId, channel)
  const after = channel === 'push' ? { browsers: to.name } : { address: to.name ?? to.url }
  await recordAudit(tx, member, { action: `${channel}.set`, subject: subjectOf(userId), after })
}

const nameOf = (row: ReceiverRow): string => row.name ?? row.url

/** What the channels of a person share. */
const groundOf = (deps: ChannelServiceDeps) => {
  const { orm } = deps.db
  const { seal, open } = createSeal(deps.secretKey, RECEIVER_SEAL)
  const find = async (from: Orm, userId: string, channel: Channel) =>
    (await from.select().from(receivers).where(which(userId, channel)))[0]
  return {
    seal,
    find,
    secretOf: (row: ReceiverRow): string | null => (row.secret === null ? null : open(row.secret, row.userId)),
    async require(userId: string, channel: Channel): Promise<ReceiverRow> {
      const row = await find(orm, userId, channel)
      if (row === undefined) throw new AppError('not_found', `Connect ${CHANNELS[channel].label} first.`)
      return row
    },
  }
}
type ChannelGround = ReturnType<typeof groundOf>

/** A webhook, which answers a test before it is stored. */
const webhooksOf = (deps: ChannelServiceDeps, { seal, find, secretOf, require }: ChannelGround) => {
  const { db, outlets, channels = channelsOf, now } = deps
  const { orm } = db

  function makeSecret(userId: string) {
    const secret = `whsec_${randomBytes(24).toString('base64url')}`
    return { secret, sealed: seal(secret, userId) }
  }

  async function tried(url: string, secret: string, allowPrivate: boolean): Promise<Answer> {
    const message = { id: newId(), ...testOf('webhook'), link: null, createdAtMs: now() }
    const { webhook } = channels(await outlets.read())
    return webhook.send(message, { address: url, secret, allowPrivate }, now()).catch((error: unknown) => {
      const text = `This address could not be reached, so it was not saved: ${failureWords(error)}.`
      throw new AppError('unprocessable', text, { field: 'url', cause: error })
    })
  }

  return {
    /**
     * Sets the address, once it has answered a test, with whatever status: its receiver may not know the secret yet, which
     * is given when it was made just now. Throws `unprocessable`.
     */
    async setWebhook(member: Member, url: string) {
      const { userId } = member
      const allowPrivate = (await readPolicy(orm)).privateWebhooks
      const refusal = webhookRefusal(new URL(url), allowPrivate)
      if (refusal !== null) throw new AppError('unprocessable', refusal, { field: 'url' })
      const before = await find(orm, userId, 'webhook')
      const kept = before === undefined ? null : secretOf(before)
      const made = kept === null ? makeSecret(userId) : null
      const { isTaken, words } = await tried(url, made?.secret ?? kept!, allowPrivate)
      const sealed = made?.sealed ?? before!.secret
      await orm.transaction((tx) => connect(tx, member, 'webhook', { url, secret: sealed }, now()))
      return { secret: made?.secret ?? null, answer: { isTaken, words } }
    },

    async renewSecret(member: Member): Promise<string> {
      await require(member.userId, 'webhook')
      const { secret, sealed } = makeSecret(member.userId)
      await orm.update(receivers).set({ secret: sealed }).where(which(member.userId, 'webhook'))
      await recordAudit(orm, member, { action: 'webhook.secret_renewed', subject: subjectOf(member.userId) })
      return secret
    },
  }
}

/** Telegram and e-mail, which are connected by a code that goes the way that messages will. */
const linksOf = ({ db, outlets, guesses, now }: ChannelServiceDeps) => {
  const { orm } = db

  async function makeLink(userId: string, channel: Channel, address: string | null, forMs: number) {
    const code = makeCode()
    const expiresAt = now() + forMs
    const set = { codeHash: hashOfCode(code), address, expiresAtMs: expiresAt }
    await orm
      .insert(channelLinks)
      .values({ userId, channel, ...set })
      .onConflictDoUpdate({ target: [channelLinks.userId, channelLinks.channel], set })
    return { code, expiresAt }
  }

  return {
    /** A code that links the Telegram chat which sends it. */
    async linkTelegram({ userId }: Member) {
      const { telegram } = await outlets.read()
      if (telegram === null)
        throw new AppError('unprocessable', 'This installation has no Telegram bot. An admin sets it up in Settings.')
      const { bot } = telegram
      const { code, expiresAt } = await makeLink(userId, 'telegram', null, TELEGRAM_LINK_MS)
      return { code, expiresAt, bot, url: `https://t.me/${bot}?start=${code}` }
    },

    /** Mails a code to an address. Throws `too_many_requests`, and `unprocessable` where it cannot be mailed. */
    async setEmail({ userId, address: from }: Member, address: string): Promise<{ expiresAt: number }> {
      const { mail } = await outlets.read()
      if (mail === null)
        throw new AppError('unprocessable', 'This installation sends no mail. An admin sets it up in Settings.')
      const user = await findUserById(orm, userId)
      await guesses.take('email_link', user!.email, from)
      const { code, expiresAt } = await makeLink(userId, 'email', address, EMAIL_LINK_MS)
      const text = `${user!.username} of Shapecast wants to be told things at this address. The code that allows it, within an hour:\n\n${code}\n\nNot you? Then do nothing: nothing more is sent here.`
      const letter = { id: newId(), to: address, subject: 'Confirm this address for Shapecast', text }
      const answer = await sendMail(mail, letter).catch((error: unknown) => ({
        isTaken: false,
        words: failureWords(error),
      }))
      if (!answer.isTaken)
        throw new AppError('unprocessable', `The code could not be mailed: ${answer.words}`, { field: 'address' })
      return { expiresAt }
    },

    async confirmEmail(member: Member, code: string): Promise<void> {
      const { userId } = member
      await orm.transaction(async (tx) => {
        const link = and(
          eq(channelLinks.userId, userId),
          eq(channelLinks.channel, 'email'),
          eq(channelLinks.codeHash, hashOfCode(code)),
          gt(channelLinks.expiresAtMs, now()),
        )
        const [taken] = await tx.delete(channelLinks).where(link).returning()
        if (taken === undefined) throw wrongCode()
        await connect(tx, member, 'email', { url: taken.address! }, now())
      })
    },
  }
}

/** The browsers of a person that are told things. */
const browsersServiceOf = ({ db, now }: ChannelServiceDeps, { seal, find, secretOf }: ChannelGround) => {
  const change = (member: Member, work: (before: Browser[]) => Browser[]): Promise<void> =>
    db.orm.transaction(async (tx) => {
      const { userId } = member
      await tx.select().from(receivers).where(which(userId, 'push')).for('update')
      const row = await find(tx, userId, 'push')
      const after = work(browsersOf((row && secretOf(row)) ?? '')).slice(-MOST_BROWSERS)
      if (after.length === 0) {
        await tx.delete(receivers).where(which(userId, 'push'))
        await recordAudit(tx, member, { action: 'push.deleted', subject: subjectOf(userId) })
        return
      }
      const name = after.map((one) => one.name).join(', ')
      await connect(tx, member, 'push', { url: 'push', name, secret: seal(JSON.stringify(after), userId) }, now())
    })
  const without = (browsers: Browser[], endpoint: string) => browsers.filter((one) => one.endpoint !== endpoint)

  return {
    /** Throws `unprocessable` for a push service in a private network. */
    async addBrowser(member: Member, browser: Browser): Promise<void> {
      const refusal = webhookRefusal(new URL(browser.endpoint), (await readPolicy(db.orm)).privateWebhooks)
      if (refusal !== null) throw new AppError('unprocessable', refusal, { field: 'endpoint' })
      await change(member, (before) => [...without(before, browser.endpoint), browser])
    },

    removeBrowser: (member: Member, endpoint: string): Promise<void> =>
      change(member, (before) => without(before, endpoint)),
  }
}

/** Where a person's messages go beside the app, and what was sent there. */
export function createChannelService(deps: ChannelServiceDeps) {
  const ground = groundOf(deps)
  const { secretOf, require } = ground
  const { db, outlets, log, secretKey, now } = deps
  const { orm } = db

  return {
    ...webhooksOf(deps, ground),
    ...linksOf(deps),
    ...browsersServiceOf(deps, ground),

    async connectedBy(userId: string): Promise<Partial<Record<Channel, ConnectedChannel>>> {
      const rows = await orm.select().from(receivers).where(eq(receivers.userId, userId))
      const newest = await newestOf(orm, userId)
      return Object.fromEntries(
        rows.map((row): [Channel, ConnectedChannel] => [
          row.channel,
          {
            name: nameOf(row),
            isOn: row.isOn,
            since: row.sinceMs,
            secretEnd: row.channel === 'webhook' ? (secretOf(row) ?? '').slice(-4) : '',
            takesCommands: row.takesCommands,
            last: newest.get(row.channel) ?? null,
          },
        ]),
      )
    },

    async outlets() {
      const { mail, telegram, push } = await outlets.read()
      return { telegram: telegram?.bot ?? null, email: mail !== null, push: push.publicKey }
    },

    /** Sends a message of no import, and answers with the result. Throws `too_many_requests` past 5 a minute. */
    async test(userId: string, channel: Channel): Promise<Delivery> {
      await require(userId, channel)
      const recent = and(
        eq(deliveries.userId, userId),
        eq(deliveries.kind, 'test'),
        gt(deliveries.createdAtMs, now() - 60_000),
      )
      const [sent] = await orm.select({ tests: count() }).from(deliveries).where(recent)
      if (sent!.tests >= TESTS_A_MINUTE)
        throw new AppError('too_many_requests', 'Five tests a minute are enough. Wait a moment.', { retryAfterS: 60 })
      const taken = { state: 'waiting', tries: 1, nextTryAtMs: now() + TAKEN_MS, createdAtMs: now() } as const
      const [row] = await orm
        .insert(deliveries)
        .values({ userId, channel, ...testOf(channel), ...taken })
        .returning()
      await sendTaken({ db, secretKey, log, now, channels: deps.channels }, [row!])
      const [after] = await orm.select().from(deliveries).where(eq(deliveries.id, row!.id))
      return shownDelivery(after!)
    },

    /** Switches a channel, or commands from it. Throws `unprocessable` for commands of another channel than Telegram. */
    async change(
      member: Member,
      channel: Channel,
      wanted: { isOn?: boolean | undefined; takesCommands?: boolean | undefined },
      prove: Prove,
    ): Promise<void> {
      const { userId } = member
      const before = await require(userId, channel)
      if (wanted.takesCommands) {
        if (channel !== 'telegram')
          throw new AppError('unprocessable', 'Commands are taken from Telegram alone.', { field: 'takesCommands' })
        await prove()
      }
      const after = { isOn: wanted.isOn ?? before.isOn, takesCommands: wanted.takesCommands ?? before.takesCommands }
      await orm.transaction(async (tx) => {
        await tx.update(receivers).set(after).where(which(userId, channel))
        await recordAudit(tx, member, {
          action: `${channel}.changed`,
          subject: subjectOf(userId),
          before: { isOn: before.isOn, takesCommands: before.takesCommands },
          after,
        })
      })
    },

    async delete(member: Member, channel: Channel): Promise<void> {
      const { userId } = member
      await orm.transaction(async (tx) => {
        await tx.delete(receivers).where(which(userId, channel))
        await tx.delete(channelLinks).where(and(eq(channelLinks.userId, userId), eq(channelLinks.channel, channel)))
        const waiting = and(eq(deliveries.channel, channel), eq(deliveries.state, 'waiting'))
        await tx.delete(deliveries).where(and(eq(deliveries.userId, userId), waiting))
        await recordAudit(tx, member, { action: `${channel}.deleted`, subject: subjectOf(userId) })
      })
    },
  }
}

export type ChannelService = ReturnType<typeof createChannelService>
