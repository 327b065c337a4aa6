import type { Trade } from '@shapecast/contracts/backtest-results'
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
  rebalanced_by_hand: 'Rebalanced by hand',
  no_candles: 'No longer traded, last price',
}

/** Why a position was closed. */
export const exitWords = ({ exitReason }: Pick<Trade, 'exitReason'>): string => EXITS[exitReason]

/** How long it was held: `9 h`, `2 d 11 h`. */
export const heldWords = ({ entryTime, exitTime }: Pick<Trade, 'entryTime' | 'exitTime'>): string =>
  formatSpan(exitTime - entryTime)
