import {
  CHANNEL_NAMES,
  NOTIFICATION_KINDS,
  type NotificationChoices,
  type NotifiedBot,
  type QuietHours,
} from '@shapecast/contracts/notifications'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { idColumn } from './database/id-column.ts'

export const platform = pgSchema('platform')

/** A row for each sign-in. Ended where `endedAt` is set; void after `expiresAt`. */
export const sessions = platform.table(
  'sessions',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    role: text().notNull(),
    address: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
    userAgent: text('user_agent'),
    /** To five minutes; null before the first request. */
    lastSeenAt: timestamp('last_seen_at', { withTimezone: true }),
    /** It may do nothing but set up the second factor that its role requires. */
    isLimited: boolean('is_limited').notNull().default(false),
    /** When its person last gave the second factor, or the password, once more. */
    confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** Append-only: a trigger refuses UPDATE, DELETE and TRUNCATE. */
export const audit = platform.table(
  'audit',
  {
    id: idColumn(),
    at: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    /** The user who did it; null for the system itself. */
    actorId: uuid('actor_id'),
    /** Where the request came from; null for the system itself. */
    address: text(),
    /** What was done, such as `bot.created`. */
    action: text().notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    before: jsonb(),
    after: jsonb(),
  },
  (table) => [
    index('audit_subject').on(table.subjectType, table.subjectId, table.id),
    index('audit_actor').on(table.actorId, table.id),
  ],
)

/** What the activity feed shows. Nothing of the audit comes here by itself: who writes it down says what others may read. */
export const activities = platform.table(
  'activities',
  {
    id: idColumn(),
    at: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    type: text({ enum: ['task', 'bot', 'model', 'backtest', 'user'] }).notNull(),
    action: text().notNull(),
    /** The user who did it; null for the system itself, and for bots. */
    actorId: uuid('actor_id'),
    /** Whose it is: shown to this user and to admins alone while it is not public. */
    ownerId: uuid('owner_id'),
    isPublic: boolean('is_public').notNull(),
    subjectId: text('subject_id').notNull(),
    subjectName: text('subject_name').notNull(),
    detail: text(),
    /** Of a replay's clock; null on every other market. */
    marketAtMs: bigint('market_at_ms', { mode: 'number' }),
  },
  (table) => [
    index('activities_type').on(table.type, table.id),
    index('activities_actor').on(table.actorId, table.id),
    index('activities_subject').on(table.subjectId, table.id),
  ],
)

/** What an installation has decided once, such as its venue. */
export const installation = platform.table('installation', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
})

/** What a person was told in the app. */
export const notifications = platform.table(
  'notifications',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    kind: text({ enum: NOTIFICATION_KINDS }).notNull(),
    title: text().notNull(),
    text: text().notNull(),
    link: text(),
    bot: jsonb().$type<NotifiedBot>(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    readAtMs: bigint('read_at_ms', { mode: 'number' }),
    /** Of a replay's clock; null on every other market. */
    marketAtMs: bigint('market_at_ms', { mode: 'number' }),
  },
  (table) => [
    index('notifications_user').on(table.userId, table.id),
    index('notifications_unread').on(table.userId).where(sql`${table.readAtMs} is null`),
  ],
)

/** How a person wants to be told. Without a row, or for a kind that it lacks, the default holds. */
export const notificationSettings = platform.table('notification_settings', {
  userId: uuid('user_id').primaryKey(),
  choices: jsonb().$type<Partial<NotificationChoices>>().notNull().default({}),
  quiet: jsonb().$type<QuietHours>(),
})

/** Where a person's messages go, by channel. */
export const receivers = platform.table(
  'notification_receivers',
  {
    userId: uuid('user_id').notNull(),
    channel: text({ enum: CHANNEL_NAMES }).notNull(),
    url: text().notNull(),
    isOn: boolean('is_on').notNull(),
    /** What a person knows it by, where that is not the address. */
    name: text(),
    /** Sealed under the SECRET_KEY; null for a channel that has none. */
    secret: text(),
    sinceMs: bigint('since_ms', { mode: 'number' }).notNull().default(0),
    /** Whether bots may be looked at, paused and stopped from there. */
    takesCommands: boolean('takes_commands').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.channel] }),
    // A chat is one person's.
    uniqueIndex('notification_receivers_chat').on(table.url).where(sql`${table.channel} = 'telegram'`),
  ],
)

/** Channels that somebody is about to connect: good once, with the code. */
export const channelLinks = platform.table(
  'notification_links',
  {
    userId: uuid('user_id').notNull(),
    channel: text({ enum: CHANNEL_NAMES }).notNull(),
    codeHash: text('code_hash').notNull(),
    /** Where the code was sent; null where it is to come from there. */
    address: text(),
    expiresAtMs: bigint('expires_at_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.channel] })],
)

/** Messages by channels: written with what they tell of, sent by whichever worker takes them. */
export const deliveries = platform.table(
  'webhook_deliveries',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    channel: text({ enum: CHANNEL_NAMES }).notNull().default('webhook'),
    kind: text({ enum: [...NOTIFICATION_KINDS, 'test', 'quiet'] }).notNull(),
    title: text().notNull(),
    text: text().notNull(),
    link: text(),
    state: text({ enum: ['waiting', 'delivered', 'failed'] }).notNull(),
    tries: integer().notNull().default(0),
    /** When it may be taken; a worker that takes it puts this off, so that nobody else does meanwhile. */
    nextTryAtMs: bigint('next_try_at_ms', { mode: 'number' }),
    answer: text(),
    tookMs: integer('took_ms'),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    /** The end of the quiet hours of which this is the message. */
    heldUntilMs: bigint('held_until_ms', { mode: 'number' }),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_held').on(table.userId, table.channel, table.heldUntilMs),
    index('webhook_deliveries_user').on(table.userId, table.id),
    index('webhook_deliveries_due').on(table.nextTryAtMs).where(sql`${table.state} = 'waiting'`),
  ],
)
