import { predictionColumns, toColumns } from '@shapecast/contracts/prediction-columns'
import {
  policyShare,
  predict,
  predictCloud,
  predictionRanges,
  predictions,
  predictMulti,
} from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { CheckedJson, registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { PredictionService } from './prediction-service.ts'

/** Forecasts: now, by several versions, as a fan, and candle by candle. */
export function predictionRoutes(app: ServiceApp, service: PredictionService): void {
  registerEndpoint(app, predict, ({ body }) => service.predict(body))
  registerEndpoint(app, predictMulti, ({ body }) => service.predictMulti(body))
  registerEndpoint(app, predictCloud, ({ body }) => service.cloud({ ...body, version: body.params.version }))
  registerEndpoint(app, predictionRanges, ({ query }) => service.ranges(query))
  registerEndpoint(app, policyShare, ({ query }) => service.policyShare(query))
  // Thousands of rows of plain numbers that this program itself has made: what they are is held by a test, not row by row.
  registerEndpoint(app, predictions, async ({ query }) => new CheckedJson(JSON.stringify(await service.history(query))))
  registerEndpoint(app, predictionColumns, async ({ query }) => {
    const columns = toColumns(await service.history(query), TIMEFRAME_MS[query.timeframe])
    return new CheckedJson(JSON.stringify(columns))
  })
}
