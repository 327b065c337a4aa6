import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { CandleRow } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { notifyAll } from '@shapecast/platform/notify'
import type { Queue } from '@shapecast/platform/queue'
import type { OpenaiSettings } from '@shapecast/platform/settings'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import type { Venue } from '@shapecast/venues/venue'
import type { BacktestBotDeps } from './backtests/backtest-bot.ts'
import { createBacktestService } from './backtests/backtest-service.ts'
import { createForecastStore } from './backtests/forecast-store.ts'
import { createPreviewService } from './backtests/preview-service.ts'
import { createRunStore } from './backtests/run-store.ts'
import { type BotAbilityDeps, requireAble } from './bots/bot-ability.ts'
import { createBotControl } from './bots/bot-control.ts'
import { createBotPredictionService } from './bots/bot-prediction-service.ts'
import { createBotReads } from './bots/bot-reads.ts'
import { createBotRuntime } from './bots/bot-runtime.ts'
import { createBotService } from './bots/bot-service.ts'
import { createBotStore } from './bots/bot-store.ts'
import { createBotTrading } from './bots/bot-trading.ts'
import { createTraders } from './bots/bots-on-model.ts'
import { createBotEquity } from './bots/equity.ts'
import { forecastsForBots } from './bots/forecasts-for-bots.ts'
import { createParityCheck } from './bots/parity.ts'
import { parityDecisions } from './bots/parity-decisions.ts'
import { readPins } from './bots/pinned-models.ts'
import { createPolicyHistory } from './bots/policy-history.ts'
import { createBotPredictionStore } from './bots/prediction-store.ts'
import { createRealBotRooms, obstacleToDelete } from './bots/real-bot-rooms.ts'
import type { RealRuntimeDeps } from './bots/real-runtime.ts'
import { createRuntimeStore } from './bots/runtime-store.ts'
import { createTradingStore } from './bots/trading-store.ts'
import { createCallStore } from './forecasts/openai/call-store.ts'
import { serverOf } from './forecasts/openai/open-openai.ts'
import { createOpenaiService } from './forecasts/openai/openai-service.ts'
import { alone } from './ground/alone.ts'
import { createJobs } from './ground/jobs/jobs.ts'
import { freshTicker, pricesOf } from './ledger/market-prices.ts'
import { createCloseHandler } from './market/closes/handle-close.ts'
import { createDatasetService } from './market/datasets/dataset-service.ts'
import { createDatasetStore } from './market/datasets/dataset-store.ts'
import { createDownloadService } from './market/download-service.ts'
import type { EventHub } from './market/feed/event-hub.ts'
import { marketOf } from './market/series-market.ts'
import { createModelRooms } from './model-rooms.ts'
import { createAccountsRoom } from './orders/accounts-room.ts'
import { createRecordRooms, SEALED_STAGES } from './record-rooms.ts'
import { createUploadsRoom } from './uploads-room.ts'

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
  /** Addresses in place of the sandbox's own, in the form of ccxt's `urls`. */
  sandboxUrls?: object | null | undefined
  /** Hears of jobs that end; without it they are looked at now and then. */
  hub?: Pick<EventHub, 'jobEnded'> | undefined
  /** The language model of openai bots; without it they hold. */
  openai?: OpenaiSettings | undefined
  /** The candle of a series that forms, as the feed announces it; without it bots act at closes alone. */
  forming?: ((symbol: string, timeframe: Timeframe) => CandleRow | null) | undefined
  /** How long a call that waits for its backtest does, ms; 25 s. */
  backtestWaitMs?: number | undefined
}

/** One process at a time holds the market against the orders that wait. */
const WATCH_LOCK = 7_365_616_102
/** One process at a time asks the exchange about real orders. */
const RECONCILE_LOCK = 7_365_616_103
/** One process at a time watches bots between closes. */
const BOTS_LOCK = 7_365_616_104

