import type { WatchedSeries } from '@shapecast/contracts/charts'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useCandles } from '#entities/markets/use-candles.ts'
import { useMarketOf, useSymbolChoices } from '#entities/markets/use-market-of.ts'
import { useKeptChoices } from '#kit/kept.ts'
import { Card, SkeletonBox } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { FullScreen } from '#kit/ui/full-screen.tsx'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Row } from '#kit/ui/primitives.tsx'
import { saveFile } from '#wire/calls/save-file.ts'
import { INDICATORS } from '../indicator-lines.ts'
import { ChartChoices } from './chart-menu.tsx'
import { ChartAwaited, ChartNotes, ChartSkeleton } from './chart-states.tsx'
import type { PriceChartHandle } from './create-price-chart.ts'
import { type ChartSpot, useDrawnLines } from './drawn-lines.ts'
import { createHoverStore } from './hovered.ts'
import type { OwnMarks } from './own-marks.ts'
import css from './price-chart.module.css'
import { priceSummary } from './price-in-words.ts'
import type { PriceChartType, PriceFan, PricePrediction } from './price-input.ts'
import { PriceFacts, PriceLegend } from './price-legend.tsx'
import { type PriceScene, usePriceScene } from './price-scene.ts'

/** The chart itself with its library: asked for while its candles are on their way. */
const loadChart = () => import('./price-chart.tsx')
const PriceChart = lazy(async () => ({ default: (await loadChart()).PriceChart }))

/** Their code may come after the chart. */
const DrawingMenu = lazy(async () => ({ default: (await import('./drawing-menu.tsx')).DrawingMenu }))
const DrawingNote = onDemand(async () => (await import('./drawing-menu.tsx')).DrawingNote)

const TIMEFRAME_CHOICES = TIMEFRAMES.map((value) => ({ value, label: value }))
const NO_ROWS: PriceScene['model']['rows'] = []
const NO_PREDICTIONS: readonly PricePrediction[] = []

export interface PriceChartCardProps {
  /** `BTCUSDT` */
  symbol: string
  timeframe?: Timeframe
  /** Candles in view at first; panning loads up to 10,000. */
  limit?: number
  /** Of the chart itself: px, or as a style says it. */
  height?: number | string
  chartType?: PriceChartType
  showEma?: boolean
  /** What a model said of the candles; the same array between renders while nothing has come. */
  predictions?: readonly PricePrediction[]
  fan?: PriceFan | null
  /** Whether predictions are on their way: a phone keeps room for the legend that they bring. */
  arePredictionsAwaited?: boolean
  /** What went wrong with the predictions, null where nothing did. */
  predictionsError?: unknown
  /** Called with the open time of the oldest candle, ms, while few are left to pan to: time for older predictions too. */
  onNearOldest?: (oldestMs: number) => void
  /** What an account did with the coin, and what it holds of it. */
  own?: OwnMarks | null
  /** A press on a price of the chart, quote per base. */
  onPrice?: (price: number) => void
  /** Shows another symbol or timeframe, where they can be changed. */
  onSeries?: (part: Partial<WatchedSeries>) => void
  /** Stands before the chart's own choices. */
  action?: ReactNode
  /** Stands above the legend. */
  above?: ReactNode
}

