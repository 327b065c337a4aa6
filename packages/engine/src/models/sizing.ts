import { type Base, type Pct, type Ratio, ratioOfPct } from '@shapecast/contracts/units'

/**
 * How large an entry is. `fixed`: base asset. `percent_of_equity`: percent of the equity put up as margin and entry
 * fee, so that the notional is about pct × equity × leverage. `quote_amount`: notional in quote.
 * `volatility_target`: a notional whose expected yearly volatility is annualPct of the equity.
 */
export type EngineSizing =
  | { readonly kind: 'fixed'; readonly quantity: Base }
  | { readonly kind: 'percent_of_equity'; readonly pct: Pct }
  | { readonly kind: 'quote_amount'; readonly quote: number }
  | { readonly kind: 'volatility_target'; readonly annualPct: Pct }

/** What a sizing may look at: the state at an entry; prices in quote per base, amounts in quote. */
export interface SizingContext {
  readonly equity: number
  readonly leverage: number
  /** The open before slippage, and what the fill model makes of it. */
  readonly rawPrice: number
  readonly fillPrice: number
  readonly feeRatio: Ratio
  /** Expected standard deviation of a year's returns, as a ratio; NaN while too few candles are known. */
  readonly annualVolatility: number
}

/** The quantity (base) that an entry wants; NaN where it cannot be said yet. */
export function wantedQuantity(sizing: EngineSizing, context: SizingContext): number {
  const { equity, fillPrice } = context
  switch (sizing.kind) {
    case 'fixed':
      return sizing.quantity
    case 'percent_of_equity':
      // The fee is estimated at the price that is known before the fill.
      return (ratioOfPct(sizing.pct) * equity) / (fillPrice / context.leverage + context.rawPrice * context.feeRatio)
    case 'quote_amount':
      return sizing.quote / fillPrice
    case 'volatility_target':
      return (equity * ratioOfPct(sizing.annualPct)) / (context.annualVolatility * fillPrice)
    default:
      return sizing satisfies never
  }
}

/** The largest quantity whose margin and entry fee `balance` (quote) carries. */
export const carriedQuantity = (balance: number, fillPrice: number, leverage: number, feeRatio: Ratio): number =>
  Math.max(0, balance) / (fillPrice / leverage + fillPrice * feeRatio)

/** `quantity` rounded down to a multiple of the lot. A quantity that is a multiple but for rounding stays. */
export function floorToLot(quantity: number, lotSize: number): number {
  if (lotSize === 0) return quantity
  const lots = quantity / lotSize
  // Both may be a rounding off, and so may their ratio: of 10⁹ lots that is more than any fixed margin.
  return Math.min(quantity, Math.floor(lots + Math.max(1e-9, lots * 2 * Number.EPSILON)) * lotSize)
}
