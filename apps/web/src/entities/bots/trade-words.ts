import type { Trade } from '@shapecast/contracts/backtest'
import { formatSpan } from '#kit/format/time.ts'

const EXITS: Readonly<Record<Trade['exitReason'], string>> = {
  signal: 'Signal',
  reversal: 'Opposite signal',
  take_profit: 'Take profit',
  stop_loss: 'Stop loss',
  trailing_stop: 'Trailing stop',
  time: 'Time',
  liquidation: 'Liquidation',
  max_drawdown: 'Drawdown limit',
  rebalance: 'Rebalanced',
  stopped: 'Stopped',
  closed_by_hand: 'Closed by hand',
}

/** Why a position was closed. */
export const exitWords = ({ exitReason }: Pick<Trade, 'exitReason'>): string => EXITS[exitReason]

/** How long it was held: `9 h`, `2 d 11 h`. */
export const heldWords = ({ entryTime, exitTime }: Pick<Trade, 'entryTime' | 'exitTime'>): string =>
  formatSpan(exitTime - entryTime)

const HEADS = [
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
]
const iso = (ms: number) => new Date(ms).toISOString()

/** All trades as a CSV with UTC times, for a spreadsheet; with the pair of each where there are several. */
export function tradesCsv(trades: readonly Trade[]): string {
  const hasPairs = trades.some(({ symbol }) => symbol !== undefined)
  const rows = trades.map((trade) =>
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
      ...(hasPairs ? [trade.symbol ?? ''] : []),
    ].join(','),
  )
  return `${[[...HEADS, ...(hasPairs ? ['pair'] : [])].join(','), ...rows].join('\n')}\n`
}
