import { type ChartLine, chartLines, keepChartLines } from '@shapecast/contracts/charts'
import { useEffect, useState } from 'react'
import { formatPrice } from '#kit/format/money.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { indexAtOrBefore } from '../candle-index.ts'
import type { PriceModel } from './price-model.ts'

/** A price at an open time, ms. */
export interface ChartSpot {
  readonly t: number
  readonly price: number
}

type Clock = Pick<PriceModel, 'times' | 'count' | 'stepMs'>

/** Candle, in parts, at `t`: also before the first and after the last one. */
export function candleAt({ times, count, stepMs }: Clock, t: number): number {
  const index = Math.max(0, Math.min(count - 1, indexAtOrBefore(times, t)))
  return index + (t - times[index]!) / stepMs
}

/** Open time of a candle, also of those to come; null before the first one. */
export function timeAt({ times, count, stepMs }: Clock, index: number): number | null {
  if (index < 0 || count === 0) return null
  return index < count ? times[index]! : times[count - 1]! + (index - count + 1) * stepMs
}

/** A line in words: 'the line at 60,000.0', 'the trend line from 20 Nov, 14:00 UTC'. */
export const lineWords = (line: ChartLine, tickSize: number | undefined): string =>
  line.kind === 'level'
    ? `line at ${formatPrice(line.price, tickSize)}`
    : `trend line from ${formatDateTime(line.from.t)}`

/** What is being drawn: a level, or a trend line with or without its first spot. */
export type Drawing = { readonly kind: 'level' } | { readonly kind: 'trend'; readonly from: ChartSpot | null }

/** What a press does to a drawing: a line that is done, or the next step; as it was where a line would not lead on. */
export function pressed(drawing: Drawing, spot: ChartSpot): { line: ChartLine } | { drawing: Drawing } {
  if (drawing.kind === 'level') return { line: { kind: 'level', price: spot.price } }
  const { from } = drawing
  if (from === null) return { drawing: { kind: 'trend', from: spot } }
  if (from.t === spot.t) return { drawing }
  const [first, second] = from.t < spot.t ? [from, spot] : [spot, from]
  return { line: { kind: 'trend', from: first, to: second } }
}

const NONE: readonly ChartLine[] = []

/** What the signed-in user has drawn on a symbol, and the drawing of more. */
export function useDrawnLines(symbol: string) {
  const user = useUser()
  const params = { symbol }
  const reply = useEndpointQuery(chartLines, { params }, { enabled: user !== null })
  const keep = useEndpointMutation(keepChartLines)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => {
    if (drawing === null) return
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && setDrawing(null)
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [drawing])
  // What is on its way is drawn already.
  const underWay = keep.isPending && keep.variables.params.symbol === symbol ? keep.variables.body.lines : undefined
  const lines = underWay ?? reply.data?.lines ?? NONE
  const put = (next: readonly ChartLine[]) => keep.mutate({ params, body: { lines: [...next] } })
  return {
    mayDraw: user !== null,
    /** Whether what is kept is known, so that it can be added to. */
    isReady: reply.data !== undefined,
    lines,
    drawing,
    setDrawing,
    press(spot: ChartSpot) {
      if (drawing === null) return
      const done = pressed(drawing, spot)
      if ('drawing' in done) return setDrawing(done.drawing)
      put([...lines, done.line])
      setDrawing(null)
    },
    remove: (line: ChartLine) => put(lines.filter((each) => each !== line)),
    removeAll: () => put([]),
    error: keep.error,
  }
}
export type DrawnLines = ReturnType<typeof useDrawnLines>
