import type { Ratio } from '@shapecast/contracts/units'
import type { Side } from './fills.ts'

/** No price reaches it; finite, so that an account survives JSON. */
export const NEVER_ABOVE = Number.MAX_VALUE
export const NEVER_BELOW = -Number.MAX_VALUE

/** When the venue takes a position away. */
export interface LiquidationModel {
  /** Price at which a position is liquidated; `margin` is quote per unit of base. */
  price(entryPrice: number, side: Side, margin: number): number
}

/** Spot holds what it has paid for. */
export const noLiquidation: LiquidationModel = {
  price: (_entryPrice, side) => (side === 1 ? NEVER_BELOW : NEVER_ABOVE),
}

/**
 * Isolated margin: liquidated at the price P where margin + side × (P − entry) = maintenance × P, so that
 * P = (entry − side × margin) / (1 − side × maintenance).
 */
export const isolatedMargin = (maintenanceMarginRatio: Ratio): LiquidationModel => ({
  price: (entryPrice, side, margin) => (entryPrice - side * margin) / (1 - side * maintenanceMarginRatio),
})
