import { randomBytes } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import type { Channel } from '@shapecast/contracts/notifications'
import { channelsOf } from '@shapecast/platform/channels/channels'
import { sendMail } from '@shapecast/platform/channels/mail'
import { type Browser, browsersOf } from '@shapecast/platform/channels/push'
import { failureWords } from '@shapecast/platform/channels/send-deliveries'
import { webhookRefusal } from '@shapecast/platform/channels/webhook'
import type { Orm } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import { readPolicy } from '@shapecast/platform/policy'
import type { Member } from '@shapecast/platform/sessions'
import { channelLinks, receivers } from '@shapecast/platform/tables'
import { and, eq, gt } from 'drizzle-orm'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import type { Social } from '../ground/social.ts'
import { wrongCode } from '../proof/confirmations.ts'
import { takeGuess } from '../proof/guesses.ts'
import { auditUser } from '../users/account-news.ts'
import { findUserById } from '../users/user-store.ts'
import { connect, findReceiver, receiverOf, requireReceiver, sealOf, secretOf, testOf } from './channel-service.ts'

const TELEGRAM_LINK_MS = 10 * 60_000
const EMAIL_LINK_MS = 3_600_000
const MOST_BROWSERS = 10

/** Throws `unprocessable` for an address in a private network, unless the policy allows it; whether it does. */
async function requireAllowed(orm: Orm, url: string, field: string): Promise<boolean> {
  const allowPrivate = (await readPolicy(orm)).privateWebhooks
  const refusal = webhookRefusal(new URL(url), allowPrivate)
  if (refusal !== null) throw new AppError('unprocessable', refusal, { field })
  return allowPrivate
}

const makeSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`

/**
 * Sets the address of a webhook, once it has answered a test, with whatever status: its receiver may not know the secret
 * yet, which is given when it was made just now. Throws `unprocessable`.
 */
export async function setWebhook(social: Social, member: Member, url: string) {
  const { db, outlets, channels = channelsOf, now } = social
  const { userId } = member
  const allowPrivate = await requireAllowed(db.orm, url, 'url')
  const kept = secretOf(social, await findReceiver(db.orm, userId, 'webhook'))
  const secret = kept ?? makeSecret()
  const message = { id: newId(), ...testOf('webhook'), link: null, createdAtMs: now() }
  const { webhook } = channels(await outlets.read())
  const sending = webhook.send(message, { address: url, secret, allowPrivate }, now())
  const { isTaken, words } = await sending.catch((error: unknown) => {
    const text = `This address could not be reached, so it was not saved: ${failureWords(error)}.`
    throw new AppError('unprocessable', text, { field: 'url', cause: error })
  })
  const sealed = sealOf(social).seal(secret, userId)
  await db.orm.transaction((tx) => connect(tx, member, 'webhook', { url, secret: sealed }, now()))
  return { secret: kept === null ? secret : null, answer: { isTaken, words } }
}

export async function renewSecret(social: Social, member: Member): Promise<{ secret: string }> {
  const { orm } = social.db
  const { userId } = member
  await requireReceiver(orm, userId, 'webhook')
  const secret = makeSecret()
  await orm
    .update(receivers)
    .set({ secret: sealOf(social).seal(secret, userId) })
    .where(receiverOf(userId, 'webhook'))
  await auditUser(orm, member, 'webhook.secret_renewed', userId)
  return { secret }
}

/** A code that connects a channel once it comes back by the way that messages will go. */
async function makeLink(
  { db, now }: Social,
  link: { userId: string; channel: Channel; address: string | null },
  forMs: number,
) {
  const code = makeCode()
  const expiresAt = now() + forMs
  const set = { address: link.address, codeHash: hashOfCode(code), expiresAtMs: expiresAt }
  await db.orm
    .insert(channelLinks)
    .values({ ...link, ...set })
    .onConflictDoUpdate({ target: [channelLinks.userId, channelLinks.channel], set })
  return { code, expiresAt }
}

/** Takes a code that holds, once; of one user where `userId` is given. */
export async function takeLink(tx: Orm, channel: Channel, code: string, nowMs: number, userId?: string) {
  const link = and(
    eq(channelLinks.channel, channel),
    eq(channelLinks.codeHash, hashOfCode(code)),
    gt(channelLinks.expiresAtMs, nowMs),
    userId === undefined ? undefined : eq(channelLinks.userId, userId),
  )
  const [taken] = await tx.delete(channelLinks).where(link).returning()
  return taken
}

/** A code that links the Telegram chat which sends it. */
export async function linkTelegram(social: Social, { userId }: Member) {
  const { telegram } = await social.outlets.read()
  if (telegram === null)
    throw new AppError('unprocessable', 'This installation has no Telegram bot. An admin sets it up in Settings.')
  const { bot } = telegram
  const { code, expiresAt } = await makeLink(social, { userId, channel: 'telegram', address: null }, TELEGRAM_LINK_MS)
  return { code, expiresAt, bot, url: `https://t.me/${bot}?start=${code}` }
}

