import type { WatchedSeries } from '@shapecast/contracts/charts'
import { TIMEFRAMES, Timeframe } from '@shapecast/contracts/timeframes'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { PriceChartCard } from '#charts/price-chart/price-chart-card.tsx'
import { FUTURE_STEPS, priceFan, pricePredictions } from '#charts/price-chart/price-input.ts'
import { selectableSymbols, useMarkets } from '#entities/markets/use-market-of.ts'
import { usePredictionFan } from '#entities/models/use-prediction-fan.ts'
import { usePredictions } from '#entities/models/use-predictions.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import { MenuSelect } from '#kit/ui/menu-select.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { CHART_CANDLES, DEFAULT_SERIES } from './lead-series.ts'
import { useWatchlist, WatchButton, Watchlist } from './watchlist.tsx'

const MOST_SYMBOLS = 200
/** The market of the dashboard, before the others are known. */
const UNTIL_KNOWN = [{ value: DEFAULT_SERIES.symbol, label: 'BTC/USDT' }]
const TIMEFRAME_CHOICES = TIMEFRAMES.map((value) => ({ value, label: value }))

/** Which market the chart shows; it stands in the address, so that it can be shared. */
function useChartSeries() {
  const [search, setSearch] = useSearchParams()
  const symbol = search.get('symbol') ?? DEFAULT_SERIES.symbol
  const timeframe = Timeframe.safeParse(search.get('timeframe')).data ?? DEFAULT_SERIES.timeframe
  const put = (part: Partial<WatchedSeries>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const key of ['symbol', 'timeframe'] as const) {
          const value = part[key]
          if (value === DEFAULT_SERIES[key]) next.delete(key)
          else if (value !== undefined) next.set(key, value)
        }
        return next
      },
      { replace: true },
    )
  return { symbol, timeframe, put }
}

/** A market's chart with what the current model said of its candles, and its fan of those to come. */
export function ChartCard({ height }: { height: string }) {
  const { symbol, timeframe, put } = useChartSeries()
  const user = useUser()
  const { rows, loadOlder, error } = usePredictions({ symbol, timeframe, limit: CHART_CANDLES })
  const cloud = usePredictionFan(symbol, timeframe, FUTURE_STEPS, rows !== undefined && rows.length > 0)
  const marketList = useMarkets().data
  const symbols = useMemo(
    () =>
      selectableSymbols(marketList ?? [], MOST_SYMBOLS).map((id) => ({
        value: id,
        label: marketList?.find((market) => market.id === id)?.symbol ?? id,
      })),
    [marketList],
  )
  const watching = useWatchlist()
  const series = { symbol, timeframe }
  const nameOf = (id: string) => marketList?.find((market) => market.id === id)?.symbol ?? id
  const predictions = useMemo(() => pricePredictions(rows ?? []), [rows])
  const fan = useMemo(() => (cloud === undefined ? null : priceFan(cloud)), [cloud])
  return (
    <PriceChartCard
      symbol={symbol}
      timeframe={timeframe}
      limit={CHART_CANDLES}
      height={height}
      predictions={predictions}
      fan={fan}
      arePredictionsAwaited={rows === undefined && error === null}
      predictionsError={error}
      onNearOldest={loadOlder}
      action={
        user !== null && (
          <>
            <WatchButton watching={watching} series={series} name={`${nameOf(symbol)} ${timeframe}`} />
            <LinkButton to={paths.trade(symbol === DEFAULT_SERIES.symbol ? null : symbol)} size="small">
              Trade
            </LinkButton>
          </>
        )
      }
      above={<Watchlist watching={watching} shown={series} nameOf={nameOf} onChoose={put} />}
      symbolChoice={
        <MenuSelect
          label="Symbol"
          look="title"
          value={symbol}
          choices={symbols.length > 0 ? symbols : UNTIL_KNOWN}
          onChange={(next) => put({ symbol: next })}
        />
      }
      timeframeChoice={
        <MenuSelect
          label="Timeframe"
          look="chip"
          value={timeframe}
          choices={TIMEFRAME_CHOICES}
          onChange={(next) => put({ timeframe: next })}
        />
      }
    />
  )
}
