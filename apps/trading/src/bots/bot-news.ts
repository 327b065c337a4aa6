import type { ActivityEntry } from '@shapecast/platform/activities'
import type { Tell } from '@shapecast/platform/notify'
import { baseOf, priceWords, profitWords, quantityWords } from './amount-words.ts'
import { type AllowedChange, STATUS_CHANGES, type StatusChange } from './bot-status.ts'
import type { PairTrade } from './decide-bot.ts'
import type { BotChange } from './runtime-store.ts'
import type { BotRow } from './tables.ts'

export type BotNews = Tell & { readonly userId: string }

const kindOf = ({ isVirtual }: BotRow) => (isVirtual ? 'virtual' : 'real money')
const linkOf = ({ id }: BotRow) => `/trading?bot=${id}`

const EXIT: Record<PairTrade['exitReason'], string> = {
  signal: 'on the signal',
  reversal: 'and reversed',
  take_profit: 'at its take profit',
  stop_loss: 'at its stop loss',
  trailing_stop: 'at its trailing stop',
  time: 'after its time',
  liquidation: 'by liquidation',
  max_drawdown: 'at the drawdown limit',
  rebalance: 'down to its target',
  stopped: 'because the bot was stopped',
}

/** What a bot's owner is told of a change: trades that were closed, and that it paused by itself. */
export function newsOf({ bot, trades, status, pins }: BotChange): BotNews[] {
  const told = { userId: bot.userId, link: linkOf(bot) }
  const closed = trades.map(
    (trade): BotNews => ({
      ...told,
      kind: 'fill',
      title: `${bot.name}: ${trade.side} ${trade.symbol} closed, ${profitWords(trade.netPnL)}`,
      text: `${quantityWords(trade.quantity)} ${baseOf(trade.symbol)} at ${priceWords(trade.exitPrice)} ${EXIT[trade.exitReason]} (${kindOf(bot)}).`,
    }),
  )
  const silent = pins.flatMap(({ reason, symbol }): BotNews[] =>
    reason === null
      ? []
      : [
          {
            ...told,
            kind: 'model',
            title: `${bot.name} has no model for ${symbol}`,
            text: `${reason} Until then it keeps what it holds, its stops act, and it opens nothing.`,
          },
        ],
  )
  return [...closed, ...silent, ...(status === null ? [] : statusNews(bot, status))]
}

/** What a bot's owner is told of a status that it has come to by itself. */
export function statusNews(bot: BotRow, { cause, reason }: StatusChange): BotNews[] {
  const { news }: AllowedChange = STATUS_CHANGES[cause]
  if (news === undefined || reason === null) return []
  return [{ userId: bot.userId, kind: news.kind, title: `${bot.name} ${news.title}`, text: reason, link: linkOf(bot) }]
}

type Acting = Pick<BotRow, 'id' | 'name' | 'userId' | 'visibility'>

/** What the activity feed shows of a bot; `actorId` is who did it, null for the bot itself. */
export const botActivity = (
  { id, name, userId, visibility }: Acting,
  action: `bot.${string}`,
  actorId: string | null,
  detail?: string,
): ActivityEntry => ({
  type: 'bot',
  action,
  actorId,
  subject: { id, name },
  owner: { userId, isPublic: visibility === 'public' },
  ...(detail !== undefined && { detail }),
})

/** What the feed shows of a status that a bot has come to by itself. */
export function statusActivity(bot: BotRow, { cause }: StatusChange): ActivityEntry[] {
  const { activity }: AllowedChange = STATUS_CHANGES[cause]
  return activity === undefined ? [] : [botActivity(bot, activity, null)]
}

/** What the feed shows of what a bot did by itself: positions that it closed, and that it paused; not each adjustment. */
export function activitiesOf({ bot, trades, status }: BotChange): ActivityEntry[] {
  const [first, ...others] = trades.filter(({ exitReason }) => exitReason !== 'rebalance')
  const closed =
    first &&
    `${first.side} ${first.symbol} ${EXIT[first.exitReason]}${others.length > 0 ? ` and ${others.length} more` : ''}`
  return [
    ...(closed === undefined ? [] : [botActivity(bot, 'bot.traded', null, closed)]),
    ...(status === null ? [] : statusActivity(bot, status)),
  ]
}
