import type { AutoscaleInfo, Logical } from 'lightweight-charts'
import { type DrawTarget, drawInPixels, PanePrimitive } from './pane-primitive.ts'

export interface LevelLineStyle {
  readonly line: string
  readonly text: string
  readonly font: string
  /** Behind the name, so that a curve below does not cross it. */
  readonly ground: string
  /** Dashed unless it says otherwise. */
  readonly isSolid?: boolean
  /** Of what lies between it and where its shade begins. */
  readonly shade?: string
}

export interface ValueSpan {
  readonly min: number
  readonly max: number
}

/**
 * Whether a level is to be kept in view beside values of a span: not where that would press the values into less than
 * half of the height.
 */
export const isLevelNear = (level: number, { min, max }: ValueSpan): boolean => {
  const span = max - min
  return level >= min - span && level <= max + span
}

/** A horizontal line at a value of its series, with its name above the right end; in view where it is near. */
export class LevelLinePrimitive extends PanePrimitive {
  readonly #value: number
  readonly #name: string
  readonly #style: LevelLineStyle
  readonly #spanOf: (from: number, to: number) => ValueSpan | null
  readonly #since: number
  readonly #shadedFrom: number | undefined

  /** `spanOf` gives the span of the series' values between two candle indices, null where it is to be seen whatever they are; the line begins at the candle `since`. */
  constructor(
    value: number,
    name: string,
    style: LevelLineStyle,
    spanOf: (from: number, to: number) => ValueSpan | null,
    since = Number.NEGATIVE_INFINITY,
    shadedFrom?: number,
  ) {
    super({ normal: (target) => this.#line(target), top: (target) => this.#words(target) })
    this.#spanOf = spanOf
    this.#since = since
    this.#shadedFrom = shadedFrom
    this.#value = value
    this.#name = name
    this.#style = style
  }

  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    const span = this.#spanOf(from, to)
    if (span !== null && !isLevelNear(this.#value, span)) return null
    return { priceRange: { minValue: this.#value, maxValue: this.#value } }
  }

  #at(): number | null {
    const y = this.attachment?.series.priceToCoordinate(this.#value) ?? null
    return y === null ? null : Math.round(y) + 0.5
  }

  #line(target: DrawTarget): void {
    const y = this.#at()
    if (y === null) return
    drawInPixels(target, ({ context, mediaSize }) => {
      const left = Math.max(0, this.linearAxes()?.x(this.#since) ?? 0)
      const other = this.#shadedFrom === undefined ? null : this.attachment?.series.priceToCoordinate(this.#shadedFrom)
      if (other != null && this.#style.shade !== undefined) {
        context.fillStyle = this.#style.shade
        context.fillRect(left, y, mediaSize.width - left, other - y)
      }
      context.strokeStyle = this.#style.line
      context.lineWidth = 1
      if (this.#style.isSolid !== true) context.setLineDash([3, 3])
      context.beginPath()
      context.moveTo(left, y)
      context.lineTo(mediaSize.width, y)
      context.stroke()
      context.setLineDash([])
    })
  }

  #words(target: DrawTarget): void {
    const y = this.#at()
    if (y === null || this.#name === '') return
    drawInPixels(target, ({ context, mediaSize }) => {
      context.font = this.#style.font
      const width = context.measureText(this.#name).width
      const right = mediaSize.width - 12
      context.fillStyle = this.#style.ground
      context.fillRect(right - width - 4, y - 18, width + 8, 16)
      context.fillStyle = this.#style.text
      context.textAlign = 'right'
      context.textBaseline = 'bottom'
      context.fillText(this.#name, right, y - 4)
      context.textAlign = 'left'
    })
  }
}
