import { z } from 'zod'
import { Email } from './auth.ts'
import { socialEndpoint } from './endpoint.ts'
import { PlainName } from './storable-text.ts'
import { Page } from './tasks.ts'
import { epochMs, quote } from './units.ts'

export const NOTIFICATION_KINDS = [
  'fill',
  'alert',
  'halt',
  'error',
  'evidence',
  'job',
  'model',
  'task',
  'security',
] as const
export const NotificationKind = z.enum(NOTIFICATION_KINDS)
export type NotificationKind = z.infer<typeof NotificationKind>

/** Ways out of the app, each with the head of its column. Another one needs an entry here, and what sends by it in `platform/channels`. */
export const CHANNELS = {
  telegram: { label: 'Telegram', head: 'Telegram' },
  email: { label: 'E-mail', head: 'E-mail' },
  push: { label: 'Browser push', head: 'Push' },
  webhook: { label: 'Webhook', head: 'Webhook' },
} as const
export type Channel = keyof typeof CHANNELS
export const CHANNEL_NAMES = Object.keys(CHANNELS) as [Channel, ...Channel[]]

/** Ways that a person is always told of a kind by: in the app, and by a channel that is connected. */
export const ALWAYS_SENT: Readonly<Partial<Record<NotificationKind, readonly ('app' | Channel)[]>>> = {
  error: ['app'],
  security: ['app', 'email'],
}
export const isAlwaysSent = (kind: NotificationKind, way: 'app' | Channel): boolean =>
  ALWAYS_SENT[kind]?.includes(way) ?? false

/** What cannot wait: it comes through in quiet hours, and is told by a channel from the moment that it is connected. */
export const URGENT_KINDS: readonly NotificationKind[] = ['alert', 'halt', 'error', 'security']

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 22:00')
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
/** Hours of each day, by a clock on somebody's wall, in which what can wait is held back: it comes as one message after them. A webhook is a program, and is told at once. */
export const QuietHours = z
  .object({
    isOn: z.boolean(),
    from: ClockTime,
    to: ClockTime,
    timeZone: z.string().max(60).refine(isTimeZone, 'must be a time zone, such as Europe/Berlin'),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must be another time than the first' })
export type QuietHours = z.infer<typeof QuietHours>

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
  netPnL: quote().nullable(),
})
export type NotifiedBot = z.infer<typeof NotifiedBot>

