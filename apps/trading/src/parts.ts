import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { CandleRow } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { openModel } from '@shapecast/ml/open-model'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { notifyAll } from '@shapecast/platform/notify'
import type { Queue } from '@shapecast/platform/queue'
import type { OpenaiSettings } from '@shapecast/platform/settings'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import type { Venue } from '@shapecast/venues/venue'
import { createAlertService } from './alerts/alert-service.ts'
import type { WatchDeps } from './alerts/watch-alerts.ts'
import { createWatchedBots } from './alerts/watched-bots.ts'
import type { BacktestWorkDeps } from './backtests/backtest-job.ts'
import { createBacktestService } from './backtests/backtest-service.ts'
import { createForecastStore } from './backtests/forecast-store.ts'
import type { BacktestBotDeps } from './backtests/prepare-pair.ts'
import { createPreviewService } from './backtests/preview-service.ts'
import { createRunStore } from './backtests/run-store.ts'
import { type BotAbilityDeps, requireAble } from './bots/bot-ability.ts'
import { createBotControl } from './bots/bot-control.ts'
import { createBotEvidence } from './bots/bot-evidence.ts'
import { createBotPredictionService } from './bots/bot-prediction-service.ts'
import { createBotReads } from './bots/bot-reads.ts'
import { createBotResults } from './bots/bot-results.ts'
import type { RuntimeDeps } from './bots/bot-runtime.ts'
import { createBotService } from './bots/bot-service.ts'
import { createBotStore } from './bots/bot-store.ts'
import { createBotTrading } from './bots/bot-trading.ts'
import { createBotWeights } from './bots/bot-weights.ts'
import { createBotsInChat } from './bots/bots-in-chat.ts'
import { botsPinnedTo, createTraders } from './bots/bots-on-model.ts'
import { createCloses } from './bots/decide-closes.ts'
import { createBotEquity } from './bots/equity.ts'
import { createEvidenceWatch } from './bots/evidence-watch.ts'
import { obstacleToDelete } from './bots/exchange-entry.ts'
import { forecastsForBots } from './bots/forecasts-for-bots.ts'
import { createEquityKeeper } from './bots/keep-equity.ts'
import { createOwnSlippage } from './bots/own-slippage.ts'
import { createPaperExecution } from './bots/paper-execution.ts'
import { createParityCheck } from './bots/parity.ts'
import { parityDecisions } from './bots/parity-decisions.ts'
import { readPins } from './bots/pinned-models.ts'
import { createPolicyHistory } from './bots/policy-history.ts'
import { createPortfolioHistory } from './bots/portfolio-history.ts'
import { createBotPredictionStore } from './bots/prediction-store.ts'
import { createRealBots } from './bots/real-bots.ts'
import { createRebalances } from './bots/rebalances.ts'
import { createRebalancing } from './bots/rebalancing.ts'
import { createRuntimeStore } from './bots/runtime-store.ts'
import { createTradingStore } from './bots/trading-store.ts'
import { createExchange } from './exchange/exchange.ts'
import type { RealTrading } from './exchange/venue-accounts.ts'
import { createDriftService } from './forecasts/drift/drift-service.ts'
import { createDriftStore } from './forecasts/drift/drift-store.ts'
import { createCallStore } from './forecasts/openai/call-store.ts'
import { serverOf } from './forecasts/openai/open-openai.ts'
import { createOpenaiService } from './forecasts/openai/openai-service.ts'
import { createPredictionService } from './forecasts/prediction-service.ts'
import { createPredictionStore } from './forecasts/prediction-store.ts'
import { createOutcomeStore } from './forecasts/record/outcome-store.ts'
import { createRecordService } from './forecasts/record/record-service.ts'
import { createRecordStore } from './forecasts/record/record-store.ts'
import { createScoreStore } from './forecasts/record/score-store.ts'
import { createSealer } from './forecasts/record/seal-predictions.ts'
import { createJobs } from './ground/jobs/jobs.ts'
import { createBatchService } from './lab/batch-service.ts'
import { createWalkService, type LabDeps } from './lab/walk-service.ts'
import { createLedger } from './ledger/ledger.ts'
import { freshTicker, pricesOf } from './ledger/market-prices.ts'
import { createChartService } from './market/charts/chart-service.ts'
import { createCloseHandler } from './market/closes/handle-close.ts'
import { createDatasetService } from './market/datasets/dataset-service.ts'
import { createDatasetStore } from './market/datasets/dataset-store.ts'
import { createDownloadService, type DownloadService } from './market/download-service.ts'
import type { EventHub } from './market/feed/event-hub.ts'
import { createFinerCandles } from './market/finer-candles.ts'
import { createStoredFunding } from './market/funding/funding-store.ts'
import { marketOf } from './market/series-market.ts'
import { createCheckpointStore } from './models/checkpoint-store.ts'
import { createImportanceService } from './models/importance/importance-service.ts'
import { measureArtifact } from './models/importance/measure-artifact.ts'
import { judgeArtifact } from './models/judge-artifact.ts'
import { createModelService } from './models/model-service.ts'
import { createModelStore } from './models/model-store.ts'
import { createPredictors } from './models/predictors.ts'
import { recipeOf } from './models/recipes.ts'
import { createRetrainingService } from './models/retraining/retraining-service.ts'
import { ROUND_TRIP_COST_BPS, trainArtifact } from './models/train-artifact.ts'
import { secondsACandle } from './models/training-reads.ts'
import { trainingWork } from './models/training-run.ts'
import { createTrainingService } from './models/training-service.ts'
import { createOnnxDownloads } from './models/uploads/onnx-download.ts'
import { createUploadService } from './models/uploads/upload-service.ts'
import { createUploadedArtifacts } from './models/uploads/uploaded-artifacts.ts'
import { createOrders } from './orders/orders.ts'
import { createRuleService } from './rules/rule-service.ts'
import { createSearchService } from './search/search-service.ts'

