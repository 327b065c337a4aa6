import type { SignalMark } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

export interface ShownValues {
  /** Open time of the candle, ms. */
  readonly t: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Of each indicator line of the scene, in the same order. */
  readonly lines: readonly number[]
  readonly lstm: number
  readonly transformer: number
  /** What a model advised at this candle; null where it advised nothing or to hold. */
  readonly signal: SignalMark | null
}

/** The newest known value of a line at or before `index`; NaN where there is none. */
function newestKnown(values: Float64Array, index: number): number {
  let i = Math.min(index, values.length - 1)
  while (i >= 0 && Number.isNaN(values[i]!)) i--
  return values[i] ?? Number.NaN
}

/**
 * The figures of the candle at `index`. With `index` null those of the last candle, and of each model line its newest
 * point, which may lie ahead. Null where the chart has no such candle; what is not known is NaN.
 */
export function shownValues(scene: PriceScene, index: number | null): ShownValues | null {
  const { model, lines, predictions } = scene
  const i = index ?? model.count - 1
  if (i < 0 || i >= model.count) return null
  const said = (values: Float64Array | undefined) =>
    values === undefined
      ? Number.NaN
      : index === null
        ? newestKnown(values, values.length - 1)
        : (values[index] ?? Number.NaN)
  return {
    t: model.times[i]!,
    open: model.open[i]!,
    high: model.high[i]!,
    low: model.low[i]!,
    close: model.close[i]!,
    lines: lines.map(({ values }) => values[i]!),
    lstm: said(predictions?.lstm),
    transformer: said(predictions?.transformer),
    signal: predictions?.signals.find((mark) => mark.index === i) ?? null,
  }
}
