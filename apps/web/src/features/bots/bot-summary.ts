import type { Bot } from '@shapecast/contracts/bots'

/** What bots of one kind of money have, quote. */
export interface MoneySum {
  readonly isVirtual: boolean
  readonly balance: number
  readonly initialBalance: number
  readonly pnl: number
  /** Percent of the initial balances; null without bots. */
  readonly returnPct: number | null
}

export interface BotSummary {
  readonly count: number
  readonly active: number
  readonly paused: number
  readonly failed: number
  /** Virtual and real money are never added: with both, real money stands here. */
  readonly main: MoneySum
  /** The virtual money beside it; null where there is one kind. */
  readonly other: MoneySum | null
}

type Summed = Pick<Bot, 'status' | 'currentBalance' | 'initialBalance' | 'totalPnL' | 'isVirtual'>

function moneyOf(bots: readonly Summed[], isVirtual: boolean): MoneySum {
  const sum = (of: (bot: Summed) => number) => bots.reduce((total, bot) => total + of(bot), 0)
  const initialBalance = sum((bot) => bot.initialBalance)
  const pnl = sum((bot) => bot.totalPnL)
  return {
    isVirtual,
    balance: sum((bot) => bot.currentBalance),
    initialBalance,
    pnl,
    returnPct: initialBalance > 0 ? (100 * pnl) / initialBalance : null,
  }
}

/** The figures on top of the Bots page, over the reader's own bots. */
export function summaryOf(own: readonly Summed[]): BotSummary {
  const count = (status: Bot['status']) => own.filter((bot) => bot.status === status).length
  const virtual = own.filter((bot) => bot.isVirtual)
  const real = own.filter((bot) => !bot.isVirtual)
  return {
    count: own.length,
    active: count('active'),
    paused: count('paused'),
    failed: count('error'),
    main: real.length > 0 ? moneyOf(real, false) : moneyOf(virtual, true),
    other: real.length > 0 && virtual.length > 0 ? moneyOf(virtual, true) : null,
  }
}

/** `3 active · 1 paused`; only 'active' stands at 0. */
export function stateWords({ active, paused, failed }: BotSummary): string {
  return [`${active} active`, paused > 0 && `${paused} paused`, failed > 0 && `${failed} in error`]
    .filter((part) => part !== false)
    .join(' · ')
}

/** Percent of the closed trades; null without one. */
export const winRatePctOf = (bot: Pick<Bot, 'totalTrades' | 'winningTrades'>): number | null =>
  bot.totalTrades > 0 ? (100 * bot.winningTrades) / bot.totalTrades : null
