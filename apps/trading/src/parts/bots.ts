import type { BacktestBotDeps } from '../backtests/prepare-pair.ts'
import { requireAble } from '../bots/bot-ability.ts'
import { createBotControl } from '../bots/bot-control.ts'
import { createBotEvidence } from '../bots/bot-evidence.ts'
import { createBotFiles } from '../bots/bot-files.ts'
import { createBotPredictionService } from '../bots/bot-prediction-service.ts'
import { createBotReads } from '../bots/bot-reads.ts'
import { createBotService } from '../bots/bot-service.ts'
import { createBotTrading } from '../bots/bot-trading.ts'
import { obstacleToDelete } from '../bots/exchange-entry.ts'
import { createParityCheck } from '../bots/parity.ts'
import { parityDecisions } from '../bots/parity-decisions.ts'
import { readPins } from '../bots/pinned-models.ts'
import { createPolicyHistory } from '../bots/policy-history.ts'
import { createPortfolioHistory } from '../bots/portfolio-history.ts'
import { createBotPredictionStore } from '../bots/prediction-store.ts'
import { createRebalances } from '../bots/rebalances.ts'
import { createRebalancing } from '../bots/rebalancing.ts'
import { freshTicker } from '../ledger/market-prices.ts'
import type { ReadExecuted } from '../ledger/order-store.ts'
import type { DownloadService } from '../market/download-service.ts'
import type { TradingAccounts } from './accounts.ts'
import type { Forecasts } from './forecasts.ts'
import type { Ground } from './ground.ts'
import type { Models } from './models.ts'
import type { KeptBots, RunningBots } from './running-bots.ts'

/** What people do with bots and see of them. */
export const botsOf = (
  ground: Ground & { downloads: DownloadService },
  { modelStore, models, predictors }: Models,
  { predictions }: Forecasts,
  { ledger, exchange }: TradingAccounts,
  kept: KeptBots,
  { realBots }: RunningBots,
  backtest: BacktestBotDeps,
  openaiReady: boolean,
) => {
  const { db, venue, market, downloads, marketTime: marketNow, replayNow, log, now } = ground
  const { requireSymbol, rules, load: candles } = market
  const { store: bots, trading: states, runtime, equity } = kept
  const { entry: real } = realBots
  const executed: ReadExecuted = (wanted) => ledger.orders.executed(db.orm, wanted)
  const ability = { requireSymbol, currentModel: models.predictingOn, openaiReady }
  const shared = {
    db,
    bots,
    states,
    runtime,
    equity,
    replies: ledger.replies,
    executed,
    candles,
    rules,
    ...ability,
    real,
    marketNow,
    replayNow,
    now,
    ticker: (symbol: string) => freshTicker(ledger.market, symbol),
    fetchHistory: createPolicyHistory({ venue, downloads, log }),
    unknownVersions: modelStore.unknown,
    requireAble: requireAble.bind(null, ability),
    obstacleToDelete: (botId: string) => obstacleToDelete(botId, { orm: db.orm, orders: exchange.realBots, states }),
  }
  const service = createBotService(shared)
  const reading = {
    ...shared,
    read: service.read,
    orders: (botId: string, limit: number) => ledger.orders.ofBot(db.orm, botId, limit),
  }
  const pinsOf = (botId: string) => readPins(db.orm, botId)
  const rebalancing = createRebalancing(shared)
  const history = createPortfolioHistory({ ...shared, orm: db.orm, kept: ledger.equity })
  return {
    bots: service,
    /** What figures of bots are read from. */
    reading,
    control: createBotControl({
      ...shared,
      predicting: models.predicting,
      trading: createBotTrading(shared),
      planRebalance: rebalancing.plan,
    }),
    parity: createParityCheck({ ...shared, decisions: parityDecisions({ backtest, predictors, pinsOf }) }),
    reads: createBotReads(reading),
    evidence: createBotEvidence(reading),
    rebalances: { preview: rebalancing.preview, list: createRebalances(reading) },
    portfolio: { history, files: createBotFiles(service.list, history) },
    botPredictions: createBotPredictionService({
      ...reading,
      store: createBotPredictionStore(db.orm, venue.name),
      predict: predictions.predict,
      pinsOf,
    }),
  }
}

export type Bots = ReturnType<typeof botsOf>
