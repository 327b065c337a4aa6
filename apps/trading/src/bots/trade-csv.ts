import type { BotTrade } from '@shapecast/contracts/bot-trading'

export const TRADE_HEADS = [
  'side',
  'entry_time',
  'exit_time',
  'entry_price',
  'exit_price',
  'quantity',
  'fees',
  'funding',
  'net_pnl',
  'exit_reason',
  'pair',
] as const

const iso = (ms: number): string => new Date(ms).toISOString()

/** A trade's cells under `TRADE_HEADS`; times are ISO 8601. */
export const tradeCells = (trade: BotTrade) => [
  trade.side,
  iso(trade.entryTime),
  iso(trade.exitTime),
  trade.entryPrice,
  trade.exitPrice,
  trade.quantity,
  trade.fees,
  trade.funding,
  trade.netPnL,
  trade.exitReason,
  trade.symbol,
]