export const Notification = z.object({
  id: z.uuid(),
  kind: NotificationKind,
  title: z.string(),
  text: z.string(),
  /** A path of the web client, such as `/trading?bot=…`; null if it has no page. */
  link: z.string().nullable(),
  createdAt: epochMs(),
  bot: NotifiedBot.nullable(),
  /** What the market's clock said where it is a replay; else null. */
  marketAt: epochMs().nullable(),
  isRead: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const notifications = socialEndpoint('GET /api/notifications', {
  summary: 'What the caller was told, the newest first. Fills of virtual bots are never unread.',
  query: z.object({
    kind: NotificationKind.optional(),
    unread: z.stringbool().optional(),
    page: Page,
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  reply: z.object({ notifications: z.array(Notification), unread: z.number().int(), hasMore: z.boolean() }),
})

export const readNotifications = socialEndpoint('POST /api/notifications/read', {
  summary: 'Mark notifications as read: those named, or all.',
  touches: [notifications],
  body: z.object({ ids: z.array(z.uuid()).max(200).optional() }),
  reply: z.object({ unread: z.number().int() }),
})

export const Delivery = z.object({
  id: z.uuid(),
  channel: z.enum(CHANNEL_NAMES),
  /** `quiet`: what quiet hours held back. */
  kind: z.union([NotificationKind, z.enum(['test', 'quiet'])]),
  about: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.number().int(),
  /** Of the last try: what the other side said, or why it said nothing. */
  answer: z.string().nullable(),
  tookMs: z.number().nullable(),
  createdAt: epochMs(),
  nextTryAt: epochMs().nullable(),
})
export type Delivery = z.infer<typeof Delivery>

/** A channel that somebody has connected. */
const ConnectedChannel = z.object({
  /** Where messages go: `@mira_trades`, an email address, browsers by their names, a URL. */
  name: z.string(),
  isOn: z.boolean(),
  since: epochMs(),
  /** The last four characters of a webhook's secret; empty without one. */
  secretEnd: z.string(),
  /** Whether bots may be looked at, paused and stopped from there. */
  takesCommands: z.boolean(),
  /** The newest message of the last 7 days. */
  last: Delivery.nullable(),
})
export type ConnectedChannel = z.infer<typeof ConnectedChannel>

/** What this installation can send by. */
const Outlets = z.object({
  /** The name of the installation's Telegram bot; null where an admin has set up none. */
  telegram: z.string().nullable(),
  email: z.boolean(),
  /** The public key (VAPID, RFC 8292) that a browser subscribes with. */
  push: z.string(),
})

const NotificationSettings = z.object({
  choices: NotificationChoices,
  /** Null until they are chosen once. */
  quiet: QuietHours.nullable(),
  ...byChannel(ConnectedChannel.nullable()),
  outlets: Outlets,
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

export const notificationSettings = socialEndpoint('GET /api/notifications/settings', {
  summary: 'What the caller is told of, and by which ways.',
  reply: NotificationSettings,
})

export const changeNotificationSettings = socialEndpoint('PATCH /api/notifications/settings', {
  summary:
    'Choose what to be told of, and quiet hours. Errors and security always reach a person in the app; in quiet hours alerts, halts, errors and security come through.',
  touches: [notificationSettings],
  body: z.object({ choices: z.partialRecord(NotificationKind, Ways), quiet: QuietHours }).partial(),
  reply: NotificationSettings,
})

const urlOf = (schemes: RegExp, complaint: string) =>
  z
    .string()
    .trim()
    .max(1_000, 'An address has at most 1,000 characters')
    .refine((url) => URL.canParse(url) && schemes.test(new URL(url).protocol), complaint)
export const WebhookAddress = urlOf(/^https?:$/, 'Enter an http or https address')
const ofChannel = z.object({ channel: z.enum(CHANNEL_NAMES) })
const settingsReply = z.object({ settings: NotificationSettings })

export const setWebhook = socialEndpoint('POST /api/notifications/webhook', {
  summary:
    'Set the address of the webhook. A test is sent there first, and an address that gives no answer is not stored. The first address makes a secret, which is shown this once.',
  touches: [notificationSettings],
  body: z.object({ url: WebhookAddress }),
  reply: settingsReply.extend({
    secret: z.string().nullable(),
    /** What the test was answered with. */
    answer: z.object({ isTaken: z.boolean(), words: z.string() }),
  }),
  errors: ['unprocessable'],
})

export const renewWebhookSecret = socialEndpoint('POST /api/notifications/webhook/secret', {
  summary: 'A new secret in place of the old one. It is shown this once.',
  touches: [notificationSettings],
  reply: z.object({ secret: z.string() }),
  errors: ['not_found'],
})

export const linkTelegram = socialEndpoint('POST /api/notifications/telegram', {
  summary:
    'A code that connects the Telegram chat which sends it to the bot of this installation: once, within 10 minutes.',
  touches: [],
  reply: z.object({ code: z.string(), expiresAt: epochMs(), bot: z.string(), url: z.string() }),
  errors: ['unprocessable'],
})

export const setEmail = socialEndpoint('POST /api/notifications/email', {
  summary: 'Send a code to an email address, which becomes the channel once the code is given back within an hour.',
  touches: [],
  body: z.object({ address: Email }),
  reply: z.object({ expiresAt: epochMs() }),
  errors: ['unprocessable', 'too_many_requests'],
})

export const confirmEmail = socialEndpoint('POST /api/notifications/email/confirm', {
  summary: 'Confirm the email address with the code that was sent there.',
  touches: [notificationSettings],
  body: z.object({ code: z.string().trim().min(6, 'A code has at least 6 characters').max(30) }),
  reply: settingsReply,
  errors: ['wrong_code', 'too_many_requests'],
})

/** An address that a browser's push service takes messages at; it is a secret of that browser. */
const PushEndpoint = urlOf(/^https:$/, 'Enter the https address of a push service')

export const addBrowser = socialEndpoint('POST /api/notifications/push', {
  summary: 'Send notifications to a browser, by its push subscription. A person has 10 at most; the oldest makes room.',
  touches: [notificationSettings],
  body: z.object({
    endpoint: PushEndpoint,
    keys: z.object({
      p256dh: z.string().regex(/^[\w-]{87}=?$/, 'must be an uncompressed P-256 key in base64url'),
      auth: z.string().regex(/^[\w-]{22}={0,2}$/, 'must be 16 bytes in base64url'),
    }),
    name: PlainName.min(1).max(60),
  }),
  reply: settingsReply,
  errors: ['unprocessable'],
})

export const removeBrowser = socialEndpoint('POST /api/notifications/push/remove', {
  summary: 'Send nothing to a browser any more.',
  touches: [notificationSettings],
  body: z.object({ endpoint: PushEndpoint }),
  reply: settingsReply,
})

export const switchChannel = socialEndpoint('PATCH /api/notifications/:channel', {
  summary:
    'Switch a channel on or off, or let it take commands. Commands come from Telegram alone, and to allow them takes fresh proof of who calls.',
  touches: [notificationSettings],
  proof: 'sometimes',
  params: ofChannel,
  body: z
    .object({ isOn: z.boolean().optional(), takesCommands: z.boolean().optional() })
    .refine(
      ({ isOn, takesCommands }) => isOn !== undefined || takesCommands !== undefined,
      'Give isOn or takesCommands',
    ),
  reply: settingsReply,
  errors: ['not_found', 'unprocessable'],
})

export const deleteChannel = socialEndpoint('DELETE /api/notifications/:channel', {
  summary: 'Forget the address, its secret and what still waits to be sent.',
  touches: [notificationSettings],
  params: ofChannel,
})

/** A message is tried this often before it is given up. */
export const MOST_TRIES = 8

export const deliveries = socialEndpoint('GET /api/notifications/deliveries', {
  summary: 'Messages of the last 7 days by all channels, the newest first.',
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(20) }),
  reply: z.object({ deliveries: z.array(Delivery) }),
})

export const testChannel = socialEndpoint('POST /api/notifications/:channel/test', {
  summary: 'Send a test message by a channel, and answer with the result.',
  touches: [deliveries, notificationSettings],
  params: ofChannel,
  reply: z.object({ delivery: Delivery }),
  errors: ['not_found', 'too_many_requests'],
})

export const retryDelivery = socialEndpoint('POST /api/notifications/deliveries/:id/retry', {
  summary: 'Try a message again now.',
  touches: [deliveries, notificationSettings],
})
