import type { Role } from '@shapecast/contracts/auth'
import type { AuditRecord } from '@shapecast/contracts/users'
import { formatPrice, formatQuantity } from '#kit/format/money.ts'
import { formatExactTime } from '#kit/format/time.ts'
import { ROLE_LABELS } from './users-table.tsx'

/** Part of a sentence; a name stands out. */
export type Part = string | { readonly name: string }

/** An entry with what its sentence is made of. */
interface Told {
  readonly entry: AuditRecord
  readonly was: Readonly<Record<string, unknown>>
  readonly is: Readonly<Record<string, unknown>>
  /** What it was done to. */
  readonly subject: Part
  /** Whether somebody did it to their own account. */
  readonly isOwn: boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const LONGEST_HASH = 12
/** A value as it is read: a time, a hash in short, a list. */
export const valueWords = (value: unknown, key = ''): string => {
  if (value === undefined || value === null || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && key.endsWith('Ms')) return formatExactTime(value)
  if (typeof value === 'number' && key.endsWith('Pct')) return `${value}%`
  if (typeof value === 'string' && /^[a-z]+(_[a-z]+)+$/.test(value)) return value.replaceAll('_', ' ')
  if (typeof value === 'string') return /^[0-9a-f]{40,}$/.test(value) ? `${value.slice(0, LONGEST_HASH)}…` : value
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map((one) => valueWords(one)).join(', ')
  return isRecord(value) && Object.keys(value).length === 0 ? '—' : JSON.stringify(value)
}

/** `stopLossPct` as 'stop loss': a value says its unit itself. */
export const fieldWords = (key: string): string =>
  key
    .replace(/(Ms|Pct)$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

export interface Change {
  readonly key: string
  /** Undefined where there was nothing before. */
  readonly was?: string
  readonly is: string
}

/** What differs; of what was only made, or only removed, what it was. */
export function changesOf({ before, after }: Pick<AuditRecord, 'before' | 'after'>): Change[] {
  const [was, is] = [recordOf(before), recordOf(after)]
  if (!isRecord(before) || !isRecord(after)) {
    const only = isRecord(after) ? is : was
    return Object.entries(only).flatMap(([key, value]) => {
      const words = valueWords(value, key)
      return words === '—' ? [] : [{ key, is: words }]
    })
  }
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    .map((key) => ({ key, was: valueWords(was[key], key), is: valueWords(is[key], key) }))
}

const name = (value: unknown): Part => ({ name: valueWords(value) })

/** 'the stop loss of Ash from 5% to 4%', or which of its settings. */
function changed({ entry, subject }: Told, of: readonly Part[]): Part[] {
  const changes = changesOf(entry)
  const [only] = changes
  if (only === undefined) return ['changed ', ...of, subject]
  if (changes.length > 1)
    return ['changed ', changes.map(({ key }) => fieldWords(key)).join(', '), ' of ', ...of, subject]
  const from = only.was === undefined || only.was === '—' ? '' : ` from ${only.was}`
  return ['changed the ', fieldWords(only.key), ' of ', ...of, subject, `${from} to `, { name: only.is }]
}

/** 'virtual order: buy 0.01 BTCUSDT at 65,000.00' */
function orderWords({ is, entry }: Told): Part[] {
  if (typeof is.side !== 'string' || typeof is.amount !== 'number')
    return ['the order ', { name: entry.subject.id.slice(0, 8) }]
  const price = [is.average, is.price, is.stopPrice].find((one) => typeof one === 'number')
  const type =
    typeof is.type === 'string' && is.type !== 'market' ? `, ${fieldWords(is.type).replaceAll('_', ' ')}` : ''
  const at = typeof price === 'number' ? ` at ${formatPrice(price)}` : ''
  const money = is.isVirtual === true ? 'virtual' : 'real'
  return [
    `a ${money} order: ${is.side} `,
    { name: `${formatQuantity(is.amount)} ${valueWords(is.symbol)}` },
    `${at}${type}`,
  ]
}

const seriesWords = ({ symbol, timeframe }: Readonly<Record<string, unknown>>): string =>
  symbol === undefined ? '' : ` on ${valueWords(symbol)}${timeframe === undefined ? '' : ` ${valueWords(timeframe)}`}`

type Sentence = (told: Told) => readonly Part[]
const on =
  (verb: string): Sentence =>
  ({ subject }) => [`${verb} `, subject]
const account =
  (own: string, others: string): Sentence =>
  ({ isOwn, subject }) =>
    isOwn ? [own] : [`${others} `, subject]
const order =
  (verb: string): Sentence =>
  (told) => [`${verb} `, ...orderWords(told)]
const training =
  (verb: string): Sentence =>
  ({ is }) => [`${verb} the training of `, name(is.version ?? is.model ?? 'a model'), seriesWords(is)]
const channel =
  (verb: string): Sentence =>
  ({ entry, is }) => {
    const what = entry.action.split('.')[0]!
    return [`${verb} `, what === 'push' ? 'browser push' : what, ...(is.address ? [' to ', name(is.address)] : [])]
  }
const said =
  (text: string): Sentence =>
  () => [text]

/** What was done, by action, where 'deleted the bot Ash' does not say it; the sentence goes on after the name of who did it. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'user.registered': ({ is, isOwn, subject }) =>
    isOwn ? [`signed up as ${ROLE_LABELS[is.role as Role] ?? valueWords(is.role)}`] : ['made the account ', subject],
  'user.signed_in': said('signed in'),
  'user.signed_out': said('signed out'),
  'user.sign_in_failed': on('failed to sign in as'),
  'user.second_factor_failed': on('gave a wrong second factor for'),
  'user.confirmation_failed': account('failed to confirm who they are', 'failed to confirm as'),
  'user.password_change_failed': account('gave a wrong password when changing it', 'gave a wrong password for'),
  'user.reset_failed': on('gave a wrong reset code for'),
  'user.role_changed': ({ was, is, subject }) => [
    'made ',
    subject,
    ` ${is.role === 'admin' ? 'an' : 'a'} ${ROLE_LABELS[is.role as Role] ?? valueWords(is.role)}; before: ${ROLE_LABELS[was.role as Role] ?? valueWords(was.role)}`,
  ],
  'user.disabled': on('disabled the account of'),
  'user.enabled': on('enabled the account of'),
  'user.invited': ({ is }) => ['invited ', name(is.email)],
  'user.invitation_withdrawn': ({ was }) => ['withdrew the invitation of ', name(was.email)],
  'user.sessions_ended': account('ended all other sessions', 'ended all sessions of'),
  'user.session_ended': account('ended one of their sessions', 'ended a session of'),
  'user.reset_code_made': on('made a reset code for'),
  'user.reset_code_mailed': on('mailed a reset code to'),
  'user.password_reset': account('set a new password with a reset code', 'reset the password of'),
  'user.password_changed': account('changed their password', 'changed the password of'),
  'user.profile_changed': (told) => changed(told, ['the account ']),
  'user.deletion_asked': account('asked for the deletion of their account', 'asked for the deletion of'),
  'user.deletion_taken_back': account('kept their account after all', 'kept the account of'),
  'user.deleted': said('deleted an account'),
  'user.second_factor_on': said('switched the second factor on'),
  'user.second_factor_off': said('switched the second factor off'),
  'user.recovery_codes_renewed': said('made new recovery codes'),
  'policy.changed': (told) => changed({ ...told, subject: '' }, ['the policy']),
  'real_trading.killed': ({ is }) => [
    `used the kill switch; real bots ${is.closing === true ? 'sell what they hold' : 'keep their positions'}${typeof is.killedReason === 'string' ? ` (“${is.killedReason}”)` : ''}`,
  ],
  'real_trading.allowed': said('allowed real trading again'),
  'trading_limits.changed': (told) => changed({ ...told, subject: '' }, ['the trading limits']),
  'exchange_keys.saved': said('saved an API key for the exchange'),
  'exchange_keys.deleted': said('deleted an API key for the exchange'),
  'webhook.secret_renewed': said('renewed the secret of their webhook'),
  ...Object.fromEntries(
    ['webhook', 'email', 'telegram', 'push'].flatMap((one) => [
      [`${one}.set`, channel('set')],
      [`${one}.changed`, channel('changed')],
      [`${one}.deleted`, channel('disconnected')],
    ]),
  ),
  'mail.set': said('set the mail server'),
  'mail.forgotten': said('removed the mail server'),
  'telegram.forgotten': said('removed the Telegram bot'),
  'bot.created': ({ is, subject }) => [
    'created the bot ',
    subject,
    `${is.isVirtual === false ? ', real money' : ''}${Array.isArray(is.tradingPairs) ? `, on ${valueWords(is.tradingPairs)}` : ''}`,
  ],
  'bot.started': on('started'),
  'bot.paused': ({ is, subject }) => ['paused ', subject, ...reasonOf(is)],
  'bot.stopped': ({ is, subject }) => ['stopped ', subject, ...reasonOf(is)],
  'bot.reset': on('put back to its initial balance'),
  'bot.changed': (told) => changed(told, []),
  'bot.model_taken': ({ subject }) => ['had ', subject, ' take the newest training of its models'],
  'bot.position_closed': ({ is, subject }) => [
    'told ',
    subject,
    ' to close ',
    name(`${formatQuantity(Number(is.quantity))} ${valueWords(is.symbol)}`),
  ],
  'bot.rebalanced': ({ subject }) => ['had ', subject, ' brought to its targets'],
  'bot.close_taken_back': ({ subject }) => [
    'used the kill switch before ',
    subject,
    ' had closed its position: it is kept',
  ],
  'order.placed': order('placed'),
  'order.filled': order('filled'),
  'order.cancelled': order('cancelled'),
  'order.cancel_asked': order('asked to cancel'),
  'order.open': order('has at the exchange'),
  'order.expired': order('heard that the exchange gave up'),
  'order.rejected': order('heard that the exchange refused'),
  'order.not_placed': order('gave up'),
  'order.forced': order('booked a liquidation,'),
  'order.booked_unread': ({ is }) => [`booked ${valueWords(is.quantity)} that the exchange told no trades of`],
  'task.created': ({ is, subject }) => ['proposed the task ', is.title === undefined ? subject : name(is.title)],
  'task.changed': (told) => changed(told, ['the task ']),
  'vote.cast': ({ is, subject }) => [`voted ${valueWords(is.voteType)} `, subject],
  'vote.withdrawn': on('withdrew their vote on'),
  'training.requested': training('asked for'),
  'training.joined': training('joined'),
  'backtest.requested': ({ is }) => ['asked for a backtest of ', name(is.botName ?? is.mode), seriesWords(is)],
  'backtest.run_noted': said('changed the name or note of a saved run'),
  'backtest.run_deleted': said('deleted a saved run'),
  'rule.created': on('stored the rule'),
  'rule.saved': ({ is, subject }) => ['saved ', subject, `, version ${valueWords(is.version)}`],
  'rule.changed': (told) => changed(told, ['the rule ']),
  'search.requested': ({ is }) => ['asked for a search: ', name(is.title)],
  'walk_forward.requested': ({ is }) => ['asked for a walk forward: ', name(is.title)],
  'batch.requested': ({ is }) => ['asked for a batch: ', name(is.title)],
  'search.deleted': said('deleted a search'),
  'search.cancelled': said('cancelled a search'),
  'model.trained': ({ is, subject }) => ['trained ', subject, seriesWords(is)],
  'model.stage_changed': ({ was, is, subject }) => [
    'moved ',
    subject,
    ` from ${valueWords(was.stage)} to ${valueWords(is.stage)}`,
  ],
  'model.artifact_promoted': on('chose which training predicts for'),
  'model.uploaded': on('uploaded'),
  'model.upload_deleted': on('deleted an upload of'),
  'model.importance_requested': said('asked what a model looks at'),
  'model.artifacts_pruned': on('deleted old trainings of'),
  'model.drifted': on('looked at the drift of'),
  'candles.imported': ({ entry, is }) => [
    'imported candles of ',
    { name: entry.subject.id },
    ` from ${valueWords(is.file)}`,
  ],
  'funding.stored': ({ entry }) => ['brought in funding rates of ', { name: entry.subject.id }],
  'candles.download_requested': ({ entry }) => ['asked for candles of ', { name: entry.subject.id }],
  'dataset.saved': ({ is, subject }) => ['saved the dataset ', is.name === undefined ? subject : name(is.name)],
  'dataset.deleted': ({ was, subject }) => ['deleted the dataset ', was.name === undefined ? subject : name(was.name)],
  'dataset.chosen': on('chose the dataset'),
  'dataset.left': said('went back to all candles'),
  'auto_trade.decided': ({ is }) => [
    `decided by ${valueWords(is.version)}: ${valueWords(is.signal)}${is.reason ? `, ${valueWords(is.reason)}` : ''}`,
  ],
  'job.run_again': ({ entry }) => [`ran a ${fieldWords(entry.subject.type).replaceAll('_', ' ')} again`],
}

const reasonOf = ({ statusReason }: Readonly<Record<string, unknown>>): Part[] =>
  typeof statusReason === 'string' && statusReason !== '' ? [`: ${statusReason}`] : []

/** What was done, after the name of who did it. Of an action that nothing is known of: the action in words. */
export function sentenceOf(entry: AuditRecord): readonly Part[] {
  const { subject, actor, action, before, after } = entry
  const isShort = /^[0-9a-f-]{36}$/.test(subject.id)
  const named =
    subject.name ?? (subject.type === 'user' ? 'a deleted account' : isShort ? subject.id.slice(0, 8) : subject.id)
  const told: Told = {
    entry,
    was: recordOf(before),
    is: recordOf(after),
    subject: { name: named },
    isOwn: actor !== null && subject.id === actor.id,
  }
  const sentence = SENTENCES[action]
  if (sentence !== undefined) return sentence(told)
  const [what = '', verb = ''] = action.split('.')
  return [`${verb.replaceAll('_', ' ')} the ${what.replaceAll('_', ' ')} `, told.subject]
}

/** Who did it. */
export const actorName = ({ actor, address }: Pick<AuditRecord, 'actor' | 'address'>): string =>
  actor === null ? (address === null ? 'System' : 'Somebody') : (actor.username ?? 'a deleted account')

/** Kinds of what is done: the beginnings of actions. */
export const KINDS = [
  { value: 'user.', label: 'Accounts and sign-ins' },
  { value: 'policy.', label: 'Policy' },
  { value: 'bot.', label: 'Bots' },
  { value: 'order.', label: 'Orders' },
  { value: 'real_trading.', label: 'Kill switch' },
  { value: 'trading_limits.', label: 'Trading limits' },
  { value: 'exchange_keys.', label: 'Exchange keys' },
  { value: 'model.', label: 'Models' },
  { value: 'training.', label: 'Trainings' },
  { value: 'backtest.', label: 'Backtests' },
  { value: 'search.', label: 'Searches' },
  { value: 'walk_forward.', label: 'Walks forward' },
  { value: 'batch.', label: 'Batches' },
  { value: 'funding.', label: 'Funding rates' },
  { value: 'candles.', label: 'Candles' },
  { value: 'dataset.', label: 'Datasets' },
  { value: 'task.', label: 'Tasks' },
  { value: 'vote.', label: 'Votes' },
  { value: 'webhook.', label: 'Webhooks' },
  { value: 'telegram.', label: 'Telegram' },
] as const
