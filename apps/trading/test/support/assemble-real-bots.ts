import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import type { Venue } from '@shapecast/venues/venue'
import type { ForecastSource } from '../../src/bots/decision-answers.ts'
import type { BotMarket } from '../../src/bots/decision-round.ts'
import { createDownloadService } from '../../src/market/download-service.ts'
import { backtestOf } from '../../src/parts/backtests.ts'
import { type Bots, botsOf } from '../../src/parts/bots.ts'
import { forecastsOf } from '../../src/parts/forecasts.ts'
import { groundOf } from '../../src/parts/ground.ts'
import { modelsOf } from '../../src/parts/models.ts'
import { type KeptBots, keptBotsOf, type RunningBots, runningBotsOf } from '../../src/parts/running-bots.ts'
import { inventedModel } from './bots-bench.ts'
import type { OpenAccounts } from './open-accounts.ts'

/** One process with the rooms of bots and accounts. */
export interface RealBotsProcess extends Pick<Bots, 'control' | 'bots' | 'reads'> {
  readonly room: OpenAccounts
  readonly rooms: RunningBots['realBots'] & {
    betweenCloses(): Promise<void>
    advance(): Promise<void>
  }
  /** What parity reads of the bots. */
  readonly stores: { readonly bots: KeptBots['store']; readonly trading: KeptBots['trading'] }
}

/** The rooms of bots with real money as the product composes them, over accounts, a market and a model of a test. */
export function assembleRealBots({
  db,
  venue: name,
  room,
  market,
  forecast,
  now,
  beforeSend,
}: {
  db: Database
  venue: string
  room: OpenAccounts
  market: Omit<BotMarket, 'forming'>
  forecast: ForecastSource
  /** Time in ms. */
  now: () => number
  /** Runs after an order is written down and before it is sent. */
  beforeSend?: (() => Promise<void>) | undefined
}): RealBotsProcess {
  const venue: Venue = {
    ...room.ledger.market,
    name,
    now: market.now,
    candles: () => Promise.reject(new Error('not of these tests')),
    ticker: async (symbol) => ({ ...(await room.ledger.market.ticker(symbol)), last: await market.price(symbol) }),
  }
  const stored = groundOf({ db, queue: {} as Queue, venue, log: silentLogger(), now })
  const ground = { ...stored, market: { ...stored.market, load: market.load, rules: market.rules } }
  const trained = modelsOf(ground)
  const models = {
    ...trained,
    modelStore: { ...trained.modelStore, unknown: async () => [] },
    models: { ...trained.models, predictingOn: inventedModel, predicting: async () => () => undefined },
  }
  const forecasts = { ...forecastsOf(ground, models, stored), forBots: forecast }
  const accounts = {
    ledger: room.ledger,
    exchange: {
      ...room.exchange,
      botOrders: {
        ...room.botOrders,
        async prepare(...asked: Parameters<OpenAccounts['botOrders']['prepare']>) {
          const way = await room.botOrders.prepare(...asked)
          return beforeSend === undefined ? way : { ...way, send: () => beforeSend().then(way.send) }
        },
      },
    },
  }
  const kept = keptBotsOf(ground, models, accounts)
  const { realBots, ...running } = runningBotsOf(ground, models, forecasts, accounts, kept, undefined)
  const { bots, control, reads } = botsOf(
    { ...ground, downloads: createDownloadService(ground) },
    models,
    forecasts,
    accounts,
    kept,
    { ...running, realBots },
    backtestOf(ground, models, forecasts, kept),
    false,
  )
  const { between } = realBots.execution
  const rooms = {
    ...realBots,
    betweenCloses: between,
    /** What a worker does within a second or so: between closes, and at those that nobody has told of. */
    async advance(): Promise<void> {
      await between()
      await running.closes.catchUp()
      await running.closes.idle()
    },
  }
  return { room, rooms, control, bots, reads, stores: { bots: kept.store, trading: kept.trading } }
}
