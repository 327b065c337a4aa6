import type { BacktestBotDeps } from '../backtests/prepare-pair.ts'
import { type BotAbilityDeps, requireAble } from '../bots/bot-ability.ts'
import { createBotControl } from '../bots/bot-control.ts'
import { createBotEvidence } from '../bots/bot-evidence.ts'
import { createBotFiles } from '../bots/bot-files.ts'
import { createBotPredictionService } from '../bots/bot-prediction-service.ts'
import { createBotReads } from '../bots/bot-reads.ts'
import { createBotResults } from '../bots/bot-results.ts'
import { createBotService } from '../bots/bot-service.ts'
import { createBotTrading } from '../bots/bot-trading.ts'
import { createBotWeights } from '../bots/bot-weights.ts'
import { obstacleToDelete } from '../bots/exchange-entry.ts'
import { createOwnSlippage } from '../bots/own-slippage.ts'
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
import type { Accounts } from './accounts.ts'
import type { Forecasts } from './forecasts.ts'
import type { Ground } from './ground.ts'
import type { Models } from './models.ts'
import type { KeptBots, RunningBots } from './running-bots.ts'

/** What people do with bots and see of them. */
export const botsOf = (
  ground: Ground & { downloads: DownloadService },
  { modelStore, models, predictors }: Models,
  { predictions }: Forecasts,
  { ledger, exchange }: Accounts,
  kept: KeptBots,
  { realBots }: RunningBots,
  backtest: BacktestBotDeps,
  openaiReady: boolean,
) => {
  const { db, venue, market, downloads, marketTime, replayNow, log, now } = ground
  const { store, trading, equity } = kept
  const ability: BotAbilityDeps = {
    requireSymbol: market.requireSymbol,
    currentModel: models.predictingOn,
    openaiReady,
  }
  const shared = {
    db,
    store,
    equity,
    fetchHistory: createPolicyHistory({ venue, downloads, log }),
    unknownVersions: modelStore.unknown,
    replayNow,
    now,
  }
  const service = createBotService({
    ...shared,
    requireAble: (bot) => requireAble(ability, bot),
    rules: market.rules,
    obstacleToDelete: (botId) => obstacleToDelete(botId, { orm: db.orm, orders: exchange.realBots, store: trading }),
    replies: ledger.replies,
    marketNow: marketTime,
  })
  const pinsOf = (botId: string) => readPins(db.orm, botId)
  const rebalancing = createRebalancing({
    db,
    store: trading,
    find: store.find,
    rules: market.rules,
    ticker: (symbol) => freshTicker(ledger.market, symbol),
    marketNow: marketTime,
    real: realBots.entry,
  })
  const history = createPortfolioHistory({
    orm: db.orm,
    kept: ledger.equity,
    bots: store,
    states: trading,
    equity,
    candles: market.load,
    marketNow: marketTime,
  })
  const executed: ReadExecuted = (wanted) => ledger.orders.executed(db.orm, wanted)
  return {
    bots: service,
    control: createBotControl({
      ...shared,
      ...ability,
      predicting: models.predicting,
      real: realBots.entry,
      trading: createBotTrading({ store: trading, watches: kept.runtime, marketNow: marketTime, now }),
      replies: ledger.replies,
      planRebalance: rebalancing.plan,
    }),
    parity: createParityCheck({
      store: trading,
      find: store.find,
      rules: market.rules,
      decisions: parityDecisions({ backtest, predictors, pinsOf }),
    }),
    reads: createBotReads({
      store: trading,
      bots: store,
      equity,
      read: service.read,
      candles: market.load,
      orders: (botId, limit) => ledger.orders.ofBot(db.orm, botId, limit),
      executed,
      marketNow: marketTime,
    }),
    evidence: createBotEvidence({ store: trading, read: service.read, candles: market.load }),
    weights: createBotWeights({
      store: trading,
      equity,
      read: service.read,
      candles: market.load,
      marketNow: marketTime,
    }),
    rebalances: {
      preview: rebalancing.preview,
      list: createRebalances({ store: trading, read: service.read, executed }),
    },
    results: createBotResults({ store: trading, read: service.read, candles: market.load, executed }),
    slippage: createOwnSlippage({
      decided: trading.decidedOrders,
      executed,
      candles: market.load,
      marketNow: marketTime,
    }),
    portfolio: { history, files: createBotFiles(service.list, history) },
    botPredictions: createBotPredictionService({
      store: createBotPredictionStore(db.orm, venue.name),
      read: service.read,
      predict: predictions.predict,
      pinsOf,
      now,
    }),
  }
}

export type Bots = ReturnType<typeof botsOf>
