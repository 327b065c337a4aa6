import type { NetworkName } from '@shapecast/contracts/networks'

/** What a network looks like; its weights fit this shape and no other. */
export interface NetworkShape {
  kind: NetworkName
  /** Columns of one candle's feature row. */
  features: number
  /** Candles in a window. */
  lookback: number
  /** Units of the LSTM's state (48 in the recipe). */
  hidden: number
  /** Width of the Transformer's tokens (32 in the recipe). */
  width: number
  heads: number
  layers: number
  /** How many candles ahead are forecast: 1 … horizons. */
  horizons: number
  /** Rising probabilities in (0, 1), for example 0.05 0.25 0.5 0.75 0.95. */
  quantiles: readonly number[]
}
