import type { BacktestRun } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { INITIAL_PARAMETERS, type Parameters } from './parameters.ts'

/** What stands in the fields when a run is opened: what it was run with, so that it can be run again. */
export function parametersOfRun(run: BacktestRun): Parameters {
  const { params } = run
  return {
    ...INITIAL_PARAMETERS,
    // A rule without a bot is tested elsewhere.
    mode: params.mode === 'rule' ? 'bot' : params.mode,
    botId: params.mode === 'bot' ? params.botId : null,
    version: params.mlModelVersion,
    symbol: run.symbol,
    positionSize: params.positionSize,
    initialBalance: run.initialBalance,
    leverage: params.leverage,
    maxDrawdownPct: params.maxDrawdown ?? INITIAL_PARAMETERS.maxDrawdownPct,
    fromMs: run.startTime,
    toMs: run.endTime + TIMEFRAME_MS[run.timeframe],
    timeframe: run.timeframe,
    limit: 'derived',
    unseenOnly: run.seenRatio <= 0,
    feePct: Number((params.feeRate * 100).toFixed(6)),
    slippageBps: params.slippageBps,
  }
}
