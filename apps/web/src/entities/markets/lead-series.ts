import type { WatchedSeries } from '@shapecast/contracts/charts'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { useAddressQuery } from '#kit/ui/use-address-query.ts'
import { paths } from '#routes/paths.ts'

/** The market that the dashboard is about, and that a chart shows first. */
export const DEFAULT_SERIES = { symbol: 'BTCUSDT', timeframe: '1h' } as const satisfies WatchedSeries
/** The page on which a market is traded by hand. */
export const tradePath = (symbol: string): string => paths.trade(symbol === DEFAULT_SERIES.symbol ? null : symbol)
/** Candles of its chart in view at first. */
export const CHART_CANDLES = 100

/** Which market a chart shows; it stands in the address, so that it can be shared. */
export function useChartSeries() {
  const [search, set] = useAddressQuery()
  const symbol = search.get('symbol') ?? DEFAULT_SERIES.symbol
  const timeframe = Timeframe.safeParse(search.get('timeframe')).data ?? DEFAULT_SERIES.timeframe
  const put = (part: Partial<WatchedSeries>) => {
    const chosen = { symbol, timeframe, ...part }
    const of = (key: 'symbol' | 'timeframe') => (chosen[key] === DEFAULT_SERIES[key] ? null : chosen[key])
    set({ symbol: of('symbol'), timeframe: of('timeframe') })
  }
  return { symbol, timeframe, put }
}
