import type { BacktestRequest, createBacktestJob } from '@shapecast/contracts/backtest'
import type { createBot } from '@shapecast/contracts/bot-changes'
import type { CallInput } from '@shapecast/contracts/client'

export const MIN_OHLCV_COUNT = 300
const MAX_OHLCV_COUNT = 10_000

/** How many candles to load for a test of `limit` candles: at least 300, at most what one call may return. */
export const ohlcvCount = (limit: number): number => Math.min(MAX_OHLCV_COUNT, Math.max(MIN_OHLCV_COUNT, limit))

/** The job of a request, run by `botId`, which has its own account. */
export function jobRequest(request: BacktestRequest, botId: string): CallInput<typeof createBacktestJob>['body'] {
  const { mlModelVersion, positionSize, initialBalance, leverage, maxDrawdown, ...job } = request
  return { ...job, botId }
}

/** The virtual private bot that trades one model for the length of a test. */
export function temporaryBot(request: BacktestRequest, symbol: string): CallInput<typeof createBot>['body'] {
  const { mlModelVersion, positionSize, initialBalance, leverage, maxDrawdown } = request
  return {
    name: `${mlModelVersion} model only`,
    description: `Made to backtest ${mlModelVersion} on ${symbol}.`,
    strategy: 'ml',
    mlModelVersion,
    tradingPairs: [symbol],
    marketType: 'futures',
    riskLevel: 'medium',
    visibility: 'private',
    isVirtual: true,
    positionSize,
    initialBalance,
    leverage,
    maxDrawdown,
    parameters: { temporary: true },
  }
}
