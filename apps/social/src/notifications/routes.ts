import {
  changeNotificationSettings,
  deleteWebhook,
  deliveries,
  notificationSettings,
  notifications,
  readNotifications,
  renewWebhookSecret,
  retryDelivery,
  setWebhook,
  testWebhook,
} from '@shapecast/contracts/notifications'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { NotificationService } from './notification-service.ts'

const memberOf = (caller: Caller, request: { ip: string }) => ({ userId: caller.userId, address: request.ip })
const done = { ok: true } as const

/** What a person was told, and how they want to be told. */
export function notificationRoutes(app: ServiceApp, service: NotificationService): void {
  registerEndpoint(app, notifications, ({ query, caller }) => service.list(caller.userId, query))
  registerEndpoint(app, readNotifications, async ({ body, caller }) => ({
    unread: await service.markRead(caller.userId, body.ids),
  }))
  registerEndpoint(app, notificationSettings, ({ caller }) => service.settings(caller.userId))
  registerEndpoint(app, changeNotificationSettings, ({ body, caller }) => service.choose(caller.userId, body.choices))
  registerEndpoint(app, setWebhook, ({ body, caller, request }) => service.setWebhook(memberOf(caller, request), body))
  registerEndpoint(app, renewWebhookSecret, async ({ caller, request }) => ({
    secret: await service.renewSecret(memberOf(caller, request)),
  }))
  registerEndpoint(app, deleteWebhook, async ({ caller, request }) => {
    await service.deleteWebhook(memberOf(caller, request))
    return done
  })
  registerEndpoint(app, testWebhook, async ({ caller }) => ({ id: await service.test(caller.userId) }))
  registerEndpoint(app, deliveries, async ({ query, caller }) => ({
    deliveries: await service.deliveries(caller.userId, query.limit),
  }))
  registerEndpoint(app, retryDelivery, async ({ params, caller }) => {
    await service.retry(caller.userId, params.id)
    return done
  })
}
