import type { AutoscaleInfo, Logical } from 'lightweight-charts'
import { type DrawTarget, drawInPixels } from './draw-target.ts'
import { PanePrimitive } from './pane-primitive.ts'

export interface LevelLineStyle {
  readonly line: string
  readonly text: string
  readonly font: string
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

/** A dashed horizontal line at a value of its series, with its name above the right end; in view where it is near. */
export class LevelLinePrimitive extends PanePrimitive {
  readonly #value: number
  readonly #name: string
  readonly #style: LevelLineStyle
  readonly #spanOf: (from: number, to: number) => ValueSpan | null

  /** `spanOf` gives the span of the series' values between two candle indices. */
  constructor(
    value: number,
    name: string,
    style: LevelLineStyle,
    spanOf: (from: number, to: number) => ValueSpan | null,
  ) {
    super({ normal: (target) => this.#draw(target) })
    this.#spanOf = spanOf
    this.#value = value
    this.#name = name
    this.#style = style
  }

  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    const span = this.#spanOf(from, to)
    if (span !== null && !isLevelNear(this.#value, span)) return null
    return { priceRange: { minValue: this.#value, maxValue: this.#value } }
  }

  #draw(target: DrawTarget): void {
    const y = this.attachment?.series.priceToCoordinate(this.#value)
    if (y === null || y === undefined) return
    drawInPixels(target, ({ context, mediaSize }) => {
      const line = Math.round(y) + 0.5
      context.strokeStyle = this.#style.line
      context.lineWidth = 1
      context.setLineDash([3, 3])
      context.beginPath()
      context.moveTo(0, line)
      context.lineTo(mediaSize.width, line)
      context.stroke()
      context.setLineDash([])
      context.font = this.#style.font
      context.fillStyle = this.#style.text
      context.textAlign = 'right'
      context.textBaseline = 'bottom'
      context.fillText(this.#name, mediaSize.width - 12, line - 4)
      context.textAlign = 'left'
    })
  }
}
