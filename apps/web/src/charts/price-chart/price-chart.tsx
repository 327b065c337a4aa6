import type { ChartLine } from '@shapecast/contracts/charts'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { formatPrice } from '#kit/format/money.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note } from '#kit/ui/primitives.tsx'
import { useDrawnWith } from '../chart-look.ts'
import { ValueTable } from '../value-table.tsx'
import type { VisibleRange } from '../visible-range.ts'
import { createPriceChart, type PriceChartHandle } from './create-price-chart.ts'
import type { ChartSpot } from './drawn-lines.ts'
import { type HoverStore, useHover } from './hovered.ts'
import type { OwnMarks } from './own-marks.ts'
import css from './price-chart.module.css'
import { priceHeads, priceRows } from './price-in-words.ts'
import type { PriceScene } from './price-scene.ts'

/** From here on the tooltip stands left of its point, so that it stays inside the chart. */
const FLIP_BELOW_PX = 190

/** The predicted price of the model line near the pointer. */
function LineTooltip({
  scene,
  hover,
  tickSize,
  widthPx,
}: {
  scene: PriceScene
  hover: HoverStore
  tickSize: number | undefined
  /** Of the chart. */
  widthPx: () => number
}) {
  const line = useHover(hover)?.line ?? null
  if (line === null) return null
  const { times, count, stepMs } = scene.model
  const t = line.index < count ? times[line.index]! : times[count - 1]! + (line.index - count + 1) * stepMs
  const isLeft = line.at.x > widthPx() - FLIP_BELOW_PX
  return (
    <Note
      aria-hidden="true"
      tone="text2"
      className={css.tooltip}
      style={{ left: line.at.x, top: line.at.y }}
      data-left={isLeft}
    >
      <span>{line.name} prediction</span> <b>{formatPrice(line.price, tickSize)}</b>
      <div>{formatDateTimeYear(t)}</div>
    </Note>
  )
}

const KEYS = 'Arrow keys pan, plus and minus zoom, 0 shows the newest candles.'

/**
 * The price chart itself. `shown` is the number of candles in view at first; `onNearOldest` is called whenever few older
 * candles are left to pan to. `name` says what is drawn, such as `BTC/USDT 1h`, and `summary` what there is to see.
 */
export function PriceChart({
  scene,
  shown,
  name,
  summary,
  tickSize,
  height,
  isFull,
  hover,
  onNearOldest,
  lines,
  own,
  onPress,
  picture,
}: {
  scene: PriceScene
  shown: number
  name: string
  summary: string
  tickSize: number | undefined
  /** In px, or as the style says. */
  height: number | string
  isFull: boolean
  hover: HoverStore
  onNearOldest: () => void
  /** What was drawn on it. */
  lines: readonly ChartLine[]
  /** What an account did and holds. */
  own: OwnMarks | null
  /** A press on a price. */
  onPress: (spot: ChartSpot) => void
  /** Where a picture of the chart is to be had while it is there. */
  picture: RefObject<PriceChartHandle['picture'] | null>
}) {
  const element = useRef<HTMLDivElement>(null)
  const handle = useRef<PriceChartHandle | null>(null)
  // Kept while the page is hidden, when there is no chart.
  const moved = useRef<VisibleRange | null>(null)
  const [isHome, setIsHome] = useState(true)
  const summaryId = useId()
  // The chart is made once; what it needs of later renders it looks up here.
  const latest = useRef({ scene, lines, own, tickSize, onNearOldest, onPress })
  latest.current = { scene, lines, own, tickSize, onNearOldest, onPress }

  const drawnWith = useDrawnWith()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it draws the colours and clocks of now
  useEffect(() => {
    if (element.current === null) return
    handle.current = createPriceChart(
      element.current,
      latest.current.scene,
      shown,
      (value) => formatPrice(value, latest.current.tickSize),
      {
        onHover: hover.set,
        onPress: (spot) => latest.current.onPress(spot),
        onView(state) {
          setIsHome(state.isHome)
          if (state.isNearOldest) latest.current.onNearOldest()
        },
      },
      moved.current,
    )
    picture.current = handle.current.picture
    handle.current.draw(latest.current.lines)
    if (latest.current.own !== null) handle.current.mark(latest.current.own)
    return () => {
      hover.set(null)
      moved.current = handle.current?.moved() ?? null
      handle.current?.remove()
      handle.current = null
      picture.current = null
    }
  }, [shown, hover, picture, drawnWith])

  useEffect(() => handle.current?.show(scene), [scene])
  useEffect(() => handle.current?.draw(lines), [lines])
  useEffect(() => void (own !== null && handle.current?.mark(own)), [own])
  // biome-ignore lint/correctness/useExhaustiveDependencies: prices are written by it
  useEffect(() => handle.current?.relabel(), [tickSize])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it writes the clocks of now
  const rows = useMemo(() => priceRows(scene, tickSize), [scene, tickSize, drawnWith])
  return (
    <figure style={{ position: 'relative' }}>
      <div
        ref={element}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys pan and zoom it
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label={`${name} price chart. ${KEYS}`}
        aria-describedby={summaryId}
        className={css.plot}
        style={{ height: isFull ? 'var(--full)' : height }}
      />
      <LineTooltip
        scene={scene}
        hover={hover}
        tickSize={tickSize}
        widthPx={() => element.current?.clientWidth ?? Number.POSITIVE_INFINITY}
      />
      {!isHome && (
        <Button
          size="small"
          onClick={() => {
            handle.current?.reset()
            element.current?.focus()
          }}
          style={{ position: 'absolute', right: 80, top: 4, zIndex: 3 }}
          title="Show the newest candles and let the prices fit by themselves"
        >
          Reset
        </Button>
      )}
      <figcaption id={summaryId} className={layout.visuallyHidden}>
        {summary}
      </figcaption>
      <ValueTable caption={`${name}, newest candles`} heads={priceHeads(scene)} rows={rows} />
    </figure>
  )
}
