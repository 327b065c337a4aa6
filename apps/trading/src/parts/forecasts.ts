import { createDriftService } from '../forecasts/drift/drift-service.ts'
import { createCallStore } from '../forecasts/openai/call-store.ts'
import { createOpenaiService, serverOf } from '../forecasts/openai/openai-service.ts'
import { createPredictionService } from '../forecasts/prediction-service.ts'
import { createPredictionStore } from '../forecasts/prediction-store.ts'
import { createOutcomeStore } from '../forecasts/record/outcome-store.ts'
import { createRecordService } from '../forecasts/record/record-service.ts'
import { createRecordStore } from '../forecasts/record/record-store.ts'
import { createScoreStore } from '../forecasts/record/score-store.ts'
import { createSealer } from '../forecasts/record/seal-predictions.ts'
import type { Ground, TradingDeps } from './ground.ts'
import type { Models } from './models.ts'

export const forecastsOf = (ground: Ground, { modelStore, models, predictors }: Models, deps: TradingDeps) => {
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
  return {
    recordStore,
    record,
    predictions,
    drift: createDriftService({
      db,
      models: modelStore,
      outcomes: createOutcomeStore(db.orm),
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
export type Forecasts = ReturnType<typeof forecastsOf>
