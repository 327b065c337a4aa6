import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import {
  CHANNEL_NAMES,
  CHANNELS,
  type Channel,
  type ConnectedChannel,
  type Delivery,
  type switchChannel as switchCall,
  URGENT_KINDS,
} from '@shapecast/contracts/notifications'
import { RECEIVER_SEAL } from '@shapecast/platform/channels/channels'
import { sendTaken, TAKEN_MS } from '@shapecast/platform/channels/send-deliveries'
import type { Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import { createSeal } from '@shapecast/platform/seal'
import type { Member } from '@shapecast/platform/sessions'
import { channelLinks, deliveries, notificationSettings, receivers } from '@shapecast/platform/tables'
import { and, eq, gt } from 'drizzle-orm'
import type { Social } from '../ground/social.ts'
import { auditUser } from '../users/account-news.ts'
import { newestDeliveries, readDelivery } from './delivery-list.ts'

// Where a person's messages go beside the app.

const TESTS_A_MINUTE = 5

export const testOf = (channel: Channel) =>
  ({
    kind: 'test',
    title: 'A test from Shapecast',
    text: `Your ${CHANNELS[channel].label.toLowerCase()} works.`,
  }) as const

type ReceiverRow = typeof receivers.$inferSelect

export const receiverOf = (userId: string, channel: Channel) =>
  and(eq(receivers.userId, userId), eq(receivers.channel, channel))

export const sealOf = ({ secretKey }: Pick<Social, 'secretKey'>) => createSeal(secretKey, RECEIVER_SEAL)

export async function findReceiver(orm: Orm, userId: string, channel: Channel): Promise<ReceiverRow | undefined> {
  const [row] = await orm.select().from(receivers).where(receiverOf(userId, channel))
  return row
}

export const secretOf = (ground: Pick<Social, 'secretKey'>, row: ReceiverRow | undefined): string | null =>
  row?.secret == null ? null : sealOf(ground).open(row.secret, row.userId)

export async function requireReceiver(orm: Orm, userId: string, channel: Channel): Promise<ReceiverRow> {
  const row = await findReceiver(orm, userId, channel)
  if (row === undefined) throw new AppError('not_found', `Connect ${CHANNELS[channel].label} first.`)
  return row
}

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
  await auditUser(tx, member, `${channel}.set`, userId, { after })
}

export async function connectedBy(social: Social, userId: string): Promise<Partial<Record<Channel, ConnectedChannel>>> {
  const { orm } = social.db
  const rows = await orm.select().from(receivers).where(eq(receivers.userId, userId))
  const newest = await newestDeliveries(orm, userId)
  const shown = (row: ReceiverRow): ConnectedChannel => ({
    name: row.name ?? row.url,
    isOn: row.isOn,
    since: row.sinceMs,
    secretEnd: row.channel === 'webhook' ? (secretOf(social, row) ?? '').slice(-4) : '',
    takesCommands: row.takesCommands,
    last: newest.find(({ channel }) => channel === row.channel) ?? null,
  })
  return Object.fromEntries(rows.map((row) => [row.channel, shown(row)]))
}

/** Sends a message of no import, and answers with the result. Throws `too_many_requests` past 5 a minute. */
export async function testChannel(social: Social, userId: string, channel: Channel): Promise<{ delivery: Delivery }> {
  const { db, now } = social
  const { orm } = db
  await requireReceiver(orm, userId, channel)
  const recent = gt(deliveries.createdAtMs, now() - 60_000)
  const sent = await orm.$count(deliveries, and(eq(deliveries.userId, userId), eq(deliveries.kind, 'test'), recent))
  if (sent >= TESTS_A_MINUTE)
    throw new AppError('too_many_requests', 'Five tests a minute are enough. Wait a moment.', { retryAfterS: 60 })
  const taken = { state: 'waiting', tries: 1, nextTryAtMs: now() + TAKEN_MS, createdAtMs: now() } as const
  const [row] = await orm
    .insert(deliveries)
    .values({ userId, channel, ...testOf(channel), ...taken })
    .returning()
  await sendTaken(social, [row!])
  return { delivery: await readDelivery(orm, row!.id) }
}

/** Switches a channel, or commands from it. Throws `unprocessable` for commands of another channel than Telegram. */
export async function switchChannel(
  { db: { orm } }: Social,
  member: Member,
  channel: Channel,
  wanted: BodyOf<typeof switchCall>,
  prove: Prove,
): Promise<void> {
  const { userId } = member
  const { isOn, takesCommands } = await requireReceiver(orm, userId, channel)
  if (wanted.takesCommands) {
    if (channel !== 'telegram')
      throw new AppError('unprocessable', 'Commands are taken from Telegram alone.', { field: 'takesCommands' })
    await prove()
  }
  const before = { isOn, takesCommands }
  const after = { isOn: wanted.isOn ?? isOn, takesCommands: wanted.takesCommands ?? takesCommands }
  await orm.transaction(async (tx) => {
    await tx.update(receivers).set(after).where(receiverOf(userId, channel))
    await auditUser(tx, member, `${channel}.changed`, userId, { before, after })
  })
}

export const deleteChannel = ({ db }: Social, member: Member, channel: Channel): Promise<void> =>
  db.orm.transaction(async (tx) => {
    const { userId } = member
    await tx.delete(receivers).where(receiverOf(userId, channel))
    await tx.delete(channelLinks).where(and(eq(channelLinks.userId, userId), eq(channelLinks.channel, channel)))
    const waiting = and(eq(deliveries.channel, channel), eq(deliveries.state, 'waiting'))
    await tx.delete(deliveries).where(and(eq(deliveries.userId, userId), waiting))
    await auditUser(tx, member, `${channel}.deleted`, userId)
  })
