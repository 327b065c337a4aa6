import { join } from 'node:path'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { buildService } from '@shapecast/platform/http/build-service'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { backtestRoutes, previewRoutes } from './backtests/routes.ts'
import { botPredictionRoutes, botRoutes, botTradingRoutes, killSwitchRoutes } from './bots/routes.ts'
import { driftRoutes } from './forecasts/drift/routes.ts'
import { openaiRoutes } from './forecasts/openai/routes.ts'
import { recordRoutes } from './forecasts/record/routes.ts'
import { predictionRoutes } from './forecasts/routes.ts'
import { datasetRoutes } from './market/datasets/routes.ts'
import { createEventHub, type EventHub } from './market/feed/event-hub.ts'
import { registerStream } from './market/feed/routes.ts'
import { createSeriesUse } from './market/feed/series-use.ts'
import { registerMarketRoutes } from './market/routes.ts'
import { firstModelRoutes, firstModelState } from './models/first-model.ts'
import { importanceRoutes } from './models/importance/routes.ts'
import { mlRoutes } from './models/routes.ts'
import { uploadRoutes } from './models/uploads/routes.ts'
import { accountRoutes } from './orders/routes.ts'
import { createRooms, type RoomDeps } from './rooms.ts'

export interface TradingDeps extends RoomDeps {
  sessions: Sessions
  /** Whether orders go to the venue's test network. */
  testnet: boolean
  /** Where live updates come in; without it there are none. */
  hub?: EventHub | undefined
}

/** The tables of the trading service; run after the platform's. */
export const TRADING_MIGRATIONS: MigrationFolder = {
  owner: 'trading',
  path: join(import.meta.dirname, '../migrations'),
}

/** The trading service as a Fastify plugin, to be mounted at /bot or to stand alone. */
export function tradingService(deps: TradingDeps): FastifyPluginAsync {
  const { db, venue, log, now = Date.now } = deps
  const hub = deps.hub ?? createEventHub({ venue: venue.name, now })
  const rooms = createRooms(deps)
  const looks = createSeriesUse({ orm: db.orm, venue: venue.name, log, now })
  const feed = { status: hub.status, use: looks.touch, onClosed: hub.onClosed }
  return buildService('trading', deps, async (app) => {
    app.fastify.addHook('onListen', async () => rooms.predictors.warmUp())
    app.fastify.addHook('onClose', () => rooms.predictors.close())
    registerMarketRoutes(app, { ...deps, feed, downloads: rooms.downloads })
    registerStream(app, { hub, now, requireSymbol: rooms.market.requireSymbol, use: looks.touchTopics })
    mlRoutes(app, rooms.models, rooms.trainings)
    const first = { venue: venue.name, models: rooms.modelStore, trainings: rooms.trainingStore, candles: rooms.market }
    firstModelRoutes(app, () => firstModelState(first))
    importanceRoutes(app, rooms.importances)
    uploadRoutes(app, rooms.uploads, rooms.onnxDownloads)
    predictionRoutes(app, rooms.predictions)
    recordRoutes(app, rooms.record)
    driftRoutes(app, rooms.drift)
    datasetRoutes(app, rooms.datasets)
    accountRoutes(app, rooms.accounts)
    botRoutes(app, rooms.bots)
    botTradingRoutes(app, rooms.botTrading)
    killSwitchRoutes(app, rooms.killSwitch)
    botPredictionRoutes(app, rooms.botPredictions)
    openaiRoutes(app, rooms.openai, rooms.bots.read)
    backtestRoutes(app, rooms.backtests)
    previewRoutes(app, rooms.previews)
    app.fastify.addHook('onClose', () => rooms.previews.close())
    app.fastify.addHook('onClose', () => rooms.accounts.close())
  })
}
