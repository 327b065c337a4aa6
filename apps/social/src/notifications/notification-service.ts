import {
  CHANNEL_NAMES,
  type Channel,
  type ConnectedChannel,
  isAlwaysSent,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationChoices,
  type NotificationKind,
  type NotificationSettings,
  type QuietHours,
} from '@shapecast/contracts/notifications'
import type { Orm } from '@shapecast/platform/database/database'
import { isNotifiedInApp } from '@shapecast/platform/notify'
import { notificationSettings, notifications } from '@shapecast/platform/tables'
import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'

type Chosen = Partial<NotificationChoices>

const waysOf = (kind: NotificationKind, chosen: Chosen[NotificationKind]): NotificationChoices[NotificationKind] => ({
  app: isNotifiedInApp(kind, chosen),
  ...byChannel((channel) => isAlwaysSent(kind, channel) || (chosen?.[channel] ?? false)),
})

const choicesOf = (chosen: Chosen): NotificationChoices =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, waysOf(kind, chosen[kind])])) as NotificationChoices

const byChannel = <T>(ask: (channel: Channel) => T): Record<Channel, T> =>
  Object.fromEntries(CHANNEL_NAMES.map((channel) => [channel, ask(channel)])) as Record<Channel, T>

/** What a person was told, and how they want to be told. */
export function createNotificationService(deps: {
  orm: Orm
  now(): number
  /** Where a person's messages go. */
  connectedBy(userId: string): Promise<Partial<Record<Channel, ConnectedChannel>>>
  /** What this installation can send by. */
  outlets(): Promise<NotificationSettings['outlets']>
}) {
  const { orm, now } = deps

  const unreadOf = async (userId: string): Promise<number> => {
    const which = and(eq(notifications.userId, userId), isNull(notifications.readAtMs))
    const [row] = await orm.select({ unread: count() }).from(notifications).where(which)
    return row!.unread
  }
  const chosenBy = async (userId: string): Promise<{ choices: Chosen; quiet: QuietHours | null }> => {
    const [row] = await orm.select().from(notificationSettings).where(eq(notificationSettings.userId, userId))
    return row ?? { choices: {}, quiet: null }
  }
  async function settings(userId: string): Promise<NotificationSettings> {
    const connected = await deps.connectedBy(userId)
    const { choices, quiet } = await chosenBy(userId)
    return {
      choices: choicesOf(choices),
      quiet,
      ...byChannel((channel) => connected[channel] ?? null),
      outlets: await deps.outlets(),
    }
  }

  return {
    settings,

    async list(
      userId: string,
      filter: { kind?: NotificationKind | undefined; unread?: boolean | undefined; page: number; limit: number },
    ) {
      const { kind, unread, page, limit } = filter
      const rows = await orm
        .select()
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
      const shown = rows.slice(0, limit).map(
        (row): Notification => ({
          id: row.id,
          kind: row.kind,
          title: row.title,
          text: row.text,
          link: row.link,
          bot: row.bot,
          createdAt: row.createdAtMs,
          marketAt: row.marketAtMs,
          isRead: row.readAtMs !== null,
        }),
      )
      return { notifications: shown, unread: await unreadOf(userId), hasMore: rows.length > limit }
    },

    /** Marks those of the user that are named, or all, and returns how many are left unread. */
    async markRead(userId: string, ids: readonly string[] | undefined): Promise<number> {
      const which = ids === undefined ? undefined : inArray(notifications.id, [...ids])
      if (ids === undefined || ids.length > 0)
        await orm
          .update(notifications)
          .set({ readAtMs: now() })
          .where(and(eq(notifications.userId, userId), isNull(notifications.readAtMs), which))
      return unreadOf(userId)
    },

    async choose(
      userId: string,
      wanted: { choices?: Chosen | undefined; quiet?: QuietHours | undefined },
    ): Promise<NotificationSettings> {
      const before = await chosenBy(userId)
      const set = {
        choices: choicesOf({ ...choicesOf(before.choices), ...wanted.choices }),
        quiet: wanted.quiet ?? before.quiet,
      }
      await orm
        .insert(notificationSettings)
        .values({ userId, ...set })
        .onConflictDoUpdate({ target: notificationSettings.userId, set })
      return settings(userId)
    },
  }
}
export type NotificationService = ReturnType<typeof createNotificationService>
