import type { Bot } from '@shapecast/contracts/bots'
import { type CSSProperties, useMemo, useState } from 'react'
import { PriceChartCard } from '#charts/price-chart/price-chart-card.tsx'
import { FUTURE_STEPS, priceFan, pricePredictions } from '#charts/price-chart/price-input.ts'
import { positionsOf } from '#entities/bots/position-columns.tsx'
import { CHART_CANDLES, DEFAULT_SERIES, tradePath, useChartSeries } from '#entities/markets/lead-series.ts'
import { useSymbolChoices } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { usePredictionFan } from '#entities/models/use-prediction-fan.ts'
import { usePredictions } from '#entities/models/use-predictions.ts'
import { FirstModelNote } from '#entities/trainings/first-model-note.tsx'
import { formatClock, useTimeZone } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, LinkButton, RetryButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useLastError } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useUser } from '#wire/session/auth-context.ts'
import css from './dashboard.module.css'
import { PublicBotsCard, RecentRunsCard, TasksCard } from './list-cards.tsx'
import { EquityCard, PositionsCard, SHOWN_POSITIONS, useOwnBots } from './own-bots.tsx'
import { SignalCard } from './signal-card.tsx'
import { StatusRow } from './status-row.tsx'
import { Torus } from './torus.tsx'
import { useWatchlist, WatchButton, Watchlist } from './watchlist.tsx'
import { useWelcomePlace, WelcomeCard } from './welcome-card.tsx'

const TradeTicket = onDemand(async () => (await import('#entities/trade/trade-ticket.tsx')).TradeTicket)

/** How many rows the positions take, from which the chart has its height on a wide screen. */
const positionRows = (own: readonly Bot[] | undefined): CSSProperties & Record<`--${string}`, number> => ({
  '--positions': Math.min(SHOWN_POSITIONS, Math.max(2, positionsOf(own ?? []).length)),
})

/** The first page: state of the system, Bitcoin's chart with what the model says of it, the user's bots, and what is new. */
export function DashboardPage() {
  // Its clocks.
  useTimeZone()
  const welcomePlace = useWelcomePlace()
  const own = useOwnBots()
  const hasBots = own?.length !== 0
  const [traded, setTraded] = useState<string | null>(null)
  return (
    <div className={layout.pageColumn}>
      <h1 className={layout.visuallyHidden}>Dashboard</h1>
      <LoadError />
      <FirstModelNote isListed />
      {welcomePlace === 'top' && <WelcomeCard />}
      <StatusRow />
      <div className={hasBots ? `${css.cards} ${css.withBots}` : css.cards} style={positionRows(own)}>
        <div className={css.lead}>
          <div className={css.chart}>
            <ChartCard height="var(--chart-height, 300px)" onTrade={setTraded} />
          </div>
          <div className={css.signal}>
            {traded === null ? <SignalCard /> : <OrderTicket symbol={traded} onClose={() => setTraded(null)} />}
          </div>
        </div>
        {hasBots && (
          <div className={css.mine}>
            <div className={css.equity}>
              <EquityCard own={own} />
            </div>
            <div className={css.positions}>
              <PositionsCard own={own} />
            </div>
          </div>
        )}
        <div className={css.lists}>
          <div className={css.botsAndTorus}>
            <PublicBotsCard />
            <Torus />
          </div>
          <RecentRunsCard />
          <TasksCard />
        </div>
      </div>
      {welcomePlace === 'end' && <WelcomeCard />}
    </div>
  )
}

/** An order of the virtual account, in the place of the signal. */
const OrderTicket = ({ symbol, onClose }: { symbol: string; onClose: () => void }) => (
  <Card
    title="Trade"
    facts={`${symbol} · virtual`}
    actions={
      <>
        <LinkButton to={tradePath(symbol)} size="small" variant="text" aria-label="Open page">
          Page
        </LinkButton>
        <Button size="small" onClick={onClose} aria-label="ML Signal">
          Signal
        </Button>
      </>
    }
  >
    <TradeTicket key={symbol} symbol={symbol} isVirtual />
  </Card>
)

/** Without the state of the system or the price the dashboard cannot be trusted: says why, and how old its figures are. */
function LoadError() {
  const health = useHealth()
  const price = useTicker(DEFAULT_SERIES.symbol)
  const healthError = useLastError(health)
  const priceError = useLastError(price)
  const error = healthError ?? priceError
  if (error === null) return null
  const failed = healthError === null ? price : health
  const age = failed.dataUpdatedAt === 0 ? '' : ` Figures as of ${formatClock(failed.dataUpdatedAt)}.`
  return (
    <Banner kind="error" title={errorText(error, 'Data loading error')} action={<RetryButton reply={failed} />}>
      {errorDetail(error)}
      {age}
    </Banner>
  )
}

/** A market's chart with what the current model said of its candles, and its fan of those to come. A phone has a page for the ticket. */
function ChartCard({ height, onTrade }: { height: string; onTrade: (symbol: string) => void }) {
  const { symbol, timeframe, put } = useChartSeries()
  const user = useUser()
  const { rows, loadOlder, error } = usePredictions({ symbol, timeframe, limit: CHART_CANDLES })
  const cloud = usePredictionFan(symbol, timeframe, FUTURE_STEPS, rows !== undefined && rows.length > 0)
  const { nameOf } = useSymbolChoices(symbol)
  const watching = useWatchlist()
  const isNarrow = useIsNarrow()
  const series = { symbol, timeframe }
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
            {isNarrow ? (
              <LinkButton to={tradePath(symbol)} size="small">
                Trade
              </LinkButton>
            ) : (
              <Button size="small" onClick={() => onTrade(symbol)}>
                Trade
              </Button>
            )}
          </>
        )
      }
      above={<Watchlist watching={watching} shown={series} nameOf={nameOf} onChoose={put} />}
      onSeries={put}
    />
  )
}
