import type { IndexSpan } from '../candle-index.ts'
import { drawLine, type Pane, panePrimitive } from './pane-primitive.ts'

export interface RangeShadeStyle {
  readonly fill: string
  readonly edge: string
  /** Words at the top of the edge, left and right of it; null in a pane that repeats the shade only. */
  readonly words: { readonly inside: string; readonly outside: string; readonly font: string } | null
  readonly insideColor: string
  readonly outsideColor: string
  /** Behind the words, so that a candle below does not cross them. */
  readonly wordGround: string
}

export interface ShadedBox {
  readonly left: number
  readonly right: number
  /** Whether an edge is the end of the shade and not the end of the screen or of the data. */
  readonly leftEdge: boolean
  readonly rightEdge: boolean
}

/**
 * Pixels that spans of candles cover in a pane `width` px wide. `x` gives the centre of a candle, `half` is half a
 * candle. An edge is marked where the data goes on beside it.
 */
export function shadedBoxes(
  spans: readonly IndexSpan[],
  x: (index: number) => number,
  half: number,
  count: number,
  width: number,
): ShadedBox[] {
  const boxes: ShadedBox[] = []
  for (const span of spans) {
    const left = x(span.from) - half
    const right = x(span.to) + half
    if (right <= 0 || left >= width) continue
    boxes.push({
      left: span.from === 0 ? 0 : Math.max(0, left),
      right: Math.min(width, right),
      leftEdge: span.from > 0 && left > 0,
      rightEdge: span.to < count - 1 && right < width,
    })
  }
  return boxes
}

/** Shades the candles on which a model was trained, over the whole height of its pane. */
export function rangeShade(
  spans: readonly IndexSpan[],
  count: number,
  { fill, edge, words, insideColor, outsideColor, wordGround }: RangeShadeStyle,
) {
  const boxesIn = ({ axes, width }: Pane) => shadedBoxes(spans, axes.x, axes.spacingPx / 2, count, width)
  return panePrimitive({
    bottom(pane) {
      const { context, height } = pane
      for (const { left, right, leftEdge, rightEdge } of boxesIn(pane)) {
        context.fillStyle = fill
        context.fillRect(left, 0, right - left, height)
        context.strokeStyle = edge
        context.lineWidth = 1
        context.setLineDash([2, 3])
        for (const x of [...(leftEdge ? [left] : []), ...(rightEdge ? [right] : [])])
          drawLine(context, Math.round(x) + 0.5, 0, Math.round(x) + 0.5, height)
        context.setLineDash([])
      }
    },
    top(pane) {
      if (words === null) return
      const { context, width } = pane
      context.font = words.font
      context.textBaseline = 'middle'
      const inside = context.measureText(words.inside).width
      const outside = context.measureText(words.outside).width
      const write = (text: string, wide: number, left: number, color: string) => {
        context.fillStyle = wordGround
        context.fillRect(left - 4, 5, wide + 8, 17)
        context.fillStyle = color
        context.fillText(text, left, 14)
      }
      const writeInside = (left: number) => write(words.inside, inside, left, insideColor)
      const writeOutside = (left: number) => write(words.outside, outside, left, outsideColor)
      for (const { left, right, leftEdge, rightEdge } of boxesIn(pane)) {
        if (rightEdge) {
          if (right - inside - 14 >= left) writeInside(right - inside - 9)
          if (right + outside + 14 <= width) writeOutside(right + 9)
          else if (leftEdge && left - outside - 14 >= 0) writeOutside(left - outside - 9)
        } else if (leftEdge) {
          if (left + inside + 14 <= right) writeInside(left + 9)
          if (left - outside - 14 >= 0) writeOutside(left - outside - 9)
        } else writeInside(left + 9)
      }
    },
  })
}
