import { type BotBalance, botEquity, botTrades } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { type CandleRow, ohlcv } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { keepPreviousData } from '@tanstack/react-query'
import { Maximize2, Minimize2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { BacktestChart } from '#charts/backtest-chart/backtest-chart.tsx'
import type { BacktestChartInput } from '#charts/backtest-chart/backtest-chart-data.ts'
import { ChartLegend, type LegendItem } from '#charts/backtest-chart/chart-legend.tsx'
import { FUTURE_STEPS, priceFan } from '#charts/price-chart/price-input.ts'
import { futureLabel } from '#charts/price-chart/price-scene.ts'
import type { PriceLevel } from '#charts/primitives/price-levels.ts'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { usePredictionFan } from '#entities/models/use-prediction-fan.ts'
import { formatPnlUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { IconButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { FullScreen } from '#kit/ui/full-screen.tsx'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { Note, Row } from '#kit/ui/primitives.tsx'
import { Toggle, ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS, useBotBalance, useBotEquity } from '../use-bot.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPANS = [
  { value: '1', label: '24 h' },
  { value: '3', label: '3 d' },
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
  { value: 'all', label: 'All' },
] as const
type Span = (typeof SPANS)[number]['value']
/** Fewer say nothing, more are not told apart. */
const [FEWEST_CANDLES, MOST_CANDLES] = [60, 5000]
const MOST_TRADES = 1000
const MOST_EQUITY_POINTS = 2000

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
const drawnOf = ({ positions }: BotBalance) =>
  positions.map(({ symbol, side, entryPrice, entryTime, takeProfitPrice, stopLossPrice }) => ({
    symbol,
    side,
    entryPrice,
    entryTime,
    takeProfitPrice,
    stopLossPrice,
  }))
type DrawnPosition = ReturnType<typeof drawnOf>[number]

const drawdownOf = ({ drawdownPct }: BotBalance): number => drawdownPct

/** `Drawdown −1.29%; at −15% it closes its position and pauses`; `isShort` its first part. */
const fallWords = (drawdownPct: number, limitPct: number, isShort: boolean): string =>
  `Drawdown ${formatChangePct(-drawdownPct)}${isShort ? '' : `; at −${formatLimitPct(limitPct)} it closes its position and pauses`}`

function levelsOf(position: DrawnPosition | null): PriceLevel[] {
  if (position === null) return []
  const { entryPrice, entryTime: since, takeProfitPrice, stopLossPrice } = position
  const away = (price: number) => formatChangePct((100 * (price - entryPrice)) / entryPrice)
  const level = (name: string, price: number | null, tone: PriceLevel['tone']): PriceLevel[] =>
    price === null ? [] : [{ name: `${name} ${away(price)}`, price, tone, since, shadedFrom: entryPrice }]
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

/** The equity of all its time, or where that is thinned all of it from a time on, with the highest before. */
function useCurve(id: string, stepMs: number, fromMs: number | undefined) {
  const whole = useBotEquity(id).data
  const [first, last] = [whole?.points[0], whole?.points.at(-1)]
  const isThinned = whole !== undefined && first !== undefined && (last!.t - first.t) / stepMs >= whole.points.length
  const part = useEndpointQuery(
    botEquity,
    { params: { id }, query: { since: fromMs ?? 0, limit: MOST_EQUITY_POINTS } },
    { enabled: isThinned && fromMs !== undefined, refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
  ).data
  return useMemo(() => {
    if (whole === undefined || part === undefined || fromMs === undefined) return whole
    const before = whole.points.filter(({ t }) => t < fromMs).map(({ equity }) => equity)
    return { ...part, initialBalance: Math.max(whole.initialBalance, ...before) }
  }, [whole, part, fromMs])
}

/** What a bot traded on the candles that it decides on, its equity beside the same money held, and how far it fell. */
export function BotChartCard({ bot, lookAt }: { bot: Bot; lookAt: LookedAt | null }) {
  const [symbol, setSymbol] = useState(bot.positions[0]?.symbol ?? bot.tradingPairs[0]!)
  const [showsTrades, setShowsTrades] = useState(true)
  const [isFull, setFull] = useState(false)
  const [facts, setFacts] = useState<HTMLElement | null>(null)
  const isNarrow = useIsNarrow()
  const timeframe = bot.parameters?.timeframe ?? '1h'
  const stepMs = TIMEFRAME_MS[timeframe]
  const [span, setSpan] = useState<Span>(stepMs < HOUR_MS ? '1' : stepMs > HOUR_MS ? '30' : isNarrow ? '3' : '7')
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
  const equity = useCurve(bot.id, stepMs, span === 'all' ? undefined : candles.data?.[0]?.[0])
  const held = useBotBalance(bot.id, drawnOf)
  const drawdown = useBotBalance(bot.id, drawdownOf).data
  // What it asks for this pair; a bot that asks no model has none.
  const version = bot.models.find((one) => one.symbol === symbol)?.version
  const cloud = usePredictionFan(symbol, timeframe, FUTURE_STEPS, version !== undefined, version)
  // Of the bot only what is drawn: the rest changes with each price.
  const { maxDrawdown } = bot
  const input = useMemo((): BacktestChartInput | null => {
    const first = rows[0]?.[0]
    if (first === undefined) return null
    const position = held.data?.find((one) => one.symbol === symbol) ?? null
    const drawn = (trades.data ?? []).filter((trade) => trade.symbol === symbol && trade.exitTime >= first)
    return {
      candles: rows,
      trades: showsTrades ? drawn.reverse() : [],
      openPosition: showsTrades ? position : null,
      equity: equity?.points ?? [],
      hold: equity?.hold ?? [],
      predictions: [],
      initialBalance: equity?.initialBalance ?? 0,
      seen: [],
      inPercent: true,
      namesResults: true,
      levels: levelsOf(position),
      maxDrawdownPct: maxDrawdown,
      future: cloud === undefined ? null : { fan: priceFan(cloud), label: futureLabel(timeframe) },
    }
  }, [maxDrawdown, symbol, timeframe, rows, trades.data, equity, held.data, showsTrades, cloud])
  const firstMs = rows[0]?.[0]
  const look = useMemo(
    () => (lookAt !== null && lookAt.symbol === symbol && firstMs !== undefined ? { ...lookAt } : null),
    [lookAt, symbol, firstMs],
  )
  const legend = useMemo(
    () =>
      legendOf(changePct(equity?.points ?? [], firstMs), changePct(equity?.hold ?? [], firstMs), cloud !== undefined),
    [equity, firstMs, cloud],
  )
  const market = useMarketOf(symbol)
  const shown = input?.trades.length ?? 0
  return (
    <FullScreen isOn={isFull} label={`${symbol} with the trades of ${bot.name}`} onClose={() => setFull(false)}>
      <Card
        title={market?.symbol ?? symbol}
        facts={
          <Row as="span" gap={1.5}>
            <Chip label={timeframe} tone="outline" />
            {!isNarrow && <span ref={setFacts} />}
          </Row>
        }
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
            <ToggleGroup
              label="Time shown"
              size="small"
              value={span}
              onChange={setSpan}
              choices={isNarrow ? SPANS.filter(({ value }) => value !== '30' || span === '30') : SPANS}
            />
            <Toggle label="Drawn on it" size="small" isOn={showsTrades} onChange={setShowsTrades}>
              Its trades
            </Toggle>
            {!isNarrow && (
              <IconButton
                size="small"
                aria-label={isFull ? 'Leave the whole screen' : 'Chart on the whole screen'}
                onClick={() => setFull(!isFull)}
              >
                {isFull ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
              </IconButton>
            )}
          </>
        }
      >
        <Row wrap gap={2} lineGap={0.5} align="stretch" style={{ paddingBottom: 8 }}>
          <ChartLegend items={legend} />
          {firstMs !== undefined && <Note as="span">since {formatDateTime(firstMs)}</Note>}
        </Row>
        <QueryBoundary reply={candles} title="The candles could not be loaded">
          <SkeletonGroup label="Loading the chart" height={480} />
        </QueryBoundary>
        {candles.data !== undefined && input === null && <EmptyLine>No candle of {symbol} has closed yet.</EmptyLine>}
        {input !== null && (
          <>
            <BacktestChart
              input={input}
              tickSize={market?.tickSize}
              quote="USDT"
              lookAt={look}
              factsIn={facts}
              drawdownWords={drawdown === undefined ? undefined : fallWords(drawdown, maxDrawdown, isNarrow)}
              summary={`${symbol} with ${formatCounted(shown, 'closed trade')} of ${bot.name}; it has made ${formatPnlUnit(bot.totalPnL, 'USDT')} in all.`}
            />
            {bot.totalTrades > MOST_TRADES && <Note>Its newest {formatCounted(MOST_TRADES, 'trade')} are drawn.</Note>}
          </>
        )}
      </Card>
    </FullScreen>
  )
}
