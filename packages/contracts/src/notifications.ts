import { z } from 'zod'
import { socialEndpoint } from './endpoint.ts'
import { Page } from './tasks.ts'

export const NOTIFICATION_KINDS = ['fill', 'halt', 'error', 'job', 'model', 'task', 'security'] as const
export const NotificationKind = z.enum(NOTIFICATION_KINDS)
export type NotificationKind = z.infer<typeof NotificationKind>

/** Kinds that always reach a person in the app. */
export const ALWAYS_TOLD: readonly NotificationKind[] = ['error', 'security']

const Ways = z.object({ app: z.boolean(), webhook: z.boolean() })
/** By which ways a person is told of each kind. */
export const NotificationChoices = z.record(NotificationKind, Ways)
export type NotificationChoices = z.infer<typeof NotificationChoices>

export const Notification = z.object({
  id: z.uuid(),
  kind: NotificationKind,
  title: z.string(),
  text: z.string(),
  /** A path of the web client, such as `/trading?bot=…`; null if it has no page. */
  link: z.string().nullable(),
  createdAt: z.number(),
  /** What the market's clock said where it is a replay; else null. */
  marketAt: z.number().nullable(),
  isRead: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const notifications = socialEndpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'What the caller was told, the newest first.',
  access: 'user',
  query: z.object({
    kind: NotificationKind.optional(),
    page: Page,
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  reply: z.object({ notifications: z.array(Notification), unread: z.number().int(), hasMore: z.boolean() }),
})

export const readNotifications = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/read',
  summary: 'Mark notifications as read: those named, or all.',
  access: 'user',
  body: z.object({ ids: z.array(z.uuid()).max(200).optional() }),
  reply: z.object({ unread: z.number().int() }),
})

const Webhook = z.object({
  url: z.string(),
  isOn: z.boolean(),
  /** The last four characters of its secret. */
  secretEnd: z.string(),
})
const NotificationSettings = z.object({ choices: NotificationChoices, webhook: Webhook.nullable() })
export type NotificationSettings = z.infer<typeof NotificationSettings>

export const notificationSettings = socialEndpoint({
  method: 'GET',
  path: '/api/notifications/settings',
  summary: 'What the caller is told of, and by which ways.',
  access: 'user',
  reply: NotificationSettings,
})

export const changeNotificationSettings = socialEndpoint({
  method: 'PATCH',
  path: '/api/notifications/settings',
  summary: 'Choose what to be told of. Errors and security always reach a person in the app.',
  access: 'user',
  body: z.object({ choices: z.partialRecord(NotificationKind, Ways) }),
  reply: NotificationSettings,
})

export const WebhookAddress = z
  .string()
  .trim()
  .max(1_000, 'An address has at most 1,000 characters')
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), 'Enter an http or https address')

export const setWebhook = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/webhook',
  summary:
    'Set the address that messages are sent to. A signed test is sent there first, and an address that gives no answer is not stored. A first address makes a secret, which is shown this once.',
  access: 'user',
  body: z.object({ url: WebhookAddress, isOn: z.boolean().default(true) }),
  reply: z.object({
    settings: NotificationSettings,
    secret: z.string().nullable(),
    /** The HTTP status that the test was answered with; null where the webhook is off and nothing was sent. */
    answer: z.number().int().nullable(),
  }),
  errors: ['unprocessable'],
})

export const renewWebhookSecret = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/webhook/secret',
  summary: 'A new secret in place of the old one. It is shown this once.',
  access: 'user',
  reply: z.object({ secret: z.string() }),
  errors: ['not_found'],
})

export const deleteWebhook = socialEndpoint({
  method: 'DELETE',
  path: '/api/notifications/webhook',
  summary: 'Forget the address, its secret and what still waits to be sent.',
  access: 'user',
  reply: z.object({ ok: z.literal(true) }),
})

export const Delivery = z.object({
  id: z.uuid(),
  kind: z.union([NotificationKind, z.literal('test')]),
  about: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.number().int(),
  /** Of the last try: its status, or why there was none. */
  answer: z.string().nullable(),
  tookMs: z.number().nullable(),
  createdAt: z.number(),
  nextTryAt: z.number().nullable(),
})
export type Delivery = z.infer<typeof Delivery>

/** A message is tried this often before it is given up. */
export const MOST_TRIES = 8

export const testWebhook = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/webhook/test',
  summary: 'Send a test message to the webhook.',
  access: 'user',
  reply: z.object({ id: z.uuid() }),
  errors: ['not_found', 'too_many_requests'],
})

export const deliveries = socialEndpoint({
  method: 'GET',
  path: '/api/notifications/deliveries',
  summary: 'Messages of the last 7 days to the webhook, the newest first.',
  access: 'user',
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(20) }),
  reply: z.object({ deliveries: z.array(Delivery) }),
})

export const retryDelivery = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/deliveries/:id/retry',
  summary: 'Try a message again now.',
  access: 'user',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
})
