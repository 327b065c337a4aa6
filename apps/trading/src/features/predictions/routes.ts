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
import type { PredictionDesk } from './prediction-desk.ts'

/** Forecasts: now, by several versions, as a fan, and candle by candle. */
export function predictionRoutes(app: ServiceApp, desk: PredictionDesk): void {
  registerEndpoint(app, predict, ({ body }) => desk.predict(body))
  registerEndpoint(app, predictMulti, ({ body }) => desk.predictMulti(body))
  registerEndpoint(app, predictCloud, ({ body }) => desk.cloud({ ...body, version: body.params.version }))
  registerEndpoint(app, predictionRanges, ({ query }) => desk.ranges(query))
  registerEndpoint(app, policyShare, ({ query }) => desk.policyShare(query))
  // Thousands of rows of plain numbers that this program itself has made: what they are is held by a test, not row by row.
  registerEndpoint(app, predictions, async ({ query }) => new CheckedJson(JSON.stringify(await desk.history(query))))
  registerEndpoint(app, predictionColumns, async ({ query }) => {
    const columns = toColumns(await desk.history(query), TIMEFRAME_MS[query.timeframe])
    return new CheckedJson(JSON.stringify(columns))
  })
}
