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
import type { NotificationDesk } from './notification-desk.ts'

const memberOf = (caller: Caller, request: { ip: string }) => ({ userId: caller.userId, address: request.ip })
const done = { ok: true } as const

/** What a person was told, and how they want to be told. */
export function notificationRoutes(app: ServiceApp, desk: NotificationDesk): void {
  registerEndpoint(app, notifications, ({ query, caller }) => desk.list(caller.userId, query))
  registerEndpoint(app, readNotifications, async ({ body, caller }) => ({
    unread: await desk.markRead(caller.userId, body.ids),
  }))
  registerEndpoint(app, notificationSettings, ({ caller }) => desk.settings(caller.userId))
  registerEndpoint(app, changeNotificationSettings, ({ body, caller }) => desk.choose(caller.userId, body.choices))
  registerEndpoint(app, setWebhook, ({ body, caller, request }) => desk.setWebhook(memberOf(caller, request), body))
  registerEndpoint(app, renewWebhookSecret, async ({ caller, request }) => ({
    secret: await desk.renewSecret(memberOf(caller, request)),
  }))
  registerEndpoint(app, deleteWebhook, async ({ caller, request }) => {
    await desk.deleteWebhook(memberOf(caller, request))
    return done
  })
  registerEndpoint(app, testWebhook, async ({ caller }) => ({ id: await desk.test(caller.userId) }))
  registerEndpoint(app, deliveries, async ({ query, caller }) => ({
    deliveries: await desk.deliveries(caller.userId, query.limit),
  }))
  registerEndpoint(app, retryDelivery, async ({ params, caller }) => {
    await desk.retry(caller.userId, params.id)
    return done
  })
}
