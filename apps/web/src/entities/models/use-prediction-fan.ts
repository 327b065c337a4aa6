import { predictCloud } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { endpointKey, endpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { PREDICTION_CACHE_MS } from '../markets/chart-timing.ts'

/**
 * The quantile fan of the next `steps` candles, made again when a candle closes; undefined where there is none: nobody is
 * signed in, or no model is trained (`isTrained`). Of `version`, where it is not the current one.
 */
export function usePredictionFan(
  symbol: string,
  timeframe: Timeframe,
  steps: number,
  isTrained: boolean,
  version?: string,
) {
  const client = useQueryClient()
  const isSignedIn = useUser() !== null
  const isWanted = isSignedIn && isTrained
  const asked = useMemo(
    () => ({
      body: { symbol, timeframe, horizon_steps: steps, ...(version !== undefined && { params: { version } }) },
    }),
    [symbol, timeframe, steps, version],
  )
  const { data, isError } = useQuery({
    ...endpointQuery(predictCloud, asked),
    enabled: isWanted,
    staleTime: PREDICTION_CACHE_MS[timeframe],
    refetchInterval: PREDICTION_CACHE_MS[timeframe],
  })
  useEffect(() => {
    if (!isWanted) return
    return onCandleClose(
      symbol,
      timeframe,
      () => void client.invalidateQueries({ queryKey: endpointKey(predictCloud, asked) }),
    )
  }, [client, isWanted, symbol, timeframe, asked])
  return isError ? undefined : data
}

/**
 * Calls `listener` once for every candle of a series that closes, told by the live stream: by a closed candle, or by one
 * that opened after it. Also where events were lost. Returns what ends the listening.
 */
export function onCandleClose(symbol: string, timeframe: Timeframe, listener: () => void): () => void {
  let lastClosed: number | null = null
  return liveEvents.listen({ kind: 'candle', symbol, timeframe }, (message) => {
    if (message.event === 'reset') return listener()
    if (message.event !== 'candle') return
    const { candle, closed } = message.data
    const closedAt = closed ? candle[0] : candle[0] - TIMEFRAME_MS[timeframe]
    const isNews = lastClosed !== null && closedAt > lastClosed
    lastClosed = Math.max(lastClosed ?? closedAt, closedAt)
    if (isNews) listener()
  })
}