export interface TradingDeps {
  db: Database
  queue: Queue
  venue: Venue
  log: Logger
  /** Time in ms. */
  now?: (() => number) | undefined
  /** Encrypts API keys of the exchange; without it there are no real orders. */
  secretKey?: string | undefined
  /** Whether real orders go to the exchange's sandbox; they do unless this is false. */
  testnet?: boolean | undefined
  /** Addresses in place of the sandbox's own, in the form of ccxt's `urls`. */
  sandboxUrls?: object | null | undefined
  /** Where live updates come in; without it there are none, and ends of jobs are looked for now and then. */
  hub?: EventHub | undefined
  /** The language model of openai bots; without it they hold. */
  openai?: OpenaiSettings | undefined
  /** The candle of a series that forms, as the feed announces it; without it bots act at closes alone. */
  forming?: ((symbol: string, timeframe: Timeframe) => CandleRow | null) | undefined
  /** How long a call that waits for its backtest does, ms; 25 s. */
  backtestWaitMs?: number | undefined
}

/** Candles of a prediction that an alert asks for: as many as the dashboard. */
const ALERT_CANDLES = 500

/** What every floor stands on. */
const groundOf = ({ db, queue, venue, log, now = Date.now }: TradingDeps) => {
  const fundingOf = createStoredFunding(db.orm, venue.name)
  return {
    db,
    queue,
    venue,
    log,
    now,
    jobs: createJobs({ db, queue, log, now }),
    fundingOf,
    market: marketOf(venue, fundingOf),
    marketTime: () => venue.now(),
    /** The clock of a replay, ms; null on every other market. */
    replayNow: async () => (venue.kind === 'replay' ? venue.now() : null),
    traders: createTraders(db.orm, venue.name),
  }
}
type Ground = ReturnType<typeof groundOf>

