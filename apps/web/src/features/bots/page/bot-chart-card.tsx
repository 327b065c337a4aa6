import { type BotBalance, type BotTrade, botTrades, type OpenBotPosition } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { type CandleRow, type Market, ohlcv } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { BacktestChart } from '#charts/backtest-chart/backtest-chart.tsx'
import type { BacktestChartInput, PriceLevel } from '#charts/backtest-chart/backtest-chart-data.ts'
import { ChartLegend, type LegendItem } from '#charts/backtest-chart/chart-legend.tsx'
import { FUTURE_STEPS, priceFan } from '#charts/price-chart/price-input.ts'
import { futureLabel } from '#charts/price-chart/price-scene.ts'
import { usePredictionFan } from '#entities/models/use-prediction-fan.ts'
import { formatPnlUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { MenuSelect } from '#kit/ui/menu-select.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Note } from '#kit/ui/text.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS, useBotBalance, useBotEquity } from '../use-bot.ts'
import css from './bot-page.module.css'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPANS = [
  { value: '1', label: '24 h' },
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
  { value: 'all', label: 'All' },
] as const
type Span = (typeof SPANS)[number]['value']
/** Fewer say nothing, more are not told apart. */
const [FEWEST_CANDLES, MOST_CANDLES] = [60, 5000]
const MOST_TRADES = 1000

const NO_CANDLES: readonly CandleRow[] = []

const legendOf = (equityPct: number | null, holdPct: number | null, hasFan: boolean): readonly LegendItem[] => [
  { pattern: 'long_entry', word: 'Long' },
  { pattern: 'short_entry', word: 'Short' },
  { pattern: 'profit_exit', word: 'Profit' },
  { pattern: 'loss_exit', word: 'Loss' },
  { pattern: 'equity', word: `Equity ${formatChangePct(equityPct)}` },
  { pattern: 'ema_slow', word: `Buy and hold ${formatChangePct(holdPct)}` },
  ...(hasFan ? [{ pattern: 'fan', word: 'Range 50% and 90%' } as const] : []),
]

/** A stretch of a pair that the chart is to move to. */
export interface LookedAt {
  readonly symbol: string
  readonly fromMs: number
  readonly toMs: number
}

/** Of a position what does not change with each price: the chart is drawn again only when this does. */
type DrawnPosition = Pick<
  OpenBotPosition,
  'symbol' | 'side' | 'entryPrice' | 'entryTime' | 'takeProfitPrice' | 'stopLossPrice'
>
const drawnOf = ({ positions }: BotBalance): DrawnPosition[] =>
  positions.map(({ symbol, side, entryPrice, entryTime, takeProfitPrice, stopLossPrice }) => ({
    symbol,
    side,
    entryPrice,
    entryTime,
    takeProfitPrice,
    stopLossPrice,
  }))

function levelsOf(position: DrawnPosition | null): PriceLevel[] {
  if (position === null) return []
  const { entryPrice, entryTime: since, takeProfitPrice, stopLossPrice } = position
  const away = (price: number) => formatChangePct((100 * (price - entryPrice)) / entryPrice)
  const level = (name: string, price: number | null, tone: PriceLevel['tone']): PriceLevel[] =>
    price === null ? [] : [{ name: `${name} ${away(price)}`, price, tone, since }]
  return [
    { name: 'Average entry', price: entryPrice, tone: 'plain', since },
    ...level('Target', takeProfitPrice, 'up'),
    ...level('Stop', stopLossPrice, 'down'),
  ]
}

/** How many candles cover a span, from the bot's beginning at the longest. */
function candlesOf(span: Span, bot: Bot, stepMs: number, nowMs: number): number {
  const since = span === 'all' ? nowMs - bot.createdAt : Number(span) * DAY_MS
  return Math.min(MOST_CANDLES, Math.max(FEWEST_CANDLES, Math.ceil(since / stepMs) + 1))
}

/** Percent from the first point on `candles` to the last. */
function changePct(points: BacktestChartInput['equity'], fromMs: number | undefined): number | null {
  const first = points.find(({ t }) => fromMs !== undefined && t >= fromMs)
  const last = points.at(-1)
  return first === undefined || last === undefined || first.equity === 0 ? null : 100 * (last.equity / first.equity - 1)
}

/** What a bot traded on the candles that it decides on, its equity beside the same money held, and how far it fell. */
export function BotChartCard({
  bot,
  marketOf,
  lookAt,
}: {
  bot: Bot
  marketOf: (symbol: string) => Market | undefined
  lookAt: LookedAt | null
}) {
  const [symbol, setSymbol] = useState(bot.positions[0]?.symbol ?? bot.tradingPairs[0]!)
  const [showsTrades, setShowsTrades] = useState(true)
  const timeframe = bot.parameters?.timeframe ?? '1h'
  const stepMs = TIMEFRAME_MS[timeframe]
  const [span, setSpan] = useState<Span>(stepMs < HOUR_MS ? '1' : stepMs === HOUR_MS ? '7' : '30')
  const nowMs = useHealthAndClock().data?.marketTime ?? null
  const limit = candlesOf(span, bot, stepMs, nowMs ?? Date.now())
  const [looked, setLooked] = useState(lookAt)
  if (lookAt !== looked) {
    setLooked(lookAt)
    if (lookAt !== null) {
      setSymbol(lookAt.symbol)
      if (lookAt.fromMs < (nowMs ?? Date.now()) - limit * stepMs) setSpan('all')
    }
  }
  const again = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData }
  const candles = useEndpointQuery(
    ohlcv,
    { params: { symbol }, query: { timeframe, limit } },
    // Closed candles alone: the one that forms would draw the chart again at every price.
    { ...again, select: (rows) => rows.filter(([ts]) => nowMs === null || ts + stepMs <= nowMs) },
  )
  const rows = candles.data ?? NO_CANDLES
  const trades = useEndpointQuery(botTrades, { params: { id: bot.id }, query: { limit: MOST_TRADES } }, again)
  const equity = useBotEquity(bot.id)
  const held = useBotBalance(bot.id, drawnOf)
  // What it asks for this pair; a bot that asks no model has none.
  const version = bot.models.find((one) => one.symbol === symbol)?.version
  const cloud = usePredictionFan(symbol, timeframe, FUTURE_STEPS, version !== undefined, version)
  // Of the bot only what is drawn: the rest changes with each price.
  const { initialBalance, maxDrawdown } = bot
  const input = useMemo(() => {
    const position = held.data?.find((one) => one.symbol === symbol) ?? null
    const limits = { initialBalance, maxDrawdown }
    const future = cloud === undefined ? null : { fan: priceFan(cloud), label: futureLabel(timeframe) }
    return inputOf({ limits, symbol, rows, trades: trades.data, equity: equity.data, position, showsTrades, future })
  }, [initialBalance, maxDrawdown, symbol, timeframe, rows, trades.data, equity.data, held.data, showsTrades, cloud])
  const firstMs = rows[0]?.[0]
  const look = useMemo(
    () => (lookAt !== null && lookAt.symbol === symbol && firstMs !== undefined ? { ...lookAt } : null),
    [lookAt, symbol, firstMs],
  )
  const legend = useMemo(
    () =>
      legendOf(
        changePct(equity.data?.points ?? [], firstMs),
        changePct(equity.data?.hold ?? [], firstMs),
        cloud !== undefined,
      ),
    [equity.data, firstMs, cloud],
  )
  const market = marketOf(symbol)
  const shown = input?.trades.length ?? 0
  return (
    <Card
      title={market?.symbol ?? symbol}
      facts={timeframe}
      actions={
        <>
          {bot.tradingPairs.length > 1 && (
            <MenuSelect
              look="chip"
              label="Pair"
              value={symbol}
              choices={bot.tradingPairs.map((pair) => ({ value: pair, label: pair }))}
              onChange={setSymbol}
            />
          )}
          <ToggleGroup label="Time shown" size="small" value={span} onChange={setSpan} choices={SPANS} />
          <Button
            size="small"
            variant={showsTrades ? 'secondary' : 'text'}
            aria-pressed={showsTrades}
            onClick={() => setShowsTrades(!showsTrades)}
          >
            Its trades
          </Button>
        </>
      }
    >
      <div className={css.legend}>
        <ChartLegend items={legend} />
        {firstMs !== undefined && <Note as="span">since {formatDateTime(firstMs)}</Note>}
      </div>
      <QueryBoundary reply={candles} title="The candles could not be loaded">
        <SkeletonGroup label="Loading the chart">
          <SkeletonBox height={480} />
        </SkeletonGroup>
      </QueryBoundary>
      {candles.data !== undefined && input === null && <EmptyLine>No candle of {symbol} has closed yet.</EmptyLine>}
      {input !== null && (
        <>
          <BacktestChart
            input={input}
            tickSize={market?.tickSize}
            quote="USDT"
            lookAt={look}
            summary={`${symbol} with ${formatCounted(shown, 'closed trade')} of ${bot.name}; it has made ${formatPnlUnit(bot.totalPnL, 'USDT')} in all.`}
          />
          {bot.totalTrades > MOST_TRADES && <Note>Its newest {formatCounted(MOST_TRADES, 'trade')} are drawn.</Note>}
        </>
      )}
    </Card>
  )
}

/** Null without a closed candle. */
function inputOf({
  limits,
  symbol,
  rows,
  trades = [],
  equity,
  position,
  showsTrades,
  future,
}: {
  limits: Pick<Bot, 'initialBalance' | 'maxDrawdown'>
  symbol: string
  rows: readonly CandleRow[]
  trades: readonly BotTrade[] | undefined
  equity:
    | { initialBalance: number; points: BacktestChartInput['equity']; hold: BacktestChartInput['equity'] }
    | undefined
  position: DrawnPosition | null
  showsTrades: boolean
  future: BacktestChartInput['future']
}): BacktestChartInput | null {
  const first = rows[0]?.[0]
  if (first === undefined) return null
  return {
    candles: rows,
    trades: showsTrades ? trades.filter((trade) => trade.symbol === symbol && trade.exitTime >= first).reverse() : [],
    openPosition: showsTrades ? position : null,
    equity: equity?.points ?? [],
    hold: equity?.hold ?? [],
    predictions: [],
    initialBalance: limits.initialBalance,
    seen: [],
    inPercent: true,
    levels: levelsOf(position),
    maxDrawdownPct: limits.maxDrawdown,
    future: future ?? null,
  }
}
