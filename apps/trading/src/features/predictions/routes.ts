import { predict, predictCloud, predictions, predictMulti } from '@shapecast/contracts/predictions'
import { CheckedJson, registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { PredictionDesk } from './prediction-desk.ts'

/** Forecasts: now, by several versions, as a fan, and candle by candle. */
export function predictionRoutes(app: ServiceApp, desk: PredictionDesk): void {
  registerEndpoint(app, predict, ({ body }) => desk.predict(body))
  registerEndpoint(app, predictMulti, ({ body }) => desk.predictMulti(body))
  registerEndpoint(app, predictCloud, ({ body }) => desk.cloud({ ...body, version: body.params.version }))
  // Thousands of rows of plain numbers that this program itself has made: what they are is held by a test, not row by row.
  registerEndpoint(app, predictions, async ({ query }) => new CheckedJson(JSON.stringify(await desk.history(query))))
}
