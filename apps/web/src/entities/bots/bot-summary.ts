import type { Bot } from '@shapecast/contracts/bots'
import { coinOf } from './bot-words.ts'

/** What bots of one kind of money have, quote. */
export interface MoneySum {
  readonly isVirtual: boolean
  readonly count: number
  readonly equity: number
  readonly pnl: number
  readonly closed: number
  readonly open: number
  /** How many positions are open, and what they are worth. */
  readonly positions: number
  readonly worth: number
  /** What is held of each coin, the largest first; negative where it is short. */
  readonly exposure: readonly { readonly asset: string; readonly worth: number }[]
}

export interface BotSummary {
  readonly count: number
  readonly active: number
  readonly paused: number
  readonly stopped: number
  readonly failed: number
  /** Of virtual bots; of real ones where there are no others. The two are never added. */
  readonly money: MoneySum
  /** Of the bots with real money, where there are both. */
  readonly real: MoneySum | null
}

type Summed = Pick<Bot, 'status' | 'currentBalance' | 'totalPnL' | 'closedPnL' | 'openPnL' | 'isVirtual' | 'positions'>

function exposureOf(bots: readonly Summed[]): MoneySum['exposure'] {
  const sums = new Map<string, number>()
  for (const { symbol, side, worth } of bots.flatMap(({ positions }) => positions)) {
    const asset = coinOf(symbol)
    sums.set(asset, (sums.get(asset) ?? 0) + (side === 'short' ? -worth : worth))
  }
  return [...sums].map(([asset, worth]) => ({ asset, worth })).sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth))
}

function moneyOf(bots: readonly Summed[], isVirtual: boolean): MoneySum {
  const sum = (of: (bot: Summed) => number) => bots.reduce((total, bot) => total + of(bot), 0)
  return {
    isVirtual,
    count: bots.length,
    equity: sum((bot) => bot.currentBalance),
    pnl: sum((bot) => bot.totalPnL),
    closed: sum((bot) => bot.closedPnL),
    open: sum((bot) => bot.openPnL),
    positions: sum((bot) => bot.positions.length),
    worth: sum((bot) => bot.positions.reduce((total, { worth }) => total + worth, 0)),
    exposure: exposureOf(bots),
  }
}

/** The figures on top of the Bots page, over the reader's own bots. */
export function summaryOf(own: readonly Summed[]): BotSummary {
  const count = (status: Bot['status']) => own.filter((bot) => bot.status === status).length
  const virtual = own.filter((bot) => bot.isVirtual)
  const real = own.filter((bot) => !bot.isVirtual)
  const hasBoth = virtual.length > 0 && real.length > 0
  return {
    count: own.length,
    active: count('active'),
    paused: count('paused'),
    stopped: count('stopped'),
    failed: count('error'),
    money: hasBoth || real.length === 0 ? moneyOf(virtual, true) : moneyOf(real, false),
    real: hasBoth ? moneyOf(real, false) : null,
  }
}

/** `3 active · 1 paused`; only 'active' stands at 0. */
export function stateWords({ active, paused, stopped, failed }: BotSummary): string {
  return [
    `${active} active`,
    paused > 0 && `${paused} paused`,
    stopped > 0 && `${stopped} stopped`,
    failed > 0 && `${failed} in error`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** Percent of the closed trades; null without one. */
export const winRatePctOf = (bot: Pick<Bot, 'totalTrades' | 'winningTrades'>): number | null =>
  bot.totalTrades > 0 ? (100 * bot.winningTrades) / bot.totalTrades : null
