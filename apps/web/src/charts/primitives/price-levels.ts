import { painted } from '#kit/theme/scheme.ts'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { indexAtOrBefore } from '../candle-index.ts'
import { CHART_FONT_11 } from '../chart-look.ts'
import { type AxisTag, axisTag } from './axis-tag-primitive.ts'
import { levelLine, type ValueSpan } from './level-line-primitive.ts'

/** A price that matters now: what was paid, or where a stop or target waits. */
export interface PriceLevel {
  readonly name: string
  readonly price: number
  readonly tone: 'plain' | 'up' | 'down'
  /** Where its line begins, ms. */
  readonly since: number
  /** The price from which the way to it is shaded: what was paid, of a stop or target. */
  readonly shadedFrom?: number
}

const LEVEL_COLORS = { plain: colors.text2, up: colors.up, down: colors.down } as const

/** A level's line over candles of these open times, and its tag on the axis. `spanOf`: of the prices between two candles. */
export function levelPrimitives(
  { name, price, tone, since, shadedFrom }: PriceLevel,
  times: ArrayLike<number>,
  spanOf: (from: number, to: number) => ValueSpan | null,
  formatPrice: (price: number) => string,
): { line: ReturnType<typeof levelLine>; tag: AxisTag } {
  const color = LEVEL_COLORS[tone]
  const isPlain = tone === 'plain'
  const words = {
    font: CHART_FONT_11,
    ground: colors.surface,
    line: color,
    text: color,
    isSolid: isPlain,
    shade: tint(color, 0.06),
  }
  const tag = {
    ground: isPlain ? chartColors.crosshairLabel : tint(color, 0.3),
    text: isPlain ? chartColors.tagText : colors.text,
  }
  return {
    line: levelLine(price, name, painted(words), spanOf, indexAtOrBefore(times, since), shadedFrom),
    tag: axisTag(price, formatPrice(price), painted(tag)),
  }
}