const modelsOf = ({ db, jobs, market, traders, log, now }: Ground) => {
  const modelStore = createModelStore(db.orm, market.venue)
  const predictors = createPredictors(modelStore, market)
  const judging = { store: modelStore, predictors, candles: market }
  const judge = judgeArtifact.bind(null, judging)
  return {
    modelStore,
    predictors,
    models: createModelService({ db, ...judging, traders, now }),
    trainings: createTrainingService({ db, jobs, candles: market }),
    training: trainingWork({
      checkpoints: createCheckpointStore(db.orm),
      candles: market,
      train: trainArtifact,
      judge,
      traders,
      log,
      now,
    }),
    importances: createImportanceService({ db, jobs, artifacts: modelStore }),
    measuring: {
      artifacts: modelStore,
      measure: measureArtifact.bind(null, {
        candles: market,
        open: (packed) => openModel(packed, { roundTripCostBps: ROUND_TRIP_COST_BPS }),
      }),
    },
    judge,
  }
}
type Models = ReturnType<typeof modelsOf>

const forecastsOf = (ground: Ground, { modelStore, models, predictors }: Models, deps: TradingDeps) => {
  const { db, market, marketTime, traders, log, now } = ground
  const { venue, load } = market
  const recordStore = createRecordStore(db.orm, venue)
  const scores = createScoreStore(db.orm, venue)
  const record = createRecordService({ store: recordStore, scores, models: modelStore.list, marketTime, load, now })
  const predictions = createPredictionService({
    candles: market,
    models: { currentOn: models.currentOn, requireVersion: models.requireVersion, use: predictors.use },
    sealed: { rows: record.rows, coverage: record.coverage },
    store: createPredictionStore(db),
    log,
    now,
  })
  const outcomes = createOutcomeStore(db.orm)
  return {
    recordStore,
    record,
    predictions,
    drift: createDriftService({
      db,
      store: createDriftStore(db.orm),
      models: () => modelStore.list(),
      cardsOf: modelStore.cardsOf,
      newestScored: outcomes.newest,
      outcomes: outcomes.of,
      notifyTraders: traders.tell,
      load,
      marketTime,
      log,
      now,
    }),
    sealer: createSealer({
      venue,
      store: recordStore,
      models: modelStore,
      forecast: predictions.forecast,
      load,
      marketTime,
      log,
      now,
    }),
    openai: createOpenaiService({
      store: createCallStore(db),
      server: deps.openai === undefined ? null : serverOf(deps.openai),
      now,
    }),
  }
}
type Forecasts = ReturnType<typeof forecastsOf>

const realOf = ({ secretKey, testnet = true, sandboxUrls, venue }: TradingDeps): RealTrading | null => {
  if (secretKey === undefined) return null
  const sandbox = testnet && sandboxUrls ? { urls: sandboxUrls } : {}
  const open = (keys: ExchangeKeys, marketType: RealMarket) =>
    openTrading(venue.name, { keys, testnet, marketType, ...sandbox })
  return { secretKey, testnet, open }
}

const accountsOf = ({ db, venue, log, now }: Ground, { predictions }: Forecasts, deps: TradingDeps) => {
  const ledger = createLedger({ db, market: pricesOf(venue), log, now })
  const exchange = createExchange(ledger, realOf(deps))
  return { ledger, exchange, orders: createOrders(ledger, exchange, predictions.predict) }
}
type Accounts = ReturnType<typeof accountsOf>

