import type { Portfolio } from '@shapecast/engine/portfolio'
import type { ActivityEntry } from '@shapecast/platform/activities'
import type { Tell } from '@shapecast/platform/notify'
import { baseOf, priceWords, profitWords, quantityWords } from './amount-words.ts'
import { type AllowedChange, STATUS_CHANGES, type StatusChange } from './bot-status.ts'
import type { PairTrade } from './decide-bot.ts'
import type { BotChange } from './runtime-store.ts'
import type { BotRow } from './tables.ts'
import { reachable } from './trading-store.ts'

export type BotNews = Tell & { readonly userId: string }

const kindOf = ({ isVirtual }: BotRow) => (isVirtual ? 'virtual' : 'real money')

/** What all news of a bot have in common. */
const newsAbout = ({ id, userId, name, isVirtual }: BotRow, netPnL: number | null = null) => ({
  userId,
  link: `/trading?bot=${id}`,
  bot: { id, name, isVirtual, netPnL },
})

const amountOf = (symbol: string, quantity: number, price: number) =>
  `${quantityWords(quantity)} ${baseOf(symbol)} at ${priceWords(price)}`

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
  closed_by_hand: 'by hand',
  rebalanced_by_hand: 'down to its target, by hand',
  no_candles: 'at its last price: it is no longer traded',
}

const isRebalance = ({ exitReason }: PairTrade): boolean =>
  exitReason === 'rebalance' || exitReason === 'rebalanced_by_hand'

/**
 * What a bot's owner is told of a change: positions that it opened and closed since `before`, that a model is missing, and
 * that it paused by itself.
 */
export function newsOf({ bot, portfolio, trades, status, pins }: BotChange, before: Portfolio): BotNews[] {
  const told = newsAbout(bot)
  const closed = trades.map(
    (trade): BotNews => ({
      ...newsAbout(bot, trade.netPnL),
      kind: 'fill',
      title: `${bot.name} ${isRebalance(trade) ? 'reduced' : 'closed'} a ${trade.side} on ${trade.symbol}: ${profitWords(trade.netPnL)}`,
      text: `${trade.side === 'long' ? 'Sold' : 'Bought back'} ${amountOf(trade.symbol, trade.quantity, trade.exitPrice)} ${EXIT[trade.exitReason]} (${kindOf(bot)}).`,
    }),
  )
  const opened = portfolio.pairs.flatMap(({ symbol, account }, k): BotNews[] => {
    const was = before.pairs[k]?.account
    if (account.side === 0 || (account.side === was?.side && account.entryTime === was.entryTime)) return []
    const isLong = account.side > 0
    const stopPrice = reachable(account.stopLossPrice)
    const stop = stopPrice === null ? '' : `, stop ${priceWords(stopPrice)}`
    return [
      {
        ...told,
        kind: 'fill',
        title: `${bot.name} opened a ${isLong ? 'long' : 'short'} on ${symbol}`,
        text: `${isLong ? 'Bought' : 'Sold short'} ${amountOf(symbol, Math.abs(account.size), account.entryPrice)}${stop} (${kindOf(bot)}).`,
      },
    ]
  })
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
  return [...closed, ...opened, ...silent, ...(status === null ? [] : statusNews(bot, status))]
}

/** What a bot's owner is told of a status that it has come to by itself. */
export function statusNews(bot: BotRow, { cause, reason }: StatusChange): BotNews[] {
  const { news }: AllowedChange = STATUS_CHANGES[cause]
  if (news === undefined || reason === null) return []
  return [{ ...newsAbout(bot), kind: news.kind, title: `${bot.name} ${news.title}`, text: reason }]
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
  const [first, ...others] = trades.filter((trade) => !isRebalance(trade))
  const closed =
    first &&
    `${first.side} ${first.symbol} ${EXIT[first.exitReason]}${others.length > 0 ? ` and ${others.length} more` : ''}`
  return [
    ...(closed === undefined ? [] : [botActivity(bot, 'bot.traded', null, closed)]),
    ...(status === null ? [] : statusActivity(bot, status)),
  ]
}

/** That the kill switch has taken back what a bot with real money was told to close. */
export const keptNews = ({ bot, symbols }: { bot: BotRow; symbols: readonly string[] }): BotNews => ({
  ...newsAbout(bot),
  kind: 'halt',
  title: `${bot.name} keeps its position`,
  text: `It was told to close ${symbols.join(' and ')}. The kill switch was used before that was done, so nothing is sold: it keeps what it holds, without a stop-loss or take profit. Close it by hand, or watch it at the exchange.`,
})

/** That a bot is told from luck against holding as much; `decidedAt` is the end of the day that decided it, ms. */
export const decidedNews = (bot: BotRow, verdict: 'better' | 'worse', decidedAt: number): BotNews => ({
  ...newsAbout(bot),
  kind: 'evidence',
  title: `${bot.name} does ${verdict} than holding`,
  text: `Since ${new Date(decidedAt - 1).toISOString().slice(0, 10)} it is told from luck that it does ${verdict} than holding as much of its pairs. That is the past, and no promise: it goes on as it is.`,
})
