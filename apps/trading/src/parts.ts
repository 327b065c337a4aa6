import { createAlertService } from './alerts/alert-service.ts'
import type { WatchDeps } from './alerts/watch-alerts.ts'
import { createWatchedBots } from './alerts/watched-bots.ts'
import { createPreviewService } from './backtests/preview-service.ts'
import { createBotsInChat } from './bots/bots-in-chat.ts'
import { botsPinnedTo } from './bots/bots-on-model.ts'
import { createEvidenceWatch } from './bots/evidence-watch.ts'
import { createEquityKeeper } from './bots/keep-equity.ts'
import { statesOf } from './forecasts/drift/drift-store.ts'
import { createBatchService } from './lab/batch-service.ts'
import { createWalkService, type LabDeps } from './lab/walk-service.ts'
import { createChartService } from './market/charts/chart-service.ts'
import { createCloseHandler } from './market/closes/handle-close.ts'
import { createDatasetService } from './market/datasets/dataset-service.ts'
import { createDownloadService } from './market/download-service.ts'
import { createRetrainingService } from './models/retraining/retraining-service.ts'
import { createUploadService } from './models/uploads/upload-service.ts'
import { accountsOf } from './parts/accounts.ts'
import { backtestOf, backtestsOf } from './parts/backtests.ts'
import { botsOf } from './parts/bots.ts'
import { type Forecasts, forecastsOf } from './parts/forecasts.ts'
import { type Ground, groundOf, type TradingDeps } from './parts/ground.ts'
import { type Models, modelsOf } from './parts/models.ts'
import { type KeptBots, keptBotsOf, runningBotsOf } from './parts/running-bots.ts'
import { createRuleService } from './rules/rule-service.ts'
import { createSearchService } from './search/search-service.ts'

/** Candles of a prediction that an alert asks for: as many as the dashboard. */
const ALERT_CANDLES = 500

const uploadsOf = (
  { db, market, now }: Ground,
  { modelStore, judge }: Models,
  forecasts: Forecasts,
  kept: KeptBots,
) => {
  const botsOn = kept.store.countOn
  const isOnRecord = async (version: string) => (await forecasts.recordStore.newest({ version }, 1)).length > 0
  const standing = { botsOn, botsPinnedTo, isOnRecord }
  return createUploadService({ db, models: modelStore, candles: market, judge, ...standing, now })
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
    alerts: once(() => createAlertService({ ...market, db, findBot: kept().store.find, now })),
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
        modelStore: models().modelStore,
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
        driftOf: statesOf.bind(null, db.orm),
      }),
    ),
    previews: once(() => createPreviewService({ db, market, now })),
    charts: once(() => createChartService({ ...market, orm: db.orm })),
    datasets: once(() => createDatasetService({ db, candles: market, now })),
    handleClose: once(() =>
      createCloseHandler({
        venue: venue.name,
        seal: forecasts().seal,
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
