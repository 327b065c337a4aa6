import type { ChartLine } from '@shapecast/contracts/charts'
import type { Spot } from '../primitives/markers.ts'
import { type DrawTarget, drawInPixels, PanePrimitive } from '../primitives/pane-primitive.ts'
import { candleAt } from './drawn-lines.ts'
import type { PriceModel } from './price-model.ts'

export type TrendLine = Extract<ChartLine, { kind: 'trend' }>

/** Where a line from `a` through `b` leaves the pane on the right, px. */
export const beyond = (a: Spot, b: Spot, rightPx: number): Spot =>
  rightPx <= b.x ? b : { x: rightPx, y: a.y + ((b.y - a.y) * (rightPx - a.x)) / (b.x - a.x) }

/** Trend lines: through two spots, and on to the right. */
export class TrendLinesPrimitive extends PanePrimitive {
  #lines: readonly TrendLine[] = []
  readonly #modelOf: () => PriceModel
  readonly #color: string

  constructor(modelOf: () => PriceModel, color: string) {
    super({ top: (target) => this.#draw(target) })
    this.#modelOf = modelOf
    this.#color = color
  }

  show(lines: readonly TrendLine[]): void {
    this.#lines = lines
    this.attachment?.requestUpdate()
  }

  #draw(target: DrawTarget): void {
    const axes = this.linearAxes()
    const model = this.#modelOf()
    if (axes === null || model.count === 0 || this.#lines.length === 0) return
    drawInPixels(target, ({ context, mediaSize: { width } }) => {
      context.strokeStyle = this.#color
      context.lineWidth = 1.5
      context.beginPath()
      for (const { from, to } of this.#lines) {
        const [a, b] = [from, to].map(({ t, price }) => ({ x: axes.x(candleAt(model, t)), y: axes.y(price) }))
        const end = beyond(a!, b!, width)
        context.moveTo(a!.x, a!.y)
        context.lineTo(end.x, end.y)
      }
      context.stroke()
    })
  }
}
