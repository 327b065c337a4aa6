import type { BodyOf, QueryOf } from '@shapecast/contracts/endpoint'
import {
  CHANNEL_NAMES,
  type Channel,
  type changeNotificationSettings,
  isAlwaysSent,
  NOTIFICATION_KINDS,
  type NotificationChoices,
  type NotificationKind,
  type NotificationSettings,
  type notifications as notificationsCall,
  type QuietHours,
} from '@shapecast/contracts/notifications'
import type { Orm } from '@shapecast/platform/database/database'
import { isNotifiedInApp } from '@shapecast/platform/notify'
import { notificationSettings, notifications } from '@shapecast/platform/tables'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Social } from '../ground/social.ts'
import { connectedBy } from './channel-service.ts'

// What a person was told, and how they want to be told.

type Chosen = Partial<NotificationChoices>

const byChannel = <T>(ask: (channel: Channel) => T): Record<Channel, T> =>
  Object.fromEntries(CHANNEL_NAMES.map((channel) => [channel, ask(channel)])) as Record<Channel, T>

const waysOf = (kind: NotificationKind, chosen: Chosen[NotificationKind]): NotificationChoices[NotificationKind] => ({
  app: isNotifiedInApp(kind, chosen),
  ...byChannel((channel) => isAlwaysSent(kind, channel) || (chosen?.[channel] ?? false)),
})

const choicesOf = (chosen: Chosen): NotificationChoices =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, waysOf(kind, chosen[kind])])) as NotificationChoices

const unreadOf = (userId: string) => and(eq(notifications.userId, userId), isNull(notifications.readAtMs))

async function chosenBy(orm: Orm, userId: string): Promise<{ choices: Chosen; quiet: QuietHours | null }> {
  const [row] = await orm.select().from(notificationSettings).where(eq(notificationSettings.userId, userId))
  return row ?? { choices: {}, quiet: null }
}

export async function readSettings(social: Social, userId: string): Promise<NotificationSettings> {
  const connected = await connectedBy(social, userId)
  const { choices, quiet } = await chosenBy(social.db.orm, userId)
  const { mail, telegram, push } = await social.outlets.read()
  return {
    choices: choicesOf(choices),
    quiet,
    ...byChannel((channel) => connected[channel] ?? null),
    outlets: { telegram: telegram?.bot ?? null, email: mail !== null, push: push.publicKey },
  }
}

export async function listNotifications(
  { db: { orm } }: Social,
  userId: string,
  { kind, unread, page, limit }: QueryOf<typeof notificationsCall>,
) {
  const found = await orm
    .select({
      id: notifications.id,
      kind: notifications.kind,
      title: notifications.title,
      text: notifications.text,
      link: notifications.link,
      bot: notifications.bot,
      createdAt: notifications.createdAtMs,
      marketAt: notifications.marketAtMs,
      isRead: sql<boolean>`${isNotNull(notifications.readAtMs)}`,
    })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        kind && eq(notifications.kind, kind),
        unread ? isNull(notifications.readAtMs) : undefined,
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(limit + 1)
    .offset((page - 1) * limit)
  const hasMore = found.length > limit
  return { notifications: found.slice(0, limit), unread: await orm.$count(notifications, unreadOf(userId)), hasMore }
}

/** Marks those of the user that are named, or all, and returns how many are left unread. */
export async function markRead({ db: { orm }, now }: Social, userId: string, ids: readonly string[] | undefined) {
  const which = ids === undefined ? undefined : inArray(notifications.id, [...ids])
  if (ids === undefined || ids.length > 0)
    await orm
      .update(notifications)
      .set({ readAtMs: now() })
      .where(and(unreadOf(userId), which))
  return { unread: await orm.$count(notifications, unreadOf(userId)) }
}

export async function chooseSettings(
  social: Social,
  userId: string,
  wanted: BodyOf<typeof changeNotificationSettings>,
): Promise<NotificationSettings> {
  const before = await chosenBy(social.db.orm, userId)
  const set = {
    choices: choicesOf({ ...choicesOf(before.choices), ...wanted.choices }),
    quiet: wanted.quiet ?? before.quiet,
  }
  await social.db.orm
    .insert(notificationSettings)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: notificationSettings.userId, set })
  return readSettings(social, userId)
}
