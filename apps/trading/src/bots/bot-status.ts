import { AppError } from '@shapecast/contracts/errors'
import { type Doer, recordAudit, SYSTEM } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Tell } from '@shapecast/platform/notify'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { type BotRow, bots } from './tables.ts'

export type Status = BotRow['status']

export interface AllowedChange {
  readonly from: readonly Status[]
  readonly to: Status
  /** What is written beside it, out of the detail that the change brings. */
  reason(detail: string): string | null
  /** After the bot's name, where a person asks for a change that is not allowed. */
  readonly refusal?: string
  /** The entry of the audit; a switch or a limit that stops bots is on record by itself. */
  readonly audit?: `bot.${string}`
  /** The entry of the activity feed. */
  readonly activity?: `bot.${string}`
  /** What the owner is told beside the reason: nobody is told what they asked for. */
  readonly news?: { readonly kind: Tell['kind']; readonly title: string }
}

const none = () => null
const given = (detail: string) => (detail === '' ? null : detail)
const RUNNING = ['active', 'paused', 'error'] as const
const KEPT_BY_KILL = 'The kill switch was used: it keeps what it holds, without a stop-loss or take profit.'
const KILLED = { kind: 'halt', title: 'was stopped by the kill switch' } as const
const stopped = { audit: 'bot.stopped', activity: 'bot.stopped' } as const

/** Every change of a bot's status, by its cause. Any other is none. */
export const STATUS_CHANGES = {
  start: {
    from: ['stopped', 'paused', 'error'],
    to: 'active',
    reason: none,
    refusal: 'is already active.',
    audit: 'bot.started',
    activity: 'bot.started',
  },
  pause: {
    from: ['active'],
    to: 'paused',
    reason: none,
    refusal: 'is not active, so there is nothing to pause.',
    audit: 'bot.paused',
    activity: 'bot.paused',
  },
  /** The detail says what it keeps. */
  stop: { from: RUNNING, to: 'stopped', reason: given, refusal: 'is stopped already.', ...stopped },
  /** A stopped bot is told to sell what it kept. */
  sell_kept: { from: ['stopped'], to: 'stopped', reason: none, ...stopped },
  reset: { from: ['stopped'], to: 'stopped', reason: none, audit: 'bot.reset', activity: 'bot.reset' },
  /** What a stopped bot held is gone; the detail says what is left. */
  emptied: { from: ['stopped'], to: 'stopped', reason: given, news: { kind: 'halt', title: 'is stopped' } },
  /** A limit is reached, or what protects a position does not stand at the exchange. */
  halt: {
    from: ['active', 'paused'],
    to: 'paused',
    reason: given,
    activity: 'bot.halted',
    news: { kind: 'halt', title: 'paused by itself' },
  },
  failure: {
    from: ['stopped', 'active', 'paused'],
    to: 'error',
    reason: given,
    activity: 'bot.failed',
    news: { kind: 'error', title: 'stopped with an error' },
  },
  /** The detail is the version. */
  demotion: {
    from: ['active'],
    to: 'paused',
    reason: (version) => `${version} was taken out of production, and its bots were paused.`,
    audit: 'bot.paused',
  },
  owner_not_allowed: {
    from: ['active'],
    to: 'paused',
    reason: () =>
      'Its owner is no admin any more, or disabled: it keeps what it holds and its stop-losses, and buys nothing. An admin may stop it.',
    audit: 'bot.paused',
  },
  owner_leaves: {
    from: RUNNING,
    to: 'stopped',
    reason: () => 'Its owner is deleting the account.',
    audit: 'bot.stopped',
  },
  kill_and_keep: { from: RUNNING, to: 'stopped', reason: () => KEPT_BY_KILL, news: KILLED },
  /** A stopped bot was told to sell what it kept, and the kill switch came before that. */
  kill_and_keep_on: { from: ['stopped'], to: 'stopped', reason: () => KEPT_BY_KILL },
  kill_and_sell: {
    from: RUNNING,
    to: 'stopped',
    reason: () => 'The kill switch was used: it sells what it holds.',
    news: KILLED,
  },
} as const satisfies Record<string, AllowedChange>

export type StatusCause = keyof typeof STATUS_CHANGES
const ruleOf = (cause: StatusCause): AllowedChange => STATUS_CHANGES[cause]

export interface StatusChange {
  readonly cause: StatusCause
  readonly to: Status
  readonly reason: string | null
}

export const statusBy = (cause: StatusCause, detail: string | null = null): StatusChange => ({
  cause,
  to: ruleOf(cause).to,
  reason: ruleOf(cause).reason(detail ?? ''),
})

/** How a bot begins. */
export const NEW_STATUS = { status: 'stopped', statusReason: null } as const

/** The bot's status, as it was locked. */
type Changing = Pick<BotRow, 'id' | 'status' | 'statusReason'>

export const mayChange = ({ status }: Pick<BotRow, 'status'>, cause: StatusCause): boolean =>
  ruleOf(cause).from.includes(status)

/** Throws `conflict` in a person's words where the bot may not change so. */
export function requireMayChange(bot: Pick<BotRow, 'name' | 'status'>, cause: StatusCause): void {
  if (!mayChange(bot, cause)) throw new AppError('conflict', `${bot.name} ${ruleOf(cause).refusal}`)
}

/** Who asks, and what else of the bot the same act changes. */
interface By {
  readonly doer: Doer
  readonly before?: object
  readonly after?: object
}

/**
 * Changes the status of bots that are locked, in one statement, and puts on record what people did. Throws for a change
 * that the table does not know.
 */
export async function changeStatuses(
  tx: Orm,
  changes: readonly { readonly bot: Changing; readonly change: StatusChange }[],
  { doer, before, after }: By = { doer: SYSTEM },
): Promise<void> {
  if (changes.length === 0) return
  for (const { bot, change } of changes)
    if (!mayChange(bot, change.cause)) throw new Error(`A bot that is ${bot.status} takes no ${change.cause}.`)
  const rows = changes.map(({ bot, change: { to, reason } }) => ({ id: bot.id, to, reason }))
  await tx.execute(sql`
    update ${bots} b set status = r.to, status_reason = r.reason
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, "to" text, reason text)
    where b.id = r.id`)
  for (const { bot, change } of changes) {
    const { audit: action } = ruleOf(change.cause)
    if (action === undefined) continue
    await recordAudit(tx, doer, {
      action,
      subject: { type: 'bot', id: bot.id },
      before: { status: bot.status, statusReason: bot.statusReason, ...before },
      after: { status: change.to, statusReason: change.reason, ...after },
    })
  }
}

/** Changes all bots of a condition that may change so. */
export async function changeStatusWhere(tx: Orm, where: SQL | undefined, change: StatusChange, by?: By): Promise<void> {
  const found = await tx
    .select({ id: bots.id, status: bots.status, statusReason: bots.statusReason })
    .from(bots)
    .where(and(where, inArray(bots.status, ruleOf(change.cause).from)))
    .orderBy(bots.id)
    .for('update')
  await changeStatuses(
    tx,
    found.map((bot) => ({ bot, change })),
    by,
  )
}
