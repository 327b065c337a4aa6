import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import type { DownloadJob, downloadCandles, Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { lastClosedOpen, type Venue } from '@shapecast/venues/venue'
import type { Jobs } from '../ground/jobs/jobs.ts'
import type { Asker } from '../ground/ownership.ts'
import { DOWNLOAD, type DownloadOrder, keyOfDownload, shownDownload, titleOf } from './download-kind.ts'
import { type LiveMarket, liveMarketOf } from './live-market.ts'

export type DownloadRequest = BodyOf<typeof downloadCandles>

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
export async function downloadOrder(
  market: LiveMarket,
  { symbol, timeframe, from, to }: DownloadRequest,
): Promise<DownloadOrder> {
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

/** A hint at markets that begin alike, if there are some: most often the quote currency was left out or is another. */
function likeIt(markets: readonly Market[], symbol: string): string {
  const alike = markets.filter(({ base }) => symbol.startsWith(base)).map(({ id }) => id)
  const some = (alike.length > 0 ? alike : markets.map(({ id }) => id)).slice(0, 5).join(', ')
  return some === '' ? '' : ` It has ${some}${alike.length > 0 ? '' : ' and others'}.`
}

/** What one may do with downloads: ask for one, and see how far it is. */
export const createDownloadService = (deps: { db: Database; jobs: Jobs; venue: Venue }) => {
  const { db, jobs, venue } = deps
  return {
    /** Queues a download, or lets the earlier one of the same series and start go on to this end. */
    async request(body: DownloadRequest, member: Member): Promise<string> {
      const order = await downloadOrder(requireExchange(venue), body)
      const { symbol, timeframe, fromMs, toMs } = order
      return db.orm.transaction(async (tx) => {
        const asked = { userId: member.userId, key: keyOfDownload(order), title: titleOf(order), payload: order }
        const { id } = await jobs.request(tx, DOWNLOAD, asked, (open) => ({
          join: true,
          payload: { ...order, toMs: Math.max(toMs, open.payload.toMs) },
        }))
        await recordAudit(tx, member, {
          action: 'candles.download_requested',
          subject: { type: 'series', id: `${order.venue}/${symbol}/${timeframe}` },
          after: { download: id, fromMs, toMs },
        })
        return id
      })
    },
    read: async (id: string, viewer: Asker): Promise<DownloadJob> =>
      shownDownload(await jobs.read(DOWNLOAD, id, viewer)),
  }
}
export type DownloadService = ReturnType<typeof createDownloadService>
