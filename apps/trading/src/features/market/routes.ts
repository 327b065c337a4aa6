import multipart from '@fastify/multipart'
import { AppError } from '@shapecast/contracts/errors'
import { health, importCandles, markets, ohlcv, seriesList, ticker } from '@shapecast/contracts/market'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { checkAnswers, type Database } from '@shapecast/platform/database/database'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Venue } from '@shapecast/venues/venue'
import { importFile } from './import-file.ts'
import { receiveUpload } from './receive-upload.ts'
import { seriesOfVenue, shownSeries } from './series-store.ts'

export interface MarketRoutesDeps {
  readonly db: Database
  readonly venue: Venue
  readonly testnet: boolean
  readonly now?: (() => number) | undefined
  /** Largest file that may be uploaded; 512 MB where it is left out. */
  readonly maxUploadBytes?: number | undefined
}

const MAX_UPLOAD_BYTES = 512 * 1024 ** 2

/** Health, markets, ticker, candles and their import. */
export async function registerMarketRoutes(app: ServiceApp, deps: MarketRoutesDeps): Promise<void> {
  const { db, venue, testnet } = deps
  const now = deps.now ?? Date.now
  await app.fastify.register(multipart)

  registerEndpoint(app, health, async () => {
    await checkAnswers(db)
    return {
      status: 'ok' as const,
      testnet,
      venue: venue.name,
      market: venue.kind,
      marketTime: await venue.now(),
      websocket: { public: false, private: false },
    }
  })

  registerEndpoint(app, markets, () => venue.markets())
  registerEndpoint(app, ticker, ({ params }) => venue.ticker(params.symbol))

  registerEndpoint(app, ohlcv, async ({ params, query }) => {
    const { timeframe, limit, before } = query
    return rowsFromCandles(await venue.candles(params.symbol, timeframe, { limit, beforeMs: before }))
  })

  registerEndpoint(app, seriesList, async () => (await seriesOfVenue(db.orm, venue.name)).map(shownSeries))

  registerEndpoint(app, importCandles, async ({ query, caller, request }) => {
    if (query.venue === 'simulated')
      throw new AppError('bad_input', 'The simulated market computes its candles: import under another venue.', {
        field: 'venue',
      })
    const upload = await receiveUpload(request, deps.maxUploadBytes ?? MAX_UPLOAD_BYTES)
    try {
      const by = { actorId: caller.userId, address: request.ip }
      return await importFile({ db, now }, { ...query, path: upload.path, fileName: upload.fileName, by })
    } finally {
      await upload.discard()
    }
  })
}
