import { AppError } from '@shapecast/contracts/errors'
import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import type { DownloadJob, Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { jobKind, type Queue } from '@shapecast/platform/queue'
import { lastClosedOpen, type Venue } from '@shapecast/venues/venue'
import { z } from 'zod'
import { endGivenUp } from '../ground/job-end.ts'
import { failDownload, findDownload, orderDownload, shownDownload, unfinishedDownloads } from './download-store.ts'
import { type LiveMarket, liveMarketOf } from './live-market.ts'

/** A download is taken up again by another worker where one dies or is stopped. */
export const DOWNLOAD = jobKind({
  name: 'candle-download',
  payload: z.object({ id: z.uuid() }),
  exclusive: true,
  expireInSeconds: 24 * 60 * 60,
})

const INTERRUPTED =
  'The download was interrupted and given up; what came is kept. Ask for the same range again, and it goes on there.'

export interface DownloadRequest {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly from: number
  readonly to?: number | undefined
}

/** The exchange to download from. Throws `unprocessable` where the market is none. */
export function requireExchange(venue: Venue): LiveMarket {
  const market = liveMarketOf(venue)
  if (market !== null) return market
  throw new AppError(
    'unprocessable',
    `The market is ${venue.name}, which has nothing to download. Set MARKET to an exchange, such as ${AUTO_EXCHANGE}, or import files.`,
  )
}

/** A request as whole candles of a market that exists. Throws `unknown_symbol` and `unprocessable`. */
export async function downloadOrder(market: LiveMarket, { symbol, timeframe, from, to }: DownloadRequest) {
  const markets = await market.markets()
  if (!markets.some(({ id }) => id === symbol))
    throw new AppError('unknown_symbol', `${market.name} has no market ${symbol}.${likeIt(markets, symbol)}`, {
      field: 'symbol',
    })
  const step = TIMEFRAME_MS[timeframe]
  const fromMs = Math.ceil(from / step) * step
  // The clock of the exchange, once it has been read.
  await market.source.now()
  const lastMs = lastClosedOpen(timeframe, market.source.clock())
  const toMs = Math.min(Math.floor((to ?? Number.MAX_SAFE_INTEGER) / step) * step, lastMs)
  if (fromMs > lastMs)
    throw new AppError(
      'unprocessable',
      `No ${timeframe} candle has closed since then: the last one opened at ${minuteOf(lastMs)}. Begin earlier.`,
      { field: 'from' },
    )
  if (fromMs > toMs)
    throw new AppError('unprocessable', 'The range ends before its first candle. Begin earlier, or end later.', {
      field: 'to',
    })
  return { venue: market.name, symbol, timeframe, fromMs, toMs }
}

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A hint at markets that begin alike, where there are some: most often the quote currency was left out or is another. */
function likeIt(markets: readonly Market[], symbol: string): string {
  const alike = markets.filter(({ base }) => symbol.startsWith(base)).map(({ id }) => id)
  const some = (alike.length > 0 ? alike : markets.map(({ id }) => id)).slice(0, 5).join(', ')
  return some === '' ? '' : ` It has ${some}${alike.length > 0 ? '' : ' and others'}.`
}

/** What one may do with downloads: ask for one, and see how far it is. */
export const createDownloadService = (deps: { db: Database; queue: Queue; venue: Venue; now: () => number }) => {
  const { db, queue, venue, now } = deps
  return {
    async request(body: DownloadRequest, by: { userId: string; address: string }): Promise<string> {
      const order = await downloadOrder(requireExchange(venue), body)
      return db.orm.transaction(async (tx) => {
        const { id } = await orderDownload(tx, order, by.userId, now())
        await queue.send(DOWNLOAD, { id }, { key: id, orm: tx })
        const { symbol, timeframe } = order
        await recordAudit(tx, {
          actorId: by.userId,
          address: by.address,
          action: 'candles.download_requested',
          subject: { type: 'series', id: `${order.venue}/${symbol}/${timeframe}` },
          after: { download: id, fromMs: order.fromMs, toMs: order.toMs },
        })
        return id
      })
    },
    read: async (id: string): Promise<DownloadJob> => shownDownload(await findDownload(db.orm, id)),

    /** Ends, with a text, the downloads that the queue has given up: none stays "running" for ever. */
    async reconcile(): Promise<void> {
      const end = ({ id }: { id: string }) => failDownload(db.orm, id, INTERRUPTED, now())
      await endGivenUp(queue, DOWNLOAD, await unfinishedDownloads(db.orm), ({ id }) => ({ key: id }), end)
    },
  }
}
export type DownloadService = ReturnType<typeof createDownloadService>
