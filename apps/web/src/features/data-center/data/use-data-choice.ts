import { markets, seriesList } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { useMemo, useState } from 'react'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useHealth } from '../../../shared/api/use-health.ts'
import { defaultRange, seriesFor, utcDayEnd } from '../../../shared/markets/market-range.ts'
import { selectableSymbols } from '../../../shared/markets/selectable-symbols.ts'
import { type ChosenDay, windowCounts, windowError, windowOf } from './dataset-window.ts'

export const MOST_COINS = 5
const MOST_SYMBOLS = 200
const FIRST_COIN = 'BTCUSDT'

/** The coins, timeframe and range that the page works on. */
export function useDataChoice() {
  const health = useHealth()
  const marketReply = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const seriesReply = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const [chosenCoins, setCoins] = useState<readonly string[] | null>(null)
  const [timeframe, setTimeframe] = useState<Timeframe>('1h')
  const [from, setFrom] = useState<ChosenDay>(undefined)
  const [to, setTo] = useState<ChosenDay>(undefined)

  const marketList = marketReply.data
  const symbols = useMemo(() => selectableSymbols(marketList ?? [], MOST_SYMBOLS), [marketList])
  const coins = useMemo(() => {
    const first = symbols.includes(FIRST_COIN) ? FIRST_COIN : symbols[0]
    return chosenCoins ?? (first === undefined ? [] : [first])
  }, [chosenCoins, symbols])

  const kind = health.data?.market ?? 'live'
  // Without the market's clock, the browser's own to the minute, so that a render does not move the range.
  const nowMs = health.data?.marketTime ?? Math.floor(Date.now() / 60_000) * 60_000
  const series = seriesFor(seriesReply.data ?? [], coins[0], timeframe)
  const byDefault = defaultRange({ kind, nowMs }, timeframe, series)
  const window = windowOf(from, to, byDefault, (day) => utcDayEnd(day, nowMs))
  return {
    symbols,
    isLoadingSymbols: marketReply.isPending,
    coins,
    setCoins,
    timeframe,
    setTimeframe,
    window,
    setFrom,
    setTo,
    nowMs,
    counts: windowCounts(window, timeframe),
    error: windowError(window),
    marketOf: (symbol: string) => marketList?.find((market) => market.id === symbol),
  }
}

export type DataChoice = ReturnType<typeof useDataChoice>