const backtestOf = (
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

const backtestsOf = (
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

/** What is kept of bots, and what they are worth. */
const keptBotsOf = ({ db, venue, market }: Ground, { models }: Models, { ledger, exchange }: Accounts) => {
  const store = createBotStore(db.orm, venue.name, ledger.bots)
  const trading = createTradingStore(db.orm, ledger.bots)
  const price = async (symbol: string) => (await venue.ticker(symbol)).last
  const equity = createBotEquity({
    db: db.orm,
    accounts: ledger.bots,
    bots: store,
    states: trading,
    price,
    futuresPrice: exchange.valuedAt,
    rules: market.rules,
    predicting: models.predicting,
  })
  return { store, trading, runtime: createRuntimeStore(db.orm, venue.name), equity, price }
}
type KeptBots = ReturnType<typeof keptBotsOf>

/** What decides and trades for bots, on paper and at the exchange. */
const runningBotsOf = (
  { db, venue, market, marketTime, replayNow, log, now }: Ground,
  { models }: Models,
  { predictions, openai }: Forecasts,
  { ledger, exchange }: Accounts,
  kept: KeptBots,
  forming: TradingDeps['forming'],
) => {
  const deciding: RuntimeDeps = {
    db,
    store: kept.runtime,
    replayNow,
    async tell(tx, news) {
      const marketAtMs = await replayNow()
      const told = news.map((one) => ({ ...one, marketAtMs }))
      await notifyAll(tx, told, now())
    },
    log,
    now,
  }
  const botMarket = { now: marketTime, speed: venue.speed, load: market.load, rules: market.rules, price: kept.price }
  const paper = createPaperExecution({
    ...deciding,
    ledger: ledger.bots,
    market: { ...botMarket, forming: forming ?? (() => null) },
  })
  const realBots = createRealBots({
    ...deciding,
    exchange,
    bots: kept.store,
    market: { ...botMarket, price: async (symbol) => (await freshTicker(ledger.market, symbol))?.last ?? null },
  })
  const asked = { askOpenai: openai.askForDecision, currentModel: models.predictingOn }
  return {
    deciding,
    paper,
    realBots,
    closes: createCloses({
      ...asked,
      forecast: forecastsForBots(predictions.forecast),
      market: botMarket,
      store: kept.runtime,
      paper,
      exchange: realBots.execution,
      log,
    }),
  }
}
type RunningBots = ReturnType<typeof runningBotsOf>

/** What people do with bots and see of them. */
const botsOf = (
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
    obstacleToDelete: (botId) => obstacleToDelete(botId, { orders: exchange.realBots, store: trading }),
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
      averages: (ids) => ledger.orders.averages(db.orm, ids),
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
      list: createRebalances({
        store: trading,
        read: service.read,
        executed: (wanted) => ledger.orders.executed(db.orm, wanted),
      }),
    },
    results: createBotResults({
      store: trading,
      read: service.read,
      candles: market.load,
      slippage: (decided) => ledger.orders.slippage(db.orm, decided),
    }),
    slippage: createOwnSlippage({
      decided: trading.decidedOrders,
      filled: (ids) => ledger.orders.averages(db.orm, ids),
      candles: market.load,
      marketNow: marketTime,
    }),
    history: createPortfolioHistory({
      orm: db.orm,
      kept: ledger.equity,
      bots: store,
      states: trading,
      equity,
      candles: market.load,
      marketNow: marketTime,
    }),
    botPredictions: createBotPredictionService({
      store: createBotPredictionStore(db.orm, venue.name),
      read: service.read,
      predict: predictions.predict,
      pinsOf,
      now,
    }),
  }
}

type Bots = ReturnType<typeof botsOf>

const uploadsOf = (
  { db, market, now }: Ground,
  { modelStore, judge }: Models,
  forecasts: Forecasts,
  kept: KeptBots,
) => {
  const botsOn = kept.store.countOn
  const isOnRecord = async (version: string) => (await forecasts.recordStore.newest(version, {}, 1)).length > 0
  const models = createUploadedArtifacts(db.orm, modelStore, { botsOn, isOnRecord })
  return {
    uploads: createUploadService({ db, models, candles: market, judge, botsOn, botsPinnedTo, now }),
    onnxDownloads: createOnnxDownloads(models),
  }
}

