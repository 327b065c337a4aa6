import type { Trade } from '@shapecast/contracts/backtest'

export const SHOWN_TRADES = 50

/** The last 50 trades, the one that was closed last first. */
export const lastTrades = (trades: readonly Trade[]): Trade[] => trades.slice(-SHOWN_TRADES).reverse()

const yearOf = (ms: number) => new Date(ms).getUTCFullYear()

/** Whether every time of the trades lies in one year, so that it need not be written. */
export function sameYear(trades: readonly Pick<Trade, 'entryTime' | 'exitTime'>[]): boolean {
  const years = new Set(trades.flatMap((trade) => [yearOf(trade.entryTime), yearOf(trade.exitTime)]))
  return years.size <= 1
}
