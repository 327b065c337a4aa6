import { join } from 'node:path'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { buildService } from '@shapecast/platform/http/build-service'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { backtestRoutes } from './features/backtest/routes.ts'
import { botRoutes } from './features/bots/routes.ts'
import { registerMarketRoutes } from './features/market/routes.ts'
import { mlRoutes } from './features/ml/routes.ts'
import { createRooms, type RoomDeps } from './rooms.ts'

export interface TradingDeps extends RoomDeps {
  sessions: Sessions
  /** Whether orders go to the venue's test network. */
  testnet: boolean
}

/** The tables of the trading service; run after the platform's. */
export const TRADING_MIGRATIONS: MigrationFolder = {
  owner: 'trading',
  path: join(import.meta.dirname, '../migrations'),
}

/** The trading service as a Fastify plugin, to be mounted at /bot or to stand alone. */
export function tradingService(deps: TradingDeps): FastifyPluginAsync {
  const rooms = createRooms(deps)
  return buildService('trading', deps, async (app) => {
    app.fastify.addHook('onClose', () => rooms.predictors.close())
    await registerMarketRoutes(app, deps)
    mlRoutes(app, rooms.models, rooms.trainings)
    botRoutes(app, rooms.bots)
    backtestRoutes(app, rooms.backtests)
  })
}
