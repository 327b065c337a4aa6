import { join } from 'node:path'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { buildService } from '@shapecast/platform/http/build-service'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { accountRoutes } from './features/accounts/routes.ts'
import { backtestRoutes, previewRoutes } from './features/backtest/routes.ts'
import { botPredictionRoutes, botRoutes, botTradingRoutes, killSwitchRoutes } from './features/bots/routes.ts'
import { datasetRoutes } from './features/datasets/routes.ts'
import { driftRoutes } from './features/drift/routes.ts'
import { createEventHub, type EventHub } from './features/feed/event-hub.ts'
import { registerStream } from './features/feed/routes.ts'
import { createSeriesUse } from './features/feed/series-use.ts'
import { importanceRoutes } from './features/importance/routes.ts'
import { registerMarketRoutes } from './features/market/routes.ts'
import { firstModelRoutes, firstModelState } from './features/ml/first-model.ts'
import { mlRoutes } from './features/ml/routes.ts'
import { openaiRoutes } from './features/openai/routes.ts'
import { predictionRoutes } from './features/predictions/routes.ts'
import { recordRoutes } from './features/record/routes.ts'
import { uploadRoutes } from './features/uploads/routes.ts'
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
