import type { BotRecord } from '@shapecast/contracts/bots'
import { driftStates, modelDrift } from '@shapecast/contracts/drift'
import { AppError } from '@shapecast/contracts/errors'
import { botOpenaiUse } from '@shapecast/contracts/openai'
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
import { leaderboard, trackRecord } from '@shapecast/contracts/track-record'
import { CheckedJson, registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Asker } from '../ground/ownership.ts'
import type { DriftService } from './drift/drift-service.ts'
import type { OpenaiService } from './openai/openai-service.ts'
import type { PredictionService } from './prediction-service.ts'
import type { RecordService } from './record/record-service.ts'

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

/** The track record: of one version, and of all by their skill. */
export function recordRoutes(app: ServiceApp, service: RecordService): void {
  registerEndpoint(app, trackRecord, ({ params, query }) => service.read(params.version, query))
  registerEndpoint(app, leaderboard, ({ query }) => service.leaderboard(query))
}

/** Drift: of one version in full, and of all in a word. */
export function driftRoutes(app: ServiceApp, service: DriftService): void {
  registerEndpoint(app, modelDrift, ({ params, query }) => service.read(params.version, query))
  registerEndpoint(app, driftStates, () => service.states())
}

/** What a bot's calls cost; `read` throws `not_found` where the caller may not see the bot. */
export function openaiRoutes(
  app: ServiceApp,
  openai: OpenaiService,
  read: (id: string, viewer: Asker) => Promise<BotRecord>,
): void {
  registerEndpoint(app, botOpenaiUse, async ({ params, caller }) => {
    const bot = await read(params.id, caller)
    if (bot.userId !== caller.userId && caller.role !== 'admin')
      throw new AppError('forbidden', 'Only its owner or an admin may see what this bot costs.')
    return openai.use(bot.id, bot.parameters?.openaiCallsADay)
  })
}