/** The parts of the trading service in one process. Each is made when it is first asked for, once. */
export function createParts(deps: TradingDeps) {
  const ground = groundOf(deps)
  const { db, venue, market, log, now } = ground
  const models = once(() => modelsOf(ground))
  const forecasts = once(() => forecastsOf(ground, models(), deps))
  const accounts = once(() => accountsOf(ground, forecasts(), deps))
  const downloads = once(() => createDownloadService(ground))
  const kept = once(() => keptBotsOf(ground, models(), accounts()))
  const running = once(() => runningBotsOf(ground, models(), forecasts(), accounts(), kept(), deps.forming))
  const backtest = once(() => backtestOf(ground, models(), forecasts(), kept()))
  const bots = once(() => {
    const able = deps.openai !== undefined
    return botsOf(
      { ...ground, downloads: downloads() },
      models(),
      forecasts(),
      accounts(),
      kept(),
      running(),
      backtest(),
      able,
    )
  })
  return {
    ...ground,
    models,
    forecasts,
    accounts,
    downloads,
    running,
    bots,
    backtest,
    alerts: once(() =>
      createAlertService({
        db,
        venue: venue.name,
        requireSymbol: market.requireSymbol,
        findBot: kept().store.find,
        now,
      }),
    ),
    /** What the watch over alerts looks at. */
    watching: once(
      (): WatchDeps => ({
        db,
        venue: venue.name,
        candles: market,
        price: kept().price,
        signal: async (symbol, timeframe) =>
          (await forecasts().predictions.predict({ symbol, timeframe, limit: ALERT_CANDLES })).signal,
        watchedBot: createWatchedBots({ orm: db.orm, ...kept(), venue: venue.name }),
        marketNow: ground.marketTime,
        log,
        now,
      }),
    ),
    botsInChat: once(() => createBotsInChat({ ...bots(), killSwitch: running().realBots.killSwitch })),
    evidenceWatch: once(() =>
      createEvidenceWatch({
        ...running().deciding,
        bots: kept().store,
        evidence: bots().evidence,
        marketNow: ground.marketTime,
      }),
    ),
    keepEquity: once(() =>
      createEquityKeeper({
        db,
        kept: accounts().ledger.equity,
        bots: kept().store,
        equity: kept().equity,
        users: accounts().orders.account.worths,
        marketNow: ground.marketTime,
        speed: venue.speed,
      }),
    ),
    backtests: once(() => backtestsOf(ground, forecasts(), kept(), bots(), backtest(), deps)),
    lab: once(() => {
      const labDeps: LabDeps = {
        db,
        jobs: ground.jobs,
        market,
        models: backtest().models,
        recipe: recipeOf.bind(null, models().modelStore),
        secondsACandle: secondsACandle.bind(null, db.orm),
      }
      return {
        deps: labDeps,
        walks: createWalkService(labDeps),
        batches: createBatchService({ ...labDeps, readBot: bots().bots.read }),
      }
    }),
    rules: once(() => createRuleService({ db, now })),
    searches: once(() =>
      createSearchService({ db, jobs: ground.jobs, market, models: backtest().models, createBot: bots().bots.create }),
    ),
    uploads: once(() => uploadsOf(ground, models(), forecasts(), kept())),
    retraining: once(() =>
      createRetrainingService({
        ...ground,
        models: models().modelStore,
        trainings: models().trainings,
        driftOf: createDriftStore(db.orm).of,
      }),
    ),
    previews: once(() => createPreviewService({ db, market, now })),
    charts: once(() => createChartService({ orm: db.orm, venue: venue.name, requireSymbol: market.requireSymbol })),
    datasets: once(() =>
      createDatasetService({ db, store: createDatasetStore(db.orm, venue.name), candles: market, now }),
    ),
    handleClose: once(() =>
      createCloseHandler({
        venue: venue.name,
        seal: forecasts().sealer.sealPredictions,
        decide: (timeframe) => running().closes.decideDue(timeframe),
        log,
      }),
    ),
  }
}
export type Parts = ReturnType<typeof createParts>

function once<T>(make: () => T): () => T {
  let made: { readonly part: T } | undefined
  return () => {
    made ??= { part: make() }
    return made.part
  }
}
