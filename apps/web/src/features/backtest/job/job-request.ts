import type { createBacktestJob } from '@shapecast/contracts/backtest'
import type { createBot } from '@shapecast/contracts/bot-changes'
import type { CallInput } from '@shapecast/contracts/client'
import type { BacktestPlan } from '../parameters/check-parameters.ts'

type JobBody = CallInput<typeof createBacktestJob>['body']
type BotBody = CallInput<typeof createBot>['body']
type ModelPlan = Extract<BacktestPlan, { mode: 'model' }>

export const MIN_OHLCV_COUNT = 300
const MAX_OHLCV_COUNT = 10_000

/** How many candles to load for a test of `limit` candles: at least 300, at most what one call may return. */
export const ohlcvCount = (limit: number): number => Math.min(MAX_OHLCV_COUNT, Math.max(MIN_OHLCV_COUNT, limit))

/**
 * The job of a plan, run by `botId`. The whole range goes by its two ends, a part of it by its newest candles. The
 * last moment of the range is 1 ms before its end: a candle that opens at the end belongs to what follows.
 */
export function jobRequest(plan: BacktestPlan, botId: string): JobBody {
  const to = plan.range.toMs - 1
  return {
    mode: plan.mode,
    botId,
    // A bot with several pairs is tested on all of them.
    ...(plan.mode === 'bot' && plan.bot.tradingPairs.length > 1 ? {} : { symbol: plan.symbol }),
    timeframe: plan.timeframe,
    limit: plan.limit,
    ...(plan.wholeRange ? { from: plan.range.fromMs, to } : { to }),
    feeRate: plan.feeRate,
    slippageBps: plan.slippageBps,
    noSameBarReentry: true,
  }
}

/** The virtual private bot that trades one model for the length of a test. */
export function temporaryBot(plan: ModelPlan): BotBody {
  return {
    name: `${plan.version} model only`,
    description: `Made to backtest ${plan.version} on ${plan.symbol}.`,
    strategy: 'ml',
    mlModelVersion: plan.version,
    tradingPairs: [plan.symbol],
    marketType: 'futures',
    riskLevel: 'medium',
    visibility: 'private',
    isVirtual: true,
    positionSize: plan.positionSize,
    initialBalance: plan.initialBalance,
    leverage: plan.leverage,
    maxDrawdown: plan.maxDrawdownPct,
    parameters: { temporary: true },
  }
}