/** A market's price chart with its legend and its choices, in a card. It loads its own candles. */
export function PriceChartCard({
  symbol,
  timeframe = '1h',
  limit = 100,
  height = 300,
  chartType = 'candles',
  showEma = true,
  predictions = NO_PREDICTIONS,
  fan = null,
  arePredictionsAwaited = false,
  predictionsError = null,
  onNearOldest,
  own = null,
  onPrice,
  onSeries,
  action,
  above,
}: PriceChartCardProps) {
  const [type, setType] = useState(chartType)
  const [indicators, setIndicator] = useKeptChoices('chartIndicators', INDICATORS, showEma ? ['ema'] : [])
  const [isFull, setFull] = useState(false)
  const [hover] = useState(createHoverStore)
  const picture = useRef<PriceChartHandle['picture'] | null>(null)
  const { query, rows, loadOlder, isLoadingOlder, olderError } = useCandles({ symbol, timeframe, limit })
  const market = useMarketOf(symbol)
  const { choices } = useSymbolChoices(symbol)
  const name = `${market?.symbol ?? symbol} ${timeframe}`
  const scene = usePriceScene({ rows: rows ?? NO_ROWS, timeframe, predictions, fan, type, indicators })
  useEffect(() => void loadChart().catch(() => undefined), [])
  const hasCandles = scene.model.count > 0
  const hasPredictions = query.isPending || arePredictionsAwaited || predictions.length > 0
  const drawn = useDrawnLines(symbol)
  const tickSize = market?.tickSize
  const press = ({ t, price }: ChartSpot) =>
    drawn.drawing === null ? onPrice?.(price) : drawn.press({ t, price: onTick(price, tickSize) })
  // Looked up when it is asked for, so that the choices are not drawn again.
  const nameNow = useRef(name)
  nameNow.current = name
  const savePicture = useCallback(() => {
    picture.current?.(nameNow.current).toBlob((content) => {
      const file = `${nameNow.current.replace(/\W+/g, '-')}.png`
      if (content !== null) saveFile({ name: file, content }, file)
    }, 'image/png')
  }, [])
  return (
    <FullScreen isOn={isFull} label={`${name} price chart`} onClose={() => setFull(false)}>
      <Card
        title={
          onSeries === undefined ? (
            (market?.symbol ?? symbol)
          ) : (
            <MenuSelect
              label="Symbol"
              look="title"
              value={symbol}
              choices={choices}
              onChange={(next) => onSeries({ symbol: next })}
            />
          )
        }
        facts={
          <Row gap={1.5}>
            {onSeries === undefined ? (
              <Chip label={timeframe} tone="outline" />
            ) : (
              <MenuSelect
                label="Timeframe"
                look="chip"
                value={timeframe}
                choices={TIMEFRAME_CHOICES}
                onChange={(next) => onSeries({ timeframe: next })}
              />
            )}
            <PriceFacts scene={scene} hover={hover} tickSize={market?.tickSize} />
          </Row>
        }
        actions={
          <>
            {action}
            {drawn.mayDraw && (
              <Suspense fallback={<div style={{ width: 30 }} />}>
                <DrawingMenu drawn={drawn} tickSize={tickSize} isDisabled={!hasCandles || !drawn.isReady} />
              </Suspense>
            )}
            <ChartChoices
              type={type}
              onType={setType}
              indicators={indicators}
              onIndicator={setIndicator}
              isFull={isFull}
              onFull={setFull}
              onPicture={savePicture}
            />
          </>
        }
      >
        {above}
        {hasCandles && (drawn.drawing !== null || drawn.error !== null) && (
          <DrawingNote drawn={drawn} model={scene.model} />
        )}
        <Row gap={2} lineGap={0.5} wrap className={hasPredictions ? css.room : undefined} style={{ marginBottom: 8 }}>
          {hasCandles ? (
            <PriceLegend scene={scene} hover={hover} tickSize={market?.tickSize} />
          ) : query.isPending ? (
            <SkeletonBox width={220} />
          ) : null}
        </Row>
        <div style={{ position: 'relative' }}>
          {hasCandles ? (
            <Suspense fallback={<ChartSkeleton height={height} />}>
              <PriceChart
                key={`${symbol} ${timeframe}`}
                scene={scene}
                name={name}
                shown={limit}
                summary={priceSummary(scene, name, market?.tickSize)}
                height={height}
                isFull={isFull}
                hover={hover}
                picture={picture}
                tickSize={market?.tickSize}
                lines={drawn.lines}
                own={own}
                onPress={press}
                onNearOldest={() => {
                  loadOlder()
                  onNearOldest?.(scene.model.times[0]!)
                }}
              />
            </Suspense>
          ) : (
            <ChartAwaited query={query} name={name} height={height} />
          )}
          <ChartNotes
            isLoadingOlder={isLoadingOlder}
            olderError={olderError}
            refreshError={hasCandles ? query.error : null}
            predictionsError={hasCandles ? predictionsError : null}
            // Looked at only where it is shown: who asks for it is drawn again at every reply.
            updatedAtMs={query.error === null ? 0 : query.dataUpdatedAt}
          />
        </div>
      </Card>
    </FullScreen>
  )
}

const onTick = (price: number, tick = 0): number =>
  tick > 0 ? Number((Math.round(price / tick) * tick).toFixed(8)) : price
