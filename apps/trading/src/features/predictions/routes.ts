import { predict, predictCloud, predictions, predictMulti } from '@shapecast/contracts/predictions'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { PredictionDesk } from './prediction-desk.ts'

/** Forecasts: now, by several versions, as a fan, and candle by candle. */
export function predictionRoutes(app: ServiceApp, desk: PredictionDesk): void {
  registerEndpoint(app, predict, ({ body }) => desk.predict(body))
  registerEndpoint(app, predictMulti, ({ body }) => desk.predictMulti(body))
  registerEndpoint(app, predictCloud, ({ body }) => desk.cloud({ ...body, version: body.params.version }))
  registerEndpoint(app, predictions, ({ query }) => desk.history(query))
}
