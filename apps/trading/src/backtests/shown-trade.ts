import type { Trade } from '@shapecast/contracts/backtest-results'
import type { BacktestResult } from '@shapecast/engine/backtest-result'

/** A trade as replies have it; of a run over several pairs with its pair. */
export const shownTrade = ({
  grossPnL: _gross,
  slippageCost: _slippage,
  ...shown
}: BacktestResult['trades'][number]): Trade => shown