/** The rooms of this service, each handed what it needs of the others. */
export function createRooms(deps: RoomDeps) {
  const { db, queue, venue, log, now = Date.now, secretKey, testnet = true, sandboxUrls } = deps
  const sandbox = testnet && sandboxUrls ? { urls: sandboxUrls } : {}
  const market = marketOf(venue)
  const traders = createTraders(db.orm, venue.name)
  const jobs = createJobs({ db, queue, log, now })
  const modelRooms = createModelRooms({ db, queue, market, traders, log, now })
  const { modelStore, models, predictors, judge } = modelRooms
  const recordRooms = createRecordRooms({
    db,
    venue,
    market,
    tellTraders: traders.tell,
    modelStore,
    models,
    predictors,
    log,
    now,
  })
  const { recordStore, predictions } = recordRooms
  const real =
    secretKey === undefined
      ? null
      : {
          secretKey,
          testnet,
          open: (keys: ExchangeKeys, marketType: RealMarket) =>
            openTrading(venue.name, { keys, testnet, marketType, ...sandbox }),
        }
  const accounts = createAccountsRoom({ db, market: pricesOf(venue), predict: predictions.predict, log, now, real })
  const botStore = createBotStore(db.orm, venue.name, accounts.bots)
  const tradingStore = createTradingStore(db.orm, accounts.bots)
  const price = async (symbol: string) => (await venue.ticker(symbol)).last
  const equity = createBotEquity({
    db: db.orm,
    accounts: accounts.bots,
    bots: botStore,
    states: tradingStore,
    price,
    futuresPrice: (bot, symbol) => realBots.futuresPrice(bot, symbol),
    rules: market.rules,
    predicting: models.predicting,
  })
  const ability: BotAbilityDeps = {
    requireSymbol: market.requireSymbol,
    currentModel: models.predictingOn,
    openaiReady: deps.openai !== undefined,
  }
  const downloads = createDownloadService({ db, jobs, venue })
  const fetchHistory = createPolicyHistory({ venue, downloads, log })
  const marketNow = () => venue.now()
  const replayNow = async () => (venue.kind === 'replay' ? venue.now() : null)
  const bots = createBotService({
    db,
    store: botStore,
    equity,
    fetchHistory,
    unknownVersions: modelStore.unknown,
    requireAble: (bot) => requireAble(ability, bot),
    async smallestOrder(pairs) {
      const rules = await Promise.all(pairs.map(market.rules))
      return Math.max(0, ...rules.map((found) => found?.minNotional ?? 0))
    },
    obstacleToDelete: (botId) => obstacleToDelete(botId, { orders: accounts.realBots, store: tradingStore }),
    marketNow,
    replayNow,
    now,
  })
  const pinsOf = (botId: string) => readPins(db.orm, botId)
  const botPredictions = createBotPredictionService({
    store: createBotPredictionStore(db.orm, venue.name),
    read: bots.read,
    predict: predictions.predict,
    pinsOf,
    now,
  })
  const openai = createOpenaiService({
    store: createCallStore(db),
    server: deps.openai === undefined ? null : serverOf(deps.openai),
    now,
  })
  const runtimeStore = createRuntimeStore(db.orm, venue.name)
  const botMarket = { now: marketNow, speed: venue.speed, load: market.load, rules: market.rules, price }
  const deciding: Omit<RealRuntimeDeps, 'accounts' | 'market'> = {
    db,
    store: runtimeStore,
    askOpenai: openai.askForDecision,
    tell: async (tx, news) => {
      const marketAtMs = await replayNow()
      await notifyAll(
        tx,
        news.map((one) => ({ ...one, marketAtMs })),
        now(),
      )
    },
    forecast: forecastsForBots(predictions.forecast),
    currentModel: models.predictingOn,
    log,
    now,
  }
  const runtime = createBotRuntime({
    ...deciding,
    replayNow,
    books: accounts.bots,
    market: { ...botMarket, forming: deps.forming ?? (() => null) },
  })
  const backtest: BacktestBotDeps = {
    market,
    models: {
      currentOn: models.currentOn,
      requireVersion: models.requireVersion,
      require: predictors.require,
      find: predictors.find,
      use: predictors.use,
    },
    kept: createForecastStore(db),
    keptVotes: openai.keptVotes,
    now,
  }
  const realBots = createRealBotRooms({
    ...deciding,
    accounts,
    bots: botStore,
    market: { ...botMarket, price: async (symbol) => (await freshTicker(pricesOf(venue), symbol))?.last ?? null },
  })
  const botTrading = {
    runtime,
    control: createBotControl({
      db,
      store: botStore,
      equity,
      fetchHistory,
      unknownVersions: modelStore.unknown,
      ...ability,
      predicting: models.predicting,
      replayNow,
      real: realBots.entry,
      trading: createBotTrading({ store: tradingStore, watches: runtimeStore, marketNow, now }),
    }),
    parity: createParityCheck({
      store: tradingStore,
      find: botStore.find,
      rules: market.rules,
      decisions: parityDecisions({ backtest, predictors, pinsOf }),
    }),
    reads: createBotReads({
      store: tradingStore,
      bots: botStore,
      equity,
      read: bots.read,
      candles: market.load,
      orders: accounts.ordersOfBot,
      marketNow,
    }),
  }
  const handleClose = createCloseHandler({
    venue: venue.name,
    seal: recordRooms.sealer.sealPredictions,
    decide: (timeframe) => runtime.decideDue(timeframe, 'ml'),
    log,
  })
  const datasets = createDatasetService({ db, store: createDatasetStore(db.orm, venue.name), candles: market, now })
  const { uploads, onnxDownloads } = createUploadsRoom({
    db,
    candles: market,
    store: modelStore,
    judge,
    botsOn: botStore.countOn,
    isOnRecord: async (version) => (await recordStore.newest(version, {}, 1)).length > 0,
    now,
  })
  const backtests = createBacktestService({
    db,
    jobs,
    runs: createRunStore(db.orm),
    market,
    models: backtest.models,
    bots: { read: bots.read, publicIds: botStore.publicIds },
    hasKeptVotes: openai.hasKeptVotes,
    longestWaitMs: deps.backtestWaitMs,
    ended: deps.hub?.jobEnded,
  })
  return {
    market,
    jobs,
    downloads,
    ...modelRooms,
    ...recordRooms,
    handleClose,
    /** The series at whose closes something is decided, sealed or scored. */
    async seriesInUse(): Promise<{ symbol: string; timeframe: Timeframe }[]> {
      const [ofBots, ofModels, ofRecord] = await Promise.all([
        botStore.seriesInUse(),
        modelStore.activeSeries(SEALED_STAGES),
        recordStore.series(),
      ])
      const all = [...ofBots, ...ofModels, ...ofRecord]
      return [...new Map(all.map((one) => [`${one.symbol} ${one.timeframe}`, one])).values()]
    },
    uploads,
    onnxDownloads,
    bots,
    botPredictions,
    botTrading,
    killSwitch: realBots.killSwitch,
    openai,
    accounts,
    /** Fills orders that wait and can be filled, unless another process is at it. */
    watchOrders: () => alone(db, accounts.watchOrders, WATCH_LOCK),
    /** Lets bots act on the candles that form, unless another process is at it. */
    watchBots: () => alone(db, runtime.watch, BOTS_LOCK),
    advanceRealBots: realBots.advance,
    /** Looks up real orders at the exchange, unless another process is at it. */
    reconcileOrders: () => alone(db, accounts.reconcileOrders, RECONCILE_LOCK),
    datasets,
    backtest: { ...backtest, isPublicBot: botStore.isPublic },
    backtests,
    previews: createPreviewService({ market }),
    log,
    now,
  }
}
export type Rooms = ReturnType<typeof createRooms>
