import type { Tell } from '@shapecast/platform/notify'
import type { PairTrade } from './decide-bot.ts'
import type { BotChange } from './runtime-store.ts'
import type { BotRow } from './tables.ts'

export type BotNews = Tell & { readonly userId: string }

const signed = (amount: number) => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${Math.abs(amount).toFixed(2)} USDT`
const kindOf = ({ isVirtual }: BotRow) => (isVirtual ? 'virtual' : 'real money')
const linkOf = ({ id }: BotRow) => `/trading?bot=${id}`

const EXIT: Record<PairTrade['exitReason'], string> = {
  signal: 'on the signal',
  reversal: 'and reversed',
  take_profit: 'at its take profit',
  stop_loss: 'at its stop loss',
  liquidation: 'by liquidation',
  max_drawdown: 'at the drawdown limit',
  rebalance: 'down to its target',
  stopped: 'because the bot was stopped',
}

/** What a bot's owner is told of a change: trades that were closed, and that it paused by itself. */
export function newsOf({ bot, trades, status }: BotChange): BotNews[] {
  const told = { userId: bot.userId, link: linkOf(bot) }
  const closed = trades.map(
    (trade): BotNews => ({
      ...told,
      kind: 'fill',
      title: `${bot.name}: ${trade.side} ${trade.symbol} closed, ${signed(trade.netPnL)}`,
      text: `${trade.quantity} at ${trade.exitPrice} ${EXIT[trade.exitReason]} (${kindOf(bot)}).`,
    }),
  )
  if (status === null || status.reason === null) return closed
  const halt: BotNews = { ...told, kind: 'halt', title: `${bot.name} paused by itself`, text: status.reason }
  return [...closed, halt]
}

/** What a bot's owner is told where it cannot go on. */
export const failureNews = (bot: BotRow, reason: string): BotNews => ({
  userId: bot.userId,
  kind: 'error',
  title: `${bot.name} stopped with an error`,
  text: reason,
  link: linkOf(bot),
})
