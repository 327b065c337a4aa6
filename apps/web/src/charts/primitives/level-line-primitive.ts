import { drawLine, type Pane, panePrimitive } from './pane-primitive.ts'

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

/**
 * A horizontal line at a value of its series, with its name above the right end; in view where it is near. `spanOf` gives
 * the span of the series' values between two candle indices, null where it is to be seen whatever they are; the line
 * begins at the candle `since`.
 */
export function levelLine(
  value: number,
  name: string,
  style: LevelLineStyle,
  spanOf: (from: number, to: number) => ValueSpan | null,
  since = Number.NEGATIVE_INFINITY,
  shadedFrom?: number,
) {
  const at = ({ axes }: Pane) => Math.round(axes.y(value)) + 0.5
  return panePrimitive(
    {
      normal(pane) {
        const { context, width, axes } = pane
        const y = at(pane)
        const left = Math.max(0, axes.x(since))
        if (shadedFrom !== undefined && style.shade !== undefined) {
          context.fillStyle = style.shade
          context.fillRect(left, y, width - left, axes.y(shadedFrom) - y)
        }
        context.strokeStyle = style.line
        context.lineWidth = 1
        if (style.isSolid !== true) context.setLineDash([3, 3])
        drawLine(context, left, y, width, y)
        context.setLineDash([])
      },
      top(pane) {
        if (name === '') return
        const { context } = pane
        const [y, right] = [at(pane), pane.width - 12]
        context.font = style.font
        const { width } = context.measureText(name)
        context.fillStyle = style.ground
        context.fillRect(right - width - 4, y - 18, width + 8, 16)
        context.fillStyle = style.text
        context.textAlign = 'right'
        context.textBaseline = 'bottom'
        context.fillText(name, right, y - 4)
        context.textAlign = 'left'
      },
    },
    (from, to) => {
      const span = spanOf(from, to)
      return span !== null && !isLevelNear(value, span) ? null : { priceRange: { minValue: value, maxValue: value } }
    },
  )
}
