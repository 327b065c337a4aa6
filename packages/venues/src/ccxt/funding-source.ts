import { AppError } from '@shapecast/contracts/errors'
import { type FundingRecord, toMinute } from '../funding.ts'
import type { FundingQuery } from '../live-venue.ts'
import type { ExchangeCalls } from './calls/exchange-calls.ts'
import { createKnownMarkets } from './known-markets.ts'
import { type ExchangeSettings, loadExchange } from './load-exchange.ts'
import { createVenueAsker } from './venue-asker.ts'

interface FundingCalls extends ExchangeCalls {
  fetchFundingRateHistory(
    symbol: string,
    since: number,
    limit: number,
    params: object,
  ): Promise<
    readonly {
      readonly timestamp?: number | undefined
      readonly fundingRate?: number | undefined
      readonly info?: { readonly markPrice?: unknown } | undefined
    }[]
  >
}

/** Settlements of a page. Bybit gives 200 at most, and with a larger limit skips time (ccxt issue 27745). */
const PAGE = 200
/** Of most contracts, every 8 hours, just less than a page; of those that settle more often the span is halved. */
const PAGE_SPAN_MS = (PAGE - 1) * 8 * 3_600_000

/**
 * The funding rates of a perpetual future at an exchange after `fromMs`, up to `untilMs`, oldest first. Throws
 * `unprocessable` where the exchange tells none, `unknown_symbol`, `venue_unreachable` and `venue_rate_limited`.
 */
export async function fetchFunding(
  id: string,
  { symbol, fromMs, untilMs }: FundingQuery,
  settings: ExchangeSettings = {},
): Promise<FundingRecord[]> {
  const exchange = (await loadExchange(id, { ...settings, marketType: 'futures' })) as FundingCalls
  try {
    if (exchange.has.fetchFundingRateHistory !== true)
      throw new AppError('unprocessable', `${id} tells no past funding rates. Import them from a file.`)
    const ask = createVenueAsker(exchange)
    const market = await createKnownMarkets({ exchange, ask, now: Date.now, type: 'futures' }).of(symbol)
    const found = new Map<number, FundingRecord>()
    let span = PAGE_SPAN_MS
    // Stamps may be some milliseconds late.
    const lastMs = untilMs + 1000
    for (let since = fromMs + 1; since <= lastMs; ) {
      const until = Math.min(lastMs, since + span - 1)
      const page = await ask(() => exchange.fetchFundingRateHistory(market.symbol, since, PAGE, { until }))
      if (page.length >= PAGE) {
        span = Math.floor(span / 2)
        continue
      }
      for (const { timestamp, fundingRate: rate, info } of page) {
        if (timestamp === undefined || rate === undefined || !Number.isFinite(rate)) continue
        const timeMs = toMinute(timestamp)
        if (timeMs <= fromMs || timeMs > untilMs) continue
        const mark = Number(info?.markPrice ?? Number.NaN)
        found.set(timeMs, { timeMs, rate, mark: mark > 0 ? mark : Number.NaN, intervalMs: null })
      }
      since = until + 1
    }
    return [...found.values()].sort((a, b) => a.timeMs - b.timeMs)
  } finally {
    await exchange.close().catch(() => {})
  }
}
