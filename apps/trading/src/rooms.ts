import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import type { Health } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { permutationImportance } from '@shapecast/ml/evaluate/importance'
import { openModel } from '@shapecast/ml/open-model'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import type { Venue } from '@shapecast/venues/venue'
import { createAccountsRoom } from './features/accounts/accounts-room.ts'
import type { AccountMarket } from './features/accounts/market-prices.ts'
import type { BacktestBotDeps } from './features/backtest/backtest-bot.ts'
import { createBacktestDesk } from './features/backtest/backtest-desk.ts'
import { createJobStore } from './features/backtest/job-store.ts'
import { createRunStore } from './features/backtest/run-store.ts'
import { createBotDesk } from './features/bots/bot-desk.ts'
import { createBotStore } from './features/bots/bot-store.ts'
import { createBotPredictionDesk } from './features/bots/prediction-desk.ts'
import { createBotPredictionStore } from './features/bots/prediction-store.ts'
import { createDatasetDesk } from './features/datasets/dataset-desk.ts'
import { createDatasetStore } from './features/datasets/dataset-store.ts'
import { createDriftDesk } from './features/drift/drift-desk.ts'
import { createDriftStore } from './features/drift/drift-store.ts'
import { createExaminationDesk } from './features/examinations/examination-desk.ts'
import { createExaminationStore } from './features/examinations/examination-store.ts'
import { auditArtifact, examineArtifact } from './features/examinations/examine-artifact.ts'
import { createDownloadDesk } from './features/market/download-desk.ts'
import { liveMarketOf } from './features/market/live-market.ts'
import { createCheckpointStore } from './features/ml/checkpoint-store.ts'
import { judgeCandidate } from './features/ml/judge-candidate.ts'
import { createModelDesk } from './features/ml/model-desk.ts'
import { createModelStore } from './features/ml/model-store.ts'
import { createPredictors } from './features/ml/predictors.ts'
import type { SeriesCandles } from './features/ml/series-candles.ts'
import { ROUND_TRIP_COST_BPS } from './features/ml/train-artifact.ts'
import { createTrainingDesk } from './features/ml/training-desk.ts'
import { createTrainingStore } from './features/ml/training-store.ts'
import { UPLOAD_TRIAL_MS } from './features/ml/upload-limits.ts'
import { createPredictionDesk } from './features/predictions/prediction-desk.ts'
import { createPredictionStore } from './features/predictions/prediction-store.ts'
import { createOutcomeStore } from './features/record/outcome-store.ts'
import { createRecordDesk } from './features/record/record-desk.ts'
import { createRecordStore } from './features/record/record-store.ts'
import { createScoreStore } from './features/record/score-store.ts'
import { alone } from './features/record/seal-alone.ts'
import { createSealer } from './features/record/seal-predictions.ts'
import { createRegularSealing } from './features/record/seal-regularly.ts'
import { createUploadsRoom } from './uploads-room.ts'

/** Versions whose predictions go on record. */
const SEALED_STAGES = ['production', 'staging'] as const

export interface RoomDeps {
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
}

/** The venue as the rooms know it: its stored candles and its rules, under its name. */
export function marketOf(venue: Venue): SeriesCandles & BacktestBotDeps['market'] & { kind: Health['market'] } {
  return {
    venue: venue.name,
    kind: venue.kind,
    load: (symbol, timeframe, range) => venue.candles(symbol, timeframe, range),
    async rules(symbol) {
      const found = (await venue.markets()).find((market) => market.id === symbol)
      return found === undefined ? null : { lotSize: found.lotSize, minNotional: found.minNotional }
    },
  }
}

/** One process at a time holds the market against the orders that wait. */
const WATCH_LOCK = 7_365_616_102
/** One process at a time asks the exchange about real orders. */
const RECONCILE_LOCK = 7_365_616_103

/** The venue as accounts know it: its prices, its rules, and whether its candles are complete. */
function pricesOf(venue: Venue): AccountMarket {
  const live = liveMarketOf(venue)
  return {
    venue: venue.name,
    kind: venue.kind,
    now: () => venue.now(),
    markets: () => venue.markets(),
    ticker: (symbol) => venue.ticker(symbol),
    candles: (symbol, timeframe, range) => venue.candles(symbol, timeframe, range),
    newest: (symbol, timeframe) => venue.candles(symbol, timeframe, { limit: 1 }),
    missing: async (symbol, timeframe, range) => live?.filler.missing(symbol, timeframe, range) ?? 0,
  }
}

