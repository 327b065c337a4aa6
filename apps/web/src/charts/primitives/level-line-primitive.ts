import type {
  AutoscaleInfo,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'
import { type DrawTarget, drawInPixels } from './draw-target.ts'

export interface LevelLineStyle {
  readonly line: string
  readonly text: string
  readonly font: string
}

/** A dashed horizontal line at a value of its series, with its name above the right end. Always in view. */
export class LevelLinePrimitive implements ISeriesPrimitive<Time> {
  readonly #value: number
  readonly #name: string
  readonly #style: LevelLineStyle
  #attached: SeriesAttachedParameter<Time> | null = null
  readonly #views: readonly IPrimitivePaneView[]

  constructor(value: number, name: string, style: LevelLineStyle) {
    this.#value = value
    this.#name = name
    this.#style = style
    this.#views = [{ zOrder: () => 'normal', renderer: () => ({ draw: (target) => this.#draw(target) }) }]
  }

  attached(param: SeriesAttachedParameter<Time>): void {
    this.#attached = param
  }

  detached(): void {
    this.#attached = null
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  autoscaleInfo(): AutoscaleInfo {
    return { priceRange: { minValue: this.#value, maxValue: this.#value } }
  }

  #draw(target: DrawTarget): void {
    const y = this.#attached?.series.priceToCoordinate(this.#value)
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
