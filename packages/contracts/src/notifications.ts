import { z } from 'zod'
import { socialEndpoint } from './endpoint.ts'
import { Page } from './tasks.ts'

export const NOTIFICATION_KINDS = ['fill', 'halt', 'error', 'job', 'model', 'task', 'security'] as const
export const NotificationKind = z.enum(NOTIFICATION_KINDS)
export type NotificationKind = z.infer<typeof NotificationKind>

/** Kinds that always reach a person in the app. */
export const ALWAYS_IN_APP: readonly NotificationKind[] = ['error', 'security']

/** What a person is asked for, and told, about a way out of the app. */
interface ChannelForm {
  /** As a word of a table's head and of a sentence. */
  readonly label: string
  /** Where messages go: a URL. */
  readonly address: z.ZodType<string>
  readonly placeholder: string
  readonly help: string
  /** Whether each message is signed with a secret that its receiver knows. */
  readonly isSigned: boolean
}

const urlOf = (schemes: RegExp, complaint: string) =>
  z.string().refine((url) => URL.canParse(url) && schemes.test(new URL(url).protocol), complaint)

/** The ways out of the app. Another one needs an entry here, and what sends by it in `platform/channels`. */
export const CHANNELS = {
  webhook: {
    label: 'Webhook',
    address: urlOf(/^https?:$/, 'Enter an http or https address'),
    placeholder: 'https://',
    help: 'Takes Telegram, Slack and Discord bridges. Private and loopback addresses are refused unless an admin allows them.',
    isSigned: true,
  },
} as const satisfies Record<string, ChannelForm>
export type Channel = keyof typeof CHANNELS
export const CHANNEL_NAMES = Object.keys(CHANNELS) as [Channel, ...Channel[]]

const byChannel = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(CHANNEL_NAMES.map((channel) => [channel, schema])) as Record<Channel, S>

const Ways = z.object({ app: z.boolean(), ...byChannel(z.boolean()) })
/** By which ways a person is told of each kind. */
export const NotificationChoices = z.record(NotificationKind, Ways)
export type NotificationChoices = z.infer<typeof NotificationChoices>

/** The bot that a notification is about, as it was then. */
const NotifiedBot = z.object({
  id: z.uuid(),
  name: z.string(),
  isVirtual: z.boolean(),
  /** Of a fill that closed something: its net profit, USDT; else null. */
  netPnL: z.number().nullable(),
})
export type NotifiedBot = z.infer<typeof NotifiedBot>

export const Notification = z.object({
  id: z.uuid(),
  kind: NotificationKind,
  title: z.string(),
  text: z.string(),
  /** A path of the web client, such as `/trading?bot=…`; null if it has no page. */
  link: z.string().nullable(),
  createdAt: z.number(),
  bot: NotifiedBot.nullable(),
  /** What the market's clock said where it is a replay; else null. */
  marketAt: z.number().nullable(),
  isRead: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const notifications = socialEndpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'What the caller was told, the newest first. Fills of virtual bots are never unread.',
  access: 'user',
  query: z.object({
    kind: NotificationKind.optional(),
    unread: z.stringbool().optional(),
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
  touches: [notifications],
  body: z.object({ ids: z.array(z.uuid()).max(200).optional() }),
  reply: z.object({ unread: z.number().int() }),
})

const ChannelSettings = z.object({
  url: z.string(),
  isOn: z.boolean(),
  /** The last four characters of its secret; empty without one. */
  secretEnd: z.string(),
})
export type ChannelSettings = z.infer<typeof ChannelSettings>
const NotificationSettings = z.object({ choices: NotificationChoices, ...byChannel(ChannelSettings.nullable()) })
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
  touches: [notificationSettings],
  body: z.object({ choices: z.partialRecord(NotificationKind, Ways) }),
  reply: NotificationSettings,
})

export const ChannelAddress = z.string().trim().max(1_000, 'An address has at most 1,000 characters')
const ofChannel = z.object({ channel: z.enum(CHANNEL_NAMES) })

export const setChannel = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/:channel',
  summary:
    'Set the address that messages of a channel are sent to. A test is sent there first, and an address that gives no answer is not stored. The first address of a signed channel makes a secret, which is shown this once.',
  access: 'user',
  touches: [notificationSettings],
  params: ofChannel,
  body: z.object({ url: ChannelAddress, isOn: z.boolean().default(true) }),
  reply: z.object({
    settings: NotificationSettings,
    secret: z.string().nullable(),
    /** The status that the test was answered with; null when the channel is off and nothing was sent. */
    answer: z.number().int().nullable(),
  }),
  errors: ['unprocessable'],
})

export const renewChannelSecret = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/:channel/secret',
  summary: 'A new secret in place of the old one. It is shown this once.',
  access: 'user',
  touches: [notificationSettings],
  params: ofChannel,
  reply: z.object({ secret: z.string() }),
  errors: ['not_found'],
})

export const deleteChannel = socialEndpoint({
  method: 'DELETE',
  path: '/api/notifications/:channel',
  summary: 'Forget the address, its secret and what still waits to be sent.',
  access: 'user',
  touches: [notificationSettings],
  params: ofChannel,
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

export const deliveries = socialEndpoint({
  method: 'GET',
  path: '/api/notifications/deliveries',
  summary: 'Messages of the last 7 days by all channels, the newest first.',
  access: 'user',
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(20) }),
  reply: z.object({ deliveries: z.array(Delivery) }),
})

export const testChannel = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/:channel/test',
  summary: 'Send a test message by a channel.',
  access: 'user',
  touches: [deliveries],
  params: ofChannel,
  reply: z.object({ id: z.uuid() }),
  errors: ['not_found', 'too_many_requests'],
})

export const retryDelivery = socialEndpoint({
  method: 'POST',
  path: '/api/notifications/deliveries/:id/retry',
  summary: 'Try a message again now.',
  access: 'user',
  touches: [deliveries],
  params: z.object({ id: z.uuid() }),
  reply: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
})
