import { randomBytes } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { CHANNELS, type Channel, type ChannelSettings } from '@shapecast/contracts/notifications'
import { recordAudit } from '@shapecast/platform/audit'
import type { Receiver } from '@shapecast/platform/channels/channel'
import { CHANNEL_SENDERS, type Channels, RECEIVER_SEAL } from '@shapecast/platform/channels/channels'
import type { Database } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import { readPolicy } from '@shapecast/platform/policy'
import { createSeal } from '@shapecast/platform/seal'
import type { Member } from '@shapecast/platform/sessions'
import { deliveries, receivers } from '@shapecast/platform/tables'
import { and, count, eq, gt } from 'drizzle-orm'

const TESTS_A_MINUTE = 5
const testOf = (channel: Channel) =>
  ({
    kind: 'test',
    title: 'A test from Shapecast',
    text: `Your ${CHANNELS[channel].label.toLowerCase()} works.`,
  }) as const

interface ChannelServiceDeps {
  db: Database
  secretKey: string
  now(): number
  /** How messages are sent; over the network when left out. */
  channels?: Channels | undefined
}

/** Where somebody is reached. */
const receiversIn = (deps: ChannelServiceDeps) => {
  const { orm } = deps.db

  const which = (userId: string, channel: Channel) => and(eq(receivers.userId, userId), eq(receivers.channel, channel))

  const find = async (userId: string, channel: Channel) =>
    (await orm.select().from(receivers).where(which(userId, channel)))[0]

  async function require(userId: string, channel: Channel): Promise<void> {
    if ((await find(userId, channel)) === undefined)
      throw new AppError('not_found', `Set the address of a ${CHANNELS[channel].label.toLowerCase()} first.`)
  }
  return { which, find, require }
}

/** Sends a test. */
const testingOf = (deps: ChannelServiceDeps, { require }: ReturnType<typeof receiversIn>) => {
  const { now } = deps

  const { orm } = deps.db
  return {
    /** Queues a message of no import. Throws `too_many_requests` past 5 a minute. */
    async test(userId: string, channel: Channel): Promise<string> {
      await require(userId, channel)
      const recent = and(
        eq(deliveries.userId, userId),
        eq(deliveries.kind, 'test'),
        gt(deliveries.createdAtMs, now() - 60_000),
      )
      const [sent] = await orm.select({ tests: count() }).from(deliveries).where(recent)
      if (sent!.tests >= TESTS_A_MINUTE)
        throw new AppError('too_many_requests', 'Five tests a minute are enough. Wait a moment.', { retryAfterS: 60 })
      const times = { nextTryAtMs: now(), createdAtMs: now() }
      const [row] = await orm
        .insert(deliveries)
        .values({ userId, channel, ...testOf(channel), state: 'waiting', ...times })
        .returning({ id: deliveries.id })
      return row!.id
    },
  }
}

/** Where a person's messages go beside the app, and what was sent there. */
export function createChannelService(deps: ChannelServiceDeps) {
  const shared = receiversIn(deps)
  const { which, find, require } = shared
  const { now, channels = CHANNEL_SENDERS } = deps

  const { orm } = deps.db

  const { seal, open } = createSeal(deps.secretKey, RECEIVER_SEAL)

  const secretOf = (row: typeof receivers.$inferSelect): string | null =>
    row.secret === null ? null : open(row.secret, row.userId)

  function makeSecret(userId: string) {
    const secret = `whsec_${randomBytes(24).toString('base64url')}`
    return { secret, sealed: seal(secret, userId) }
  }

  /** Sends a test, and gives the status of its answer. Throws `unprocessable` without one. */
  async function tried(channel: Channel, to: Receiver): Promise<number> {
    try {
      const message = { id: newId(), ...testOf(channel), link: null, createdAtMs: now() }
      return await channels[channel].send(message, to, now())
    } catch (error) {
      const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      const why = isLate ? 'no answer within 10 s' : error instanceof Error ? error.message : 'no answer'
      throw new AppError('unprocessable', `This address could not be reached, so it was not saved: ${why}.`, {
        field: 'url',
        cause: error,
      })
    }
  }

  const audited = (member: Member, action: string): Promise<void> =>
    recordAudit(orm, member, { action, subject: { type: 'user', id: member.userId } })

  return {
    ...testingOf(deps, shared),

    async receiversOf(userId: string): Promise<Partial<Record<Channel, ChannelSettings>>> {
      const rows = await orm.select().from(receivers).where(eq(receivers.userId, userId))
      return Object.fromEntries(
        rows.map((row) => [row.channel, { url: row.url, isOn: row.isOn, secretEnd: (secretOf(row) ?? '').slice(-4) }]),
      )
    },

    /**
     * Sets an address, once it has answered a test, with whatever status: its receiver may not know the secret yet, which
     * is given when it was made just now. Throws `bad_input`, `unprocessable`.
     */
    async set(member: Member, channel: Channel, { url, isOn }: { url: string; isOn: boolean }) {
      const { userId } = member
      const checked = CHANNELS[channel].address.safeParse(url)
      if (!checked.success) throw new AppError('bad_input', checked.error.issues[0]!.message, { field: 'url' })
      const allowPrivate = (await readPolicy(orm)).privateWebhooks
      const refusal = channels[channel].refusal(new URL(url), allowPrivate)
      if (refusal !== null) throw new AppError('unprocessable', refusal, { field: 'url' })
      const before = await find(userId, channel)
      const kept = before === undefined ? null : secretOf(before)
      const made = CHANNELS[channel].isSigned && kept === null ? makeSecret(userId) : null
      const secret = made?.secret ?? kept ?? ''
      const answer = isOn ? await tried(channel, { url, secret, allowPrivate }) : null
      const set = { url, isOn, ...(made !== null && { secret: made.sealed }) }
      await orm
        .insert(receivers)
        .values({ userId, channel, ...set })
        .onConflictDoUpdate({ target: [receivers.userId, receivers.channel], set })
      await audited(member, `${channel}.set`)
      return { secret: made?.secret ?? null, answer }
    },

    async renewSecret(member: Member, channel: Channel): Promise<string> {
      await require(member.userId, channel)
      const { secret, sealed } = makeSecret(member.userId)
      await orm.update(receivers).set({ secret: sealed }).where(which(member.userId, channel))
      await audited(member, `${channel}.secret_renewed`)
      return secret
    },

    async delete(member: Member, channel: Channel): Promise<void> {
      const { userId } = member
      await orm.delete(receivers).where(which(userId, channel))
      const waiting = and(eq(deliveries.channel, channel), eq(deliveries.state, 'waiting'))
      await orm.delete(deliveries).where(and(eq(deliveries.userId, userId), waiting))
      await audited(member, `${channel}.deleted`)
    },
  }
}

export type ChannelService = ReturnType<typeof createChannelService>
