import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { chartColors, FONT_FAMILY } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Note, Row } from '#kit/ui/primitives.tsx'
import { type ValueRow, ValueTable } from '../value-table.tsx'
import { type Axis, linearScale, type Scale } from './scales.ts'

/** A legend's mark as it is drawn in the plot, 18 × 10 px. */
interface PlotMark {
  readonly word: string
  readonly mark: ReactNode
}

export interface PlotFrameProps {
  /** What is seen, for a screen reader, and the caption of the figures. */
  label: string
  xTitle: string
  x: Axis
  y: Axis
  formatX: (value: number) => string
  formatY: (value: number) => string
  legend: readonly PlotMark[]
  /** Room for the words of the y axis. */
  leftPx?: number
  /** Room at the right, for what curves come to. */
  rightPx?: number
  /** The plot in figures: the heads, and a row a point. */
  heads: readonly string[]
  rows: readonly ValueRow[]
  children: (scales: { x: Scale; y: Scale; widthPx: number; bottomPx: number }) => ReactNode
}

const TOP_PX = 8
const FOOT_PX = 36
/** A plot is half as high as it is wide, within these. */
const HEIGHT_PX = { least: 220, most: 300 } as const
const FONT = { fontFamily: FONT_FAMILY, fontSize: 11, fill: chartColors.text } as const

/** The width that a box has now, px; 0 before it is laid out. */
function useWidthPx() {
  const box = useRef<HTMLDivElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setWidthPx(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { box, widthPx }
}

const LETTER_PX = 6.4
const BETWEEN_PX = 8

/** Every n-th tick, so that no text of the axis meets the next one. */
function spacedTicks(axis: Axis, format: (value: number) => string, scale: Scale): number[] {
  const widest = Math.max(0, ...axis.ticks.map((tick) => format(tick).length)) * LETTER_PX + BETWEEN_PX
  const [first, second] = axis.ticks
  const apart = first === undefined || second === undefined ? widest : scale(second) - scale(first)
  const every = Math.max(1, Math.ceil(widest / Math.max(1, apart)))
  return axis.ticks.filter((_, i) => i % every === 0)
}

/** Axes, grid and legend of a small plot; its figures follow as a table for those who cannot see it. */
export function PlotFrame({
  label,
  xTitle,
  x,
  y,
  formatX,
  formatY,
  legend,
  leftPx = 40,
  rightPx = 12,
  heads,
  rows,
  children,
}: PlotFrameProps) {
  const { box, widthPx } = useWidthPx()
  const heightPx = Math.round(Math.min(HEIGHT_PX.most, Math.max(HEIGHT_PX.least, widthPx / 2)))
  const bottomPx = heightPx - FOOT_PX
  const scaleX = linearScale(x.from, x.to, leftPx, Math.max(leftPx + 1, widthPx - rightPx))
  const scaleY = linearScale(y.from, y.to, bottomPx, TOP_PX)
  return (
    <figure className={layout.shrinks}>
      <Row as="ul" gap={2} lineGap={0.5} wrap aria-hidden className={layout.list} style={{ marginBottom: 4 }}>
        {legend.map(({ word, mark }) => (
          <Row as="li" gap={0.75} key={word}>
            <svg width="18" height="10" aria-hidden="true">
              {mark}
            </svg>
            <Note as="span" tone="text2">
              {word}
            </Note>
          </Row>
        ))}
      </Row>
      <div ref={box}>
        <svg width={widthPx} height={heightPx} aria-hidden="true" style={{ display: 'block', overflow: 'visible' }}>
          {y.ticks.map((tick) => (
            <g key={tick}>
              <line x1={leftPx} x2={widthPx - rightPx} y1={scaleY(tick)} y2={scaleY(tick)} stroke={chartColors.grid} />
              <text x={leftPx - 8} y={scaleY(tick) + 4} textAnchor="end" {...FONT}>
                {formatY(tick)}
              </text>
            </g>
          ))}
          {widthPx > 0 && children({ x: scaleX, y: scaleY, widthPx, bottomPx })}
          {spacedTicks(x, formatX, scaleX).map((tick) => (
            <text key={tick} x={scaleX(tick)} y={bottomPx + 17} textAnchor="middle" {...FONT}>
              {formatX(tick)}
            </text>
          ))}
          <text x={(leftPx + widthPx - rightPx) / 2} y={heightPx - 3} textAnchor="middle" {...FONT}>
            {xTitle}
          </text>
        </svg>
      </div>
      <figcaption>
        <ValueTable caption={label} heads={heads} rows={rows} />
      </figcaption>
    </figure>
  )
}
