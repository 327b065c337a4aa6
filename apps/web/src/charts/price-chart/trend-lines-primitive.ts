import type { ChartLine } from '@shapecast/contracts/charts'
import type { Spot } from '../primitives/markers.ts'
import { drawLine, panePrimitive } from '../primitives/pane-primitive.ts'
import { candleAt } from './drawn-lines.ts'
import type { PriceModel } from './price-model.ts'

export type TrendLine = Extract<ChartLine, { kind: 'trend' }>

/** Where a line from `a` through `b` leaves the pane on the right, px. */
export const beyond = (a: Spot, b: Spot, rightPx: number): Spot =>
  rightPx <= b.x ? b : { x: rightPx, y: a.y + ((b.y - a.y) * (rightPx - a.x)) / (b.x - a.x) }

/** Trend lines: through two spots, and on to the right. */
export function trendLines(modelOf: () => PriceModel, color: string) {
  let lines: readonly TrendLine[] = []
  const primitive = panePrimitive({
    top({ context, width, axes }) {
      const model = modelOf()
      if (model.count === 0) return
      context.strokeStyle = color
      context.lineWidth = 1.5
      for (const { from, to } of lines) {
        const [a, b] = [from, to].map(({ t, price }) => ({ x: axes.x(candleAt(model, t)), y: axes.y(price) }))
        const end = beyond(a!, b!, width)
        drawLine(context, a!.x, a!.y, end.x, end.y)
      }
    },
  })
  return {
    ...primitive,
    show(next: readonly TrendLine[]): void {
      lines = next
      primitive.drawAgain()
    },
  }
}
