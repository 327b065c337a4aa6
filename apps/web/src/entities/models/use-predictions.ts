import type { CallInput } from '@shapecast/contracts/client'
import { type ChartPrediction, fromColumns, predictionColumns } from '@shapecast/contracts/prediction-columns'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { call } from '#wire/calls/client.ts'
import { whenIdle } from '#wire/calls/when-idle.ts'
import { MAX_CANDLES, useOlderPage } from '../markets/candle-pages.ts'
import { type ChartSeries, PREDICTION_CACHE_MS, seriesKey } from '../markets/chart-timing.ts'
import {
  firstPredictionRows,
  mergePredictions,
  PREDICTION_PAGE_ROWS,
  prependPredictions,
  refreshSince,
  shownPredictionRows,
} from './prediction-pages.ts'
import { onCandleClose } from './use-prediction-fan.ts'

/** Older predictions are loaded while the candles end this close to them: one page of candles. */
const AHEAD_CANDLES = 1000

interface StoredPredictions {
  readonly rows: readonly ChartPrediction[]
  readonly hasOlder: boolean
}

const keyOf = (series: ChartSeries) => seriesKey(predictionColumns, series)

const load = async (input: CallInput<typeof predictionColumns>) => fromColumns(await call(predictionColumns, input))

async function loadNewest(client: QueryClient, series: ChartSeries, signal: AbortSignal): Promise<StoredPredictions> {
  const { symbol, timeframe, limit } = series
  const stored = () => client.getQueryData<StoredPredictions>(keyOf(series))
  const since = refreshSince(stored()?.rows ?? [])
  if (since !== null) {
    const fresh = await load({ query: { symbol, timeframe, since, limit: PREDICTION_PAGE_ROWS }, signal })
    // What is stored is looked up after the reply: older pages may have come meanwhile.
    const before = stored()
    const rows = before === undefined ? null : mergePredictions(before.rows, fresh)
    if (before !== undefined && rows !== null) return rows === before.rows ? before : { ...before, rows }
  }
  const rows = await load({ query: { symbol, timeframe, limit: shownPredictionRows(limit) }, signal })
  // Without a model there is nothing, time after time: the same nothing draws nothing.
  const nothing = rows.length === 0 ? stored() : undefined
  return nothing?.rows.length === 0 ? nothing : { rows, hasOlder: rows.length > 0 }
}

/**
 * What the current model said of the candles of a series, ascending: first of those in view, then, when the browser has
 * time, of the others. Read again when a candle closes and when their lifetime is over, older ones on demand. `rows` is
 * empty where no model is trained.
 */
export function usePredictions(series: ChartSeries) {
  const { symbol, timeframe, limit } = series
  const client = useQueryClient()

  const query = useQuery({
    queryKey: keyOf(series),
    queryFn: ({ signal }) => loadNewest(client, { symbol, timeframe, limit }, signal),
    staleTime: PREDICTION_CACHE_MS[timeframe],
    refetchInterval: PREDICTION_CACHE_MS[timeframe],
    // Unchanged rows are kept identical by the merging.
    structuralSharing: false,
  })

  useEffect(() => {
    const queryKey = keyOf({ symbol, timeframe, limit })
    return onCandleClose(symbol, timeframe, () => void client.invalidateQueries({ queryKey }))
  }, [client, symbol, timeframe, limit])

  const { ask } = useOlderPage(async () => {
    const stored = client.getQueryData<StoredPredictions>(keyOf(series))
    const first = stored?.rows[0]
    if (stored === undefined || first === undefined) return
    const wanted = Math.max(PREDICTION_PAGE_ROWS, firstPredictionRows(limit) - stored.rows.length)
    const page = await load({ query: { symbol, timeframe, limit: wanted, before: first.timestamp } })
    client.setQueryData<StoredPredictions>(keyOf(series), (now) =>
      now === undefined || now.rows[0]?.timestamp !== first.timestamp
        ? now
        : { rows: prependPredictions(now.rows, page), hasOlder: page.length > 0 },
    )
  })

  const { data } = query
  const loadOlder = useCallback(
    (oldestCandleMs: number) => {
      const first = data?.rows[0]
      if (first === undefined || !data?.hasOlder || data.rows.length >= MAX_CANDLES) return
      if (first.timestamp > oldestCandleMs - AHEAD_CANDLES * TIMEFRAME_MS[timeframe]) ask()
    },
    [data, ask, timeframe],
  )

  const isPartial = data?.hasOlder === true && data.rows.length > 0 && data.rows.length < firstPredictionRows(limit)
  useEffect(() => {
    if (isPartial) return whenIdle(ask)
  }, [isPartial, ask])

  return { rows: data?.rows, loadOlder, error: query.error }
}
