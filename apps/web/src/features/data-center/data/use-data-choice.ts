import { markets, seriesList } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useHealth } from '../../../shared/api/use-health.ts'
import { defaultRange, seriesFor, utcDayEnd } from '../../../shared/markets/market-range.ts'
import { selectableSymbols } from '../../../shared/markets/selectable-symbols.ts'
import { type ChosenData, chosenOf, withChosen } from './choice-search.ts'
import { type ChosenDay, windowCounts, windowError, windowOf } from './dataset-window.ts'

const MOST_SYMBOLS = 200
const FIRST_COIN = 'BTCUSDT'

/** The coins, timeframe and range that the page works on. They stand in the address. */
export function useDataChoice() {
  const health = useHealth()
  const marketReply = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const seriesReply = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const [search, setSearch] = useSearchParams()
  const { coins: chosenCoins, timeframe, from, to } = useMemo(() => chosenOf(search), [search])
  const choose = useCallback(
    (change: Partial<ChosenData>) => setSearch((before) => withChosen(before, change), { replace: true }),
    [setSearch],
  )

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
    setCoins: (next: readonly string[]) => choose({ coins: next }),
    timeframe,
    setTimeframe: (next: Timeframe) => choose({ timeframe: next }),
    window,
    setFrom: (day: ChosenDay) => choose({ from: day }),
    setTo: (day: ChosenDay) => choose({ to: day }),
    nowMs,
    counts: windowCounts(window, timeframe),
    error: windowError(window),
    marketOf: (symbol: string) => marketList?.find((market) => market.id === symbol),
  }
}

export type DataChoice = ReturnType<typeof useDataChoice>
