import { type Bps, ratioOfBps } from '@shapecast/contracts/units'

/** On which fills slippage moves the price against us. */
export type SlippageSides = 'none' | 'entry_only' | 'both_sides'

/** The side of a position: 1 long, −1 short. */
export type Side = 1 | -1

/** The price that an order gets, from the price at which it was triggered. Prices in quote per base. */
export interface FillModel {
  entry(rawPrice: number, side: Side): number
  exit(rawPrice: number, side: Side): number
}

/** Moves the price against us by `slippageBps` hundredths of a percent, on the chosen sides. */
export function slippageFills(slippageBps: Bps, sides: SlippageSides): FillModel {
  const shift = ratioOfBps(slippageBps)
  const atEntry = sides === 'none' ? 0 : shift
  const atExit = sides === 'both_sides' ? shift : 0
  return {
    entry: (rawPrice, side) => rawPrice * (1 + side * atEntry),
    exit: (rawPrice, side) => rawPrice * (1 - side * atExit),
  }
}

/**
 * Where a stop is triggered on a candle that has reached it: at its price, or at the open where that lies beyond. `side`
 * is that of the position that it closes.
 */
export const stopTrigger = (stop: number, side: number, open: number): number =>
  side > 0 ? Math.min(stop, open) : Math.max(stop, open)
