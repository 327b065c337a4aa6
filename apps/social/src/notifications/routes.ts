import * as calls from '@shapecast/contracts/notifications'
import * as outlets from '@shapecast/contracts/outlets'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { Social } from '../ground/social.ts'
import { deleteChannel, switchChannel, testChannel } from './channel-service.ts'
import {
  addBrowser,
  confirmEmail,
  linkTelegram,
  removeBrowser,
  renewSecret,
  setEmail,
  setWebhook,
} from './connect-channels.ts'
import { listDeliveries, retryNow } from './delivery-list.ts'
import { chooseSettings, listNotifications, markRead, readSettings } from './notification-service.ts'
import { forgetOutlet, readOutlets, setMail, setTelegram } from './outlet-service.ts'

/** What a person was told, and how they want to be told. */
export function notificationRoutes(app: ServiceApp, social: Social): void {
  const { db, now } = social
  /** The settings once something is done. */
  const settingsAfter = async ({ userId }: Caller, done: Promise<void>) => {
    await done
    return { settings: await readSettings(social, userId) }
  }
  registerEndpoint(app, calls.notifications, ({ query, caller }) => listNotifications(social, caller.userId, query))
  registerEndpoint(app, calls.readNotifications, ({ body, caller }) => markRead(social, caller.userId, body.ids))
  registerEndpoint(app, calls.notificationSettings, ({ caller }) => readSettings(social, caller.userId))
  registerEndpoint(app, calls.changeNotificationSettings, ({ body, caller }) =>
    chooseSettings(social, caller.userId, body),
  )
  registerEndpoint(app, calls.setWebhook, async ({ body, caller }) => ({
    ...(await setWebhook(social, caller, body.url)),
    settings: await readSettings(social, caller.userId),
  }))
  registerEndpoint(app, calls.renewWebhookSecret, ({ caller }) => renewSecret(social, caller))
  registerEndpoint(app, calls.linkTelegram, ({ caller }) => linkTelegram(social, caller))
  registerEndpoint(app, calls.setEmail, ({ body, caller }) => setEmail(social, caller, body.address))
  registerEndpoint(app, calls.confirmEmail, ({ body, caller }) =>
    settingsAfter(caller, confirmEmail(social, caller, body.code)),
  )
  registerEndpoint(app, calls.addBrowser, ({ body, caller }) => settingsAfter(caller, addBrowser(social, caller, body)))
  registerEndpoint(app, calls.removeBrowser, ({ body, caller }) =>
    settingsAfter(caller, removeBrowser(social, caller, body.endpoint)),
  )
  registerEndpoint(app, calls.switchChannel, ({ params, body, caller, prove }) =>
    settingsAfter(caller, switchChannel(social, caller, params.channel, body, prove)),
  )
  registerEndpoint(app, calls.deleteChannel, ({ params, caller }) => deleteChannel(social, caller, params.channel))
  registerEndpoint(app, calls.testChannel, ({ params, caller }) => testChannel(social, caller.userId, params.channel))
  registerEndpoint(app, calls.deliveries, async ({ query, caller }) => ({
    deliveries: await listDeliveries(db.orm, caller.userId, query.limit),
  }))
  registerEndpoint(app, calls.retryDelivery, ({ params, caller }) => retryNow(db.orm, caller.userId, params.id, now()))
}

/** What this installation sends by: for admins. */
export function outletRoutes(app: ServiceApp, social: Social): void {
  registerEndpoint(app, outlets.outlets, () => readOutlets(social))
  registerEndpoint(app, outlets.setMail, ({ body, caller }) => setMail(social, caller, body))
  registerEndpoint(app, outlets.setTelegram, ({ body, caller }) => setTelegram(social, caller, body))
  registerEndpoint(app, outlets.forgetMail, ({ caller }) => forgetOutlet(social, caller, 'mail'))
  registerEndpoint(app, outlets.forgetTelegram, ({ caller }) => forgetOutlet(social, caller, 'telegram'))
}