/** The rooms of this service, each handed what it needs of the others. */
export function createRooms({ db, queue, venue, log, now = Date.now, secretKey, testnet = true }: RoomDeps) {
  const market = marketOf(venue)
  const modelStore = createModelStore(db.orm, venue.name)
  const predictors = createPredictors(modelStore)
  const judging = { store: modelStore, predictors, candles: market }
  const models = createModelDesk({ db, ...judging })
  const trainingStore = createTrainingStore(db.orm)
  const checkpoints = createCheckpointStore(db.orm)
  const trainings = createTrainingDesk({ db, store: trainingStore, candles: market, queue, now })
  const examinationStore = createExaminationStore(db.orm)
  const auditing = {
    candles: market,
    open: (packed: Uint8Array) => openModel(packed, { roundTripCostBps: ROUND_TRIP_COST_BPS }),
  }
  const judge = judgeCandidate.bind(null, {
    ...judging,
    audit(candidate, signal) {
      // Whoever uploads waits for it.
      const patience = candidate.uploadedBy === undefined ? [] : [AbortSignal.timeout(UPLOAD_TRIAL_MS)]
      return auditArtifact(auditing, candidate, candidate.bytes, AbortSignal.any([signal, ...patience]))
    },
    log,
  })
  const examination = {
    db,
    store: examinationStore,
    artifacts: modelStore,
    examine: examineArtifact.bind(null, { ...auditing, importance: permutationImportance, log }),
    log,
    now,
  }
  const botStore = createBotStore(db.orm, venue.name)
  const bots = createBotDesk({ db, store: botStore, unknownVersions: modelStore.unknown, now })
  const recordStore = createRecordStore(db.orm, venue.name)
  const record = createRecordDesk({
    store: recordStore,
    scores: createScoreStore(db.orm, venue.name),
    models: modelStore.list,
    seals: (stage) => SEALED_STAGES.some((sealed) => sealed === stage),
    marketTime: () => venue.now(),
    load: market.load,
    now,
  })
  const predictionStore = createPredictionStore(db)
  const outcomeStore = createOutcomeStore(db.orm)
  const drift = createDriftDesk({
    db,
    store: createDriftStore(db.orm),
    models: () => modelStore.list(),
    cardsOf: modelStore.cardsOf,
    load: market.load,
    marketTime: () => venue.now(),
    newestScored: outcomeStore.newest,
    outcomes: outcomeStore.of,
    log,
  })
  const predictions = createPredictionDesk({
    candles: market,
    models: { currentOn: models.currentOn, requireVersion: models.requireVersion, use: predictors.use },
    sealed: { rows: record.rows, coverage: record.coverage },
    store: predictionStore,
    log,
    now,
  })
  const sealer = createSealer({
    venue: venue.name,
    store: recordStore,
    sealing: async (symbol, timeframe) => {
      const found = await modelStore.activeOn(symbol, timeframe, SEALED_STAGES)
      // Uploads last: what they take must not make ours late.
      return [
        ...found.filter(({ origin }) => origin === 'trained'),
        ...found.filter(({ origin }) => origin === 'uploaded'),
      ].map(({ id, version, hash, shown }) => ({ id, version, hash, seenToTs: shown.holdoutTo }))
    },
    forecast: predictions.forecast,
    load: market.load,
    marketTime: () => venue.now(),
    log,
    now,
  })
  const sealRegularly = createRegularSealing({
    async series() {
      const all = [...(await modelStore.activeSeries(SEALED_STAGES)), ...(await recordStore.series())]
      const named = new Map(all.map((one) => [`${one.symbol} ${one.timeframe}`, one]))
      return [...named.values()] as { symbol: string; timeframe: Timeframe }[]
    },
    marketTime: () => venue.now(),
    sealer,
    log,
  })
  const botPredictions = createBotPredictionDesk({
    store: createBotPredictionStore(db.orm, venue.name),
    read: bots.read,
    predict: predictions.predict,
    now,
  })
  const real =
    secretKey === undefined
      ? null
      : { secretKey, testnet, open: (keys: ExchangeKeys) => openTrading(venue.name, { keys, testnet }) }
  const accounts = createAccountsRoom({ db, market: pricesOf(venue), predict: predictions.predict, log, now, real })
  const datasets = createDatasetDesk({ db, store: createDatasetStore(db.orm, venue.name), candles: market, now })
  const { uploads, onnxDownloads } = createUploadsRoom({
    db,
    candles: market,
    store: modelStore,
    judge,
    botsOn: botStore.countOn,
    isOnRecord: async (version) => (await recordStore.newest(version, {}, 1)).length > 0,
    now,
  })
  const backtest: BacktestBotDeps = {
    market,
    models: {
      currentOn: models.currentOn,
      requireVersion: models.requireVersion,
      require: predictors.require,
      leaking: modelStore.leaking,
      use: predictors.use,
    },
    now,
  }
  const backtestJobs = createJobStore(db.orm)
  const backtests = createBacktestDesk({
    db,
    jobs: backtestJobs,
    runs: createRunStore(db.orm, venue.name),
    queue,
    market,
    models: backtest.models,
    bots: { read: bots.read, publicIds: botStore.publicIds },
    now,
  })
  return {
    market,
    downloads: createDownloadDesk({ db, queue, venue, now }),
    modelStore,
    models,
    predictors,
    trainingStore,
    trainings,
    checkpoints,
    examination,
    examinations: createExaminationDesk({ db, store: examinationStore, artifacts: modelStore, queue, now }),
    judge,
    uploads,
    onnxDownloads,
    predictions,
    recordStore,
    record,
    drift,
    sealer,
    /** Seals what has closed, unless another process is at it. */
    sealRegularly: () => alone(db, sealRegularly),
    bots,
    botPredictions,
    accounts,
    /** Fills orders that wait and can be filled, unless another process is at it. */
    watchOrders: () => alone(db, accounts.watchOrders, WATCH_LOCK),
    /** Looks up real orders at the exchange, unless another process is at it. */
    reconcileOrders: () => alone(db, accounts.reconcileOrders, RECONCILE_LOCK),
    datasets,
    backtest,
    backtestJobs,
    backtests,
    log,
    now,
  }
}
export type Rooms = ReturnType<typeof createRooms>
