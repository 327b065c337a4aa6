import { useSyncExternalStore } from 'react'
import type { Spot } from '../primitives/markers.ts'
import type { PredictionColumns, SignalMark } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

/** A point of a model's line, in pixels of the pane. */
interface LineHit {
  readonly name: 'LSTM' | 'Transformer'
  readonly index: number
  readonly price: number
  readonly at: Spot
}

const REACH_PX = 10

/**
 * The model line whose point at the candle under the pointer is nearest, within 10 px up or down; null where none is.
 */
export function nearestLine(
  predictions: PredictionColumns | null,
  index: number,
  pointer: Spot,
  x: (index: number) => number,
  y: (price: number) => number,
): LineHit | null {
  if (predictions === null) return null
  let nearest: LineHit | null = null
  let distance = REACH_PX
  for (const [name, values] of [
    ['LSTM', predictions.lstm],
    ['Transformer', predictions.transformer],
  ] as const) {
    const price = values[index]
    if (price === undefined || Number.isNaN(price)) continue
    const at = { x: x(index), y: y(price) }
    const away = Math.abs(at.y - pointer.y)
    if (away > distance || (away === distance && nearest !== null)) continue
    nearest = { name, index, price, at }
    distance = away
  }
  return nearest
}

export interface PriceHover {
  /** Candle under the crosshair, up to 6 beyond the last one. */
  readonly index: number
  /** The model line near the pointer. */
  readonly line: LineHit | null
}

/**
 * What is under the crosshair. Kept beside React's state, so that moving the pointer renders the few figures that show
 * it and not the chart.
 */
export function createHoverStore() {
  let hover: PriceHover | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => hover,
    set(next: PriceHover | null): void {
      hover = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
export type HoverStore = ReturnType<typeof createHoverStore>

export const useHover = (store: HoverStore): PriceHover | null => useSyncExternalStore(store.subscribe, store.get)

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

/** The figures of the candle under the crosshair, or else the newest ones; null where the chart has no candle. */
export function useShownValues(scene: PriceScene, hover: HoverStore): ShownValues | null {
  const hovered = useHover(hover)
  return shownValues(scene, hovered !== null && hovered.index < scene.model.count ? hovered.index : null)
}
