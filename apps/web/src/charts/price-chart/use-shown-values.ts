import { type HoverStore, useHover } from './hover-store.ts'
import type { PriceScene } from './price-scene.ts'
import { type ShownValues, shownValues } from './shown-values.ts'

/** The figures of the candle under the crosshair, or else the newest ones; null where the chart has no candle. */
export function useShownValues(scene: PriceScene, hover: HoverStore): ShownValues | null {
  const hovered = useHover(hover)
  return shownValues(scene, hovered !== null && hovered.index < scene.model.count ? hovered.index : null)
}
