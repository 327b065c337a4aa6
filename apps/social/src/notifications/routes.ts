import {
  changeNotificationSettings,
  deleteChannel,
  deliveries,
  notificationSettings,
  notifications,
  readNotifications,
  renewChannelSecret,
  retryDelivery,
  setChannel,
  testChannel,
} from '@shapecast/contracts/notifications'
import type { Orm } from '@shapecast/platform/database/database'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ChannelService } from './channel-service.ts'
import { deliveriesOf, retryNow } from './delivery-list.ts'
import type { NotificationService } from './notification-service.ts'

const done = { ok: true } as const

/** What a person was told, and how they want to be told. */
export function notificationRoutes(
  app: ServiceApp,
  orm: Orm,
  service: NotificationService,
  channels: ChannelService,
  now: () => number,
): void {
  registerEndpoint(app, notifications, ({ query, caller }) => service.list(caller.userId, query))
  registerEndpoint(app, readNotifications, async ({ body, caller }) => ({
    unread: await service.markRead(caller.userId, body.ids),
  }))
  registerEndpoint(app, notificationSettings, ({ caller }) => service.settings(caller.userId))
  registerEndpoint(app, changeNotificationSettings, ({ body, caller }) => service.choose(caller.userId, body.choices))
  registerEndpoint(app, setChannel, async ({ params, body, caller }) => {
    const done = await channels.set(caller, params.channel, body)
    return { ...done, settings: await service.settings(caller.userId) }
  })
  registerEndpoint(app, renewChannelSecret, async ({ params, caller }) => ({
    secret: await channels.renewSecret(caller, params.channel),
  }))
  registerEndpoint(app, deleteChannel, async ({ params, caller }) => {
    await channels.delete(caller, params.channel)
    return done
  })
  registerEndpoint(app, testChannel, async ({ params, caller }) => ({
    id: await channels.test(caller.userId, params.channel),
  }))
  registerEndpoint(app, deliveries, async ({ query, caller }) => ({
    deliveries: await deliveriesOf(orm, caller.userId, query.limit),
  }))
  registerEndpoint(app, retryDelivery, async ({ params, caller }) => {
    await retryNow(orm, caller.userId, params.id, now())
    return done
  })
}
