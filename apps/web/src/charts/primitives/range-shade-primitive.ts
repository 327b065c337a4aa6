import type { Logical } from 'lightweight-charts'
import type { IndexSpan } from '../candle-index.ts'
import { type DrawTarget, drawInPixels, PanePrimitive } from './pane-primitive.ts'

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
export class RangeShadePrimitive extends PanePrimitive {
  readonly #spans: readonly IndexSpan[]
  readonly #count: number
  readonly #style: RangeShadeStyle

  constructor(spans: readonly IndexSpan[], count: number, style: RangeShadeStyle) {
    super({ bottom: (target) => this.#shade(target), top: (target) => this.#words(target) })
    this.#spans = spans
    this.#count = count
    this.#style = style
  }

  #boxes(width: number): ShadedBox[] {
    const scale = this.attachment?.chart.timeScale()
    if (scale === undefined) return []
    const x = (index: number) => scale.logicalToCoordinate(index as Logical) ?? 0
    return shadedBoxes(this.#spans, x, (x(1) - x(0)) / 2, this.#count, width)
  }

  #shade(target: DrawTarget): void {
    drawInPixels(target, ({ context, mediaSize }) => {
      for (const box of this.#boxes(mediaSize.width)) {
        context.fillStyle = this.#style.fill
        context.fillRect(box.left, 0, box.right - box.left, mediaSize.height)
        context.strokeStyle = this.#style.edge
        context.lineWidth = 1
        context.setLineDash([2, 3])
        for (const edge of [box.leftEdge ? box.left : null, box.rightEdge ? box.right : null]) {
          if (edge === null) continue
          context.beginPath()
          context.moveTo(Math.round(edge) + 0.5, 0)
          context.lineTo(Math.round(edge) + 0.5, mediaSize.height)
          context.stroke()
        }
        context.setLineDash([])
      }
    })
  }

  #words(target: DrawTarget): void {
    const { words, insideColor, outsideColor, wordGround } = this.#style
    if (words === null) return
    drawInPixels(target, ({ context, mediaSize }) => {
      context.font = words.font
      context.textBaseline = 'middle'
      const write = (text: string, left: number, color: string) => {
        const width = context.measureText(text).width
        context.fillStyle = wordGround
        context.fillRect(left - 4, 5, width + 8, 17)
        context.fillStyle = color
        context.fillText(text, left, 14)
      }
      for (const box of this.#boxes(mediaSize.width)) {
        const inside = context.measureText(words.inside).width
        const outside = context.measureText(words.outside).width
        if (box.rightEdge) {
          if (box.right - inside - 14 >= box.left) write(words.inside, box.right - inside - 9, insideColor)
          if (box.right + outside + 14 <= mediaSize.width) write(words.outside, box.right + 9, outsideColor)
          else if (box.leftEdge && box.left - outside - 14 >= 0)
            write(words.outside, box.left - outside - 9, outsideColor)
        } else if (box.leftEdge) {
          if (box.left + inside + 14 <= box.right) write(words.inside, box.left + 9, insideColor)
          if (box.left - outside - 14 >= 0) write(words.outside, box.left - outside - 9, outsideColor)
        } else write(words.inside, box.left + 9, insideColor)
      }
    })
  }
}
