import type { BotTrade } from '@shapecast/contracts/bot-trading'

const COLUMNS = [
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

export const TRADE_HEAD = `${COLUMNS.join(',')}\r\n`

/** Trades as lines of CSV (RFC 4180) under `TRADE_HEAD`. Times are ISO 8601; no cell needs quotes. */
export const tradeLines = (trades: readonly BotTrade[]): string =>
  trades
    .map((trade) =>
      [
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
      ].join(','),
    )
    .map((line) => `${line}\r\n`)
    .join('')
