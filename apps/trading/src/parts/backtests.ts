import type { BacktestWorkDeps } from '../backtests/backtest-kind.ts'
import { createBacktestService } from '../backtests/backtest-service.ts'
import { createForecastStore } from '../backtests/forecast-store.ts'
import type { BacktestBotDeps } from '../backtests/prepare-pair.ts'
import { createRunStore } from '../backtests/run-store.ts'
import { createFinerCandles } from '../market/read-candles.ts'
import type { Bots } from './bots.ts'
import type { Forecasts } from './forecasts.ts'
import type { Ground, TradingDeps } from './ground.ts'
import type { Models } from './models.ts'
import type { KeptBots } from './running-bots.ts'

export const backtestOf = (
  { db, market, now }: Ground,
  { models, predictors }: Models,
  { openai }: Forecasts,
  kept: KeptBots,
): BacktestWorkDeps => ({
  market,
  models: { ...predictors, currentOn: models.currentOn, requireVersion: models.requireVersion },
  kept: createForecastStore(db),
  keptVotes: openai.keptVotes,
  finer: createFinerCandles(db, market.venue),
  isPublicBot: kept.store.isPublic,
  now,
})

export const backtestsOf = (
  { db, jobs, market }: Ground,
  { openai }: Forecasts,
  kept: KeptBots,
  { bots }: Bots,
  { models }: BacktestBotDeps,
  { backtestWaitMs, hub }: TradingDeps,
) =>
  createBacktestService({
    db,
    jobs,
    runs: createRunStore(db.orm),
    market,
    models,
    bots: { read: bots.read, publicIds: kept.store.publicIds },
    hasKeptVotes: openai.hasKeptVotes,
    longestWaitMs: backtestWaitMs,
    ended: hub?.jobEnded,
  })
