import type { Bot } from '@shapecast/contracts/bots'

export interface BotSummary {
  readonly count: number
  readonly active: number
  readonly paused: number
  readonly failed: number
  /** Quote. */
  readonly balance: number
  readonly initialBalance: number
  readonly pnl: number
  /** Percent of the initial balances; null without bots. */
  readonly returnPct: number | null
  /** Whether any of the sums holds real money. */
  readonly isMixed: boolean
}

type Summed = Pick<Bot, 'status' | 'currentBalance' | 'initialBalance' | 'totalPnL' | 'isVirtual'>

/** The figures on top of the Bots page, over the reader's own bots. */
export function summaryOf(own: readonly Summed[]): BotSummary {
  const sum = (of: (bot: Summed) => number) => own.reduce((total, bot) => total + of(bot), 0)
  const count = (status: Bot['status']) => own.filter((bot) => bot.status === status).length
  const initialBalance = sum((bot) => bot.initialBalance)
  const pnl = sum((bot) => bot.totalPnL)
  return {
    count: own.length,
    active: count('active'),
    paused: count('paused'),
    failed: count('error'),
    balance: sum((bot) => bot.currentBalance),
    initialBalance,
    pnl,
    returnPct: initialBalance > 0 ? (100 * pnl) / initialBalance : null,
    isMixed: own.some((bot) => !bot.isVirtual) && own.some((bot) => bot.isVirtual),
  }
}

/** `3 active · 1 paused`; only 'active' stands at 0. */
export function stateWords({ active, paused, failed }: BotSummary): string {
  return [`${active} active`, paused > 0 && `${paused} paused`, failed > 0 && `${failed} in error`]
    .filter((part) => part !== false)
    .join(' · ')
}

/** Percent of the trades; 0 without trades. */
export const winRatePctOf = (bot: Pick<Bot, 'totalTrades' | 'winningTrades'>): number =>
  bot.totalTrades > 0 ? (100 * bot.winningTrades) / bot.totalTrades : 0
