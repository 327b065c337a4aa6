import { socialService } from '@shapecast/social/app'
import { tradingService } from '@shapecast/trading/app'
import { openVenue } from '@shapecast/trading/features/market/open-venue'
import { createStoredCandles } from '@shapecast/trading/features/market/stored-candles'
import { createRooms, type RoomDeps, type Rooms } from '@shapecast/trading/rooms'
import { registerTradingWorker, type TradingWorker } from '@shapecast/trading/worker'
import type { FastifyPluginAsync } from 'fastify'
import type { Installation } from './installation.ts'

async function tradingDeps({ config, db, queue, log }: Installation): Promise<RoomDeps> {
  const venue = await openVenue(config, { db, stored: createStoredCandles(db), log })
  return { db, queue, venue, log }
}

/** Both services, to be mounted as often as there are listeners. */
export async function buildServices(
  installation: Installation,
): Promise<{ trading: FastifyPluginAsync; social: FastifyPluginAsync }> {
  const { config, db, sessions } = installation
  return {
    trading: tradingService({ ...(await tradingDeps(installation)), sessions, testnet: config.testnet }),
    social: socialService({ db, sessions }),
  }
}

/** Takes jobs and does the regular work, until it is stopped. */
export const startWork = async (installation: Installation): Promise<TradingWorker> =>
  registerTradingWorker(await tradingDeps(installation))

/** The rooms of the trading service for a command; `close` lets go of the models that it has loaded. */
export async function openRooms(installation: Installation): Promise<Rooms & { close(): Promise<void> }> {
  const rooms = createRooms(await tradingDeps(installation))
  return { ...rooms, close: () => rooms.predictors.close() }
}