/** Mails a code to an address. Throws `too_many_requests`, and `unprocessable` where it cannot be mailed. */
export async function setEmail(social: Social, { userId, address: from }: Member, address: string) {
  const { mail } = await social.outlets.read()
  if (mail === null)
    throw new AppError('unprocessable', 'This installation sends no mail. An admin sets it up in Settings.')
  const user = await findUserById(social.db.orm, userId)
  await takeGuess(social, 'email_link', user!.email, from)
  const { code, expiresAt } = await makeLink(social, { userId, channel: 'email', address }, EMAIL_LINK_MS)
  const text = `${user!.username} of Shapecast wants to be told things at this address. The code that allows it, within an hour:\n\n${code}\n\nNot you? Then do nothing: nothing more is sent here.`
  const letter = { id: newId(), to: address, subject: 'Confirm this address for Shapecast', text }
  const answer = await sendMail(mail, letter).catch((error: unknown) => ({
    isTaken: false,
    words: failureWords(error),
  }))
  if (!answer.isTaken)
    throw new AppError('unprocessable', `The code could not be mailed: ${answer.words}`, { field: 'address' })
  return { expiresAt }
}

export const confirmEmail = ({ db, now }: Social, member: Member, code: string): Promise<void> =>
  db.orm.transaction(async (tx) => {
    const taken = await takeLink(tx, 'email', code, now(), member.userId)
    if (taken === undefined) throw wrongCode()
    await connect(tx, member, 'email', { url: taken.address! }, now())
  })

const changeBrowsers = (social: Social, member: Member, work: (before: Browser[]) => Browser[]): Promise<void> =>
  social.db.orm.transaction(async (tx) => {
    const { userId } = member
    const [row] = await tx.select().from(receivers).where(receiverOf(userId, 'push')).for('update')
    const after = work(browsersOf(secretOf(social, row) ?? '')).slice(-MOST_BROWSERS)
    if (after.length === 0) {
      await tx.delete(receivers).where(receiverOf(userId, 'push'))
      return auditUser(tx, member, 'push.deleted', userId)
    }
    const name = after.map((one) => one.name).join(', ')
    const secret = sealOf(social).seal(JSON.stringify(after), userId)
    return connect(tx, member, 'push', { url: 'push', name, secret }, social.now())
  })

const without = (browsers: Browser[], endpoint: string) => browsers.filter((one) => one.endpoint !== endpoint)

/** Throws `unprocessable` for a push service in a private network. */
export async function addBrowser(social: Social, member: Member, browser: Browser): Promise<void> {
  await requireAllowed(social.db.orm, browser.endpoint, 'endpoint')
  await changeBrowsers(social, member, (before) => [...without(before, browser.endpoint), browser])
}

export const removeBrowser = (social: Social, member: Member, endpoint: string): Promise<void> =>
  changeBrowsers(social, member, (before) => without(before, endpoint))
