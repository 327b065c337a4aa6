import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Venue } from '@shapecast/venues/venue'
import { createDriftService } from './forecasts/drift/drift-service.ts'
import { createDriftStore } from './forecasts/drift/drift-store.ts'
import { createPredictionService } from './forecasts/prediction-service.ts'
import { createPredictionStore } from './forecasts/prediction-store.ts'
import { createOutcomeStore } from './forecasts/record/outcome-store.ts'
import { createRecordService } from './forecasts/record/record-service.ts'
import { createRecordStore } from './forecasts/record/record-store.ts'
import { createScoreStore } from './forecasts/record/score-store.ts'
import { createSealer } from './forecasts/record/seal-predictions.ts'
import type { SeriesMarket } from './market/series-market.ts'
import type { ModelRooms } from './model-rooms.ts'
import type { Traders } from './models/traders.ts'

/** Versions whose predictions go on record. */
export const SEALED_STAGES = ['production', 'staging'] as const

export interface RecordRoomDeps extends Pick<ModelRooms, 'modelStore' | 'models' | 'predictors'> {
  db: Database
  venue: Venue
  market: SeriesMarket
  tellTraders: Traders['tell']
  log: Logger
  now(): number
}

/** Forecasts: made when asked, put on record as candles close, scored and watched. */
export function createRecordRooms(deps: RecordRoomDeps) {
  const { db, venue, market, tellTraders, modelStore, models, predictors, log, now } = deps
  const recordStore = createRecordStore(db.orm, venue.name)
  const record = createRecordService({
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
  const drift = createDriftService({
    db,
    store: createDriftStore(db.orm),
    tellTraders,
    models: () => modelStore.list(),
    cardsOf: modelStore.cardsOf,
    load: market.load,
    marketTime: () => venue.now(),
    newestScored: outcomeStore.newest,
    outcomes: outcomeStore.of,
    log,
    now,
  })
  const predictions = createPredictionService({
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
  return {
    recordStore,
    record,
    predictions,
    drift,
    sealer,
  }
}
