import {
  addBrowser,
  changeNotificationSettings,
  confirmEmail,
  deleteChannel,
  deliveries,
  linkTelegram,
  notificationSettings,
  notifications,
  readNotifications,
  removeBrowser,
  renewWebhookSecret,
  retryDelivery,
  setEmail,
  setWebhook,
  switchChannel,
  testChannel,
} from '@shapecast/contracts/notifications'
import { forgetMail, forgetTelegram, outlets, setMail, setTelegram } from '@shapecast/contracts/outlets'
import type { Orm } from '@shapecast/platform/database/database'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ChannelService } from './channel-service.ts'
import { deliveriesOf, retryNow } from './delivery-list.ts'
import type { NotificationService } from './notification-service.ts'
import type { OutletService } from './outlet-service.ts'

/** What a person was told, and how they want to be told. */
export function notificationRoutes(
  app: ServiceApp,
  orm: Orm,
  service: NotificationService,
  channels: ChannelService,
  now: () => number,
): void {
  const settingsOf = async (userId: string) => ({ settings: await service.settings(userId) })
  registerEndpoint(app, notifications, ({ query, caller }) => service.list(caller.userId, query))
  registerEndpoint(app, readNotifications, async ({ body, caller }) => ({
    unread: await service.markRead(caller.userId, body.ids),
  }))
  registerEndpoint(app, notificationSettings, ({ caller }) => service.settings(caller.userId))
  registerEndpoint(app, changeNotificationSettings, ({ body, caller }) => service.choose(caller.userId, body))
  registerEndpoint(app, setWebhook, async ({ body, caller }) => ({
    ...(await channels.setWebhook(caller, body.url)),
    ...(await settingsOf(caller.userId)),
  }))
  registerEndpoint(app, renewWebhookSecret, async ({ caller }) => ({ secret: await channels.renewSecret(caller) }))
  registerEndpoint(app, linkTelegram, ({ caller }) => channels.linkTelegram(caller))
  registerEndpoint(app, setEmail, ({ body, caller }) => channels.setEmail(caller, body.address))
  registerEndpoint(app, confirmEmail, async ({ body, caller }) => {
    await channels.confirmEmail(caller, body.code)
    return settingsOf(caller.userId)
  })
  registerEndpoint(app, addBrowser, async ({ body, caller }) => {
    await channels.addBrowser(caller, body)
    return settingsOf(caller.userId)
  })
  registerEndpoint(app, removeBrowser, async ({ body, caller }) => {
    await channels.removeBrowser(caller, body.endpoint)
    return settingsOf(caller.userId)
  })
  registerEndpoint(app, switchChannel, async ({ params, body, caller, prove }) => {
    await channels.change(caller, params.channel, body, prove)
    return settingsOf(caller.userId)
  })
  registerEndpoint(app, deleteChannel, ({ params, caller }) => channels.delete(caller, params.channel))
  registerEndpoint(app, testChannel, async ({ params, caller }) => ({
    delivery: await channels.test(caller.userId, params.channel),
  }))
  registerEndpoint(app, deliveries, async ({ query, caller }) => ({
    deliveries: await deliveriesOf(orm, caller.userId, query.limit),
  }))
  registerEndpoint(app, retryDelivery, ({ params, caller }) => retryNow(orm, caller.userId, params.id, now()))
}

/** What this installation sends by: for admins. */
export function outletRoutes(app: ServiceApp, service: OutletService): void {
  registerEndpoint(app, outlets, () => service.read())
  registerEndpoint(app, setMail, async ({ body, caller }) => ({ words: await service.setMail(caller, body) }))
  registerEndpoint(app, setTelegram, async ({ body, caller }) => ({ bot: await service.setTelegram(caller, body) }))
  registerEndpoint(app, forgetMail, ({ caller }) => service.forget(caller, 'mail'))
  registerEndpoint(app, forgetTelegram, ({ caller }) => service.forget(caller, 'telegram'))
}
