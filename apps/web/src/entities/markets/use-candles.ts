import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { call } from '#wire/calls/client.ts'
import { shareSubscription } from '#wire/calls/shared-subscription.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'
import { MAX_CANDLES, mergeNewest, prependOlder, useOlderPage } from './candle-pages.ts'
import { CANDLE_CACHE_MS, CHART_REFRESH_MS, type ChartSeries, seriesKey } from './chart-timing.ts'

/** So many candles before the first one shown, so that an EMA of 50 has forgotten where it began (0.03 % is left). */
const WARM_UP_CANDLES = 200
/** What a refresh asks for: the same address for every open chart, so that the server answers all of them at once. */
const REFRESH_CANDLES = 100
const OLDER_PAGE_CANDLES = 1000

interface StoredCandles {
  readonly rows: readonly CandleRow[]
  /** False once the market has answered with fewer candles than were asked for. */
  readonly hasOlder: boolean
}

const keyOf = (series: ChartSeries) => seriesKey(ohlcv, series)

/** The stored object itself where nothing is new: what shows it is drawn for another one alone. */
const withRows = (stored: StoredCandles, rows: readonly CandleRow[]): StoredCandles =>
  rows === stored.rows ? stored : { ...stored, rows }

async function loadNewest(client: QueryClient, series: ChartSeries, signal: AbortSignal): Promise<StoredCandles> {
  const { symbol, timeframe } = series
  const stepMs = TIMEFRAME_MS[timeframe]
  const load = (limit: number) => call(ohlcv, { params: { symbol }, query: { timeframe, limit }, signal })
  const stored = () => client.getQueryData<StoredCandles>(keyOf(series))
  const first = Math.min(MAX_CANDLES, series.limit + WARM_UP_CANDLES)
  if (stored() === undefined) {
    const rows = await load(first)
    return { rows, hasOlder: rows.length >= first }
  }
  let fresh = await load(REFRESH_CANDLES)
  // What is stored is looked up after the reply: older pages and live candles may have come meanwhile.
  let before = stored()
  if (before !== undefined && mergeNewest(before.rows, fresh, stepMs) === null) {
    const missing = Math.ceil((fresh.at(-1)![0] - before.rows.at(-1)![0]) / stepMs)
    fresh = await load(Math.min(MAX_CANDLES, missing + 2))
    before = stored()
  }
  if (before === undefined) return { rows: fresh, hasOlder: true }
  const rows = mergeNewest(before.rows, fresh, stepMs)
  if (rows === null || rows === fresh) return { rows: fresh, hasOlder: true }
  return withRows(before, rows)
}

/** A live candle that does not join the stored ones, or lies far behind them, is left to the next refresh. */
function withLiveCandle(stored: StoredCandles, candle: CandleRow, timeframe: Timeframe): StoredCandles {
  const rows = mergeNewest(stored.rows, [candle], TIMEFRAME_MS[timeframe])
  return rows === null || rows.length < stored.rows.length ? stored : withRows(stored, rows)
}

/** The candles of a series, ascending: kept fresh while the page is seen, older ones on demand, to 10,000. */
export function useCandles(series: ChartSeries) {
  const { symbol, timeframe, limit } = series
  const client = useQueryClient()

  const query = useQuery({
    queryKey: keyOf(series),
    queryFn: ({ signal }) => loadNewest(client, { symbol, timeframe, limit }, signal),
    staleTime: CANDLE_CACHE_MS[timeframe],
    refetchInterval: CHART_REFRESH_MS[timeframe],
    // Unchanged candles are kept identical by the merging; comparing 10,000 of them again would cost a frame.
    structuralSharing: false,
  })

  useEffect(() => {
    const queryKey = keyOf({ symbol, timeframe, limit })
    return shareSubscription(`candles ${symbol} ${timeframe} ${limit}`, () =>
      liveEvents.listen({ kind: 'candle', symbol, timeframe }, (message) => {
        if (message.event === 'reset') void client.invalidateQueries({ queryKey })
        if (message.event !== 'candle') return
        const { candle } = message.data
        client.setQueryData<StoredCandles>(queryKey, (stored) => stored && withLiveCandle(stored, candle, timeframe))
      }),
    )
  }, [client, symbol, timeframe, limit])

  const older = useOlderPage(async () => {
    const stored = client.getQueryData<StoredCandles>(keyOf(series))
    const first = stored?.rows[0]
    if (stored === undefined || first === undefined) return
    const wanted = Math.min(OLDER_PAGE_CANDLES, MAX_CANDLES - stored.rows.length)
    const page = await call(ohlcv, { params: { symbol }, query: { timeframe, limit: wanted, before: first[0] } })
    client.setQueryData<StoredCandles>(keyOf(series), (now) =>
      now === undefined || now.rows[0]?.[0] !== first[0]
        ? now
        : { rows: prependOlder(now.rows, page), hasOlder: page.length >= wanted },
    )
  })

  const { ask } = older
  const isThereOlder = query.data?.hasOlder === true && query.data.rows.length < MAX_CANDLES
  const loadOlder = useCallback(() => {
    if (isThereOlder) ask()
  }, [isThereOlder, ask])

  return { query, rows: query.data?.rows, loadOlder, isLoadingOlder: older.isPending, olderError: older.error }
}
