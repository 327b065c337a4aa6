import { forecastsForBots } from '../bots/forecasts-for-bots.ts'
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
  const { db, market, traders } = ground
  const { venue, load } = market
  const recordStore = createRecordStore(db.orm, venue)
  const scores = createScoreStore(db.orm, venue)
  const record = createRecordService({ ...ground, store: recordStore, scores, models: modelStore.list, load })
  const predictions = createPredictionService({
    ...ground,
    candles: market,
    models: { ...models, use: predictors.use },
    sealed: record,
    store: createPredictionStore(db),
  })
  return {
    recordStore,
    record,
    predictions,
    forBots: forecastsForBots(predictions.forecast),
    drift: createDriftService({
      ...ground,
      models: modelStore,
      outcomes: createOutcomeStore(db.orm),
      notifyTraders: traders.tell,
      load,
    }),
    seal: createSealer({
      ...ground,
      venue,
      store: recordStore,
      models: modelStore,
      forecast: predictions.forecast,
      load,
    }),
    openai: createOpenaiService({
      ...ground,
      store: createCallStore(db),
      server: deps.openai === undefined ? null : serverOf(deps.openai),
    }),
  }
}
export type Forecasts = ReturnType<typeof forecastsOf>
