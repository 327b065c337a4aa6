import type { Trade } from '@shapecast/contracts/backtest-results'
import type { BacktestResult } from '@shapecast/engine/backtest-result'

/** A trade as replies have it. */
export const shownTrade = (trade: BacktestResult['trades'][number]): Trade => ({
  side: trade.side,
  entryTime: trade.entryTime,
  exitTime: trade.exitTime,
  entryPrice: trade.entryPrice,
  exitPrice: trade.exitPrice,
  quantity: trade.quantity,
  netPnL: trade.netPnL,
  fees: trade.fees,
  funding: trade.funding,
  exitReason: trade.exitReason,
  ...('symbol' in trade ? { symbol: trade.symbol as string } : {}),
})
