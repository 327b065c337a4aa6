import type { PostedOrders } from '@shapecast/contracts/costs'
import type { Ratio } from '@shapecast/contracts/units'
import type { BacktestSettings } from './backtest-settings.ts'
import type { BothReached } from './detail.ts'
import type { EngineTrade, Gap, SkipReason } from './journal.ts'

/** A position that is still open after the last candle; times in ms, amounts in quote, quantity in base. */
export interface OpenPosition {
  readonly side: 'long' | 'short'
  readonly entryTime: number
  readonly entryPrice: number
  readonly quantity: number
  /** At the last close, before the fee of a close; the entry fee and funding so far are told apart. */
  readonly unrealizedPnL: number
  readonly grossPnL: number
  readonly fees: number
  readonly slippageCost: number
  readonly funding: number
}

export interface BacktestResult {
  readonly settings: BacktestSettings
  /** In the order of their exits, which is the order of their entries. */
  readonly trades: readonly EngineTrade[]
  /** Equity at the close of each candle, quote. */
  readonly equity: Float64Array
  readonly openPosition: OpenPosition | null
  /** All that are open, of several pairs in their order. */
  readonly openPositions: readonly OpenPosition[]
  /** How many candles asked for what. */
  readonly signals: { readonly buy: number; readonly sell: number; readonly hold: number; readonly close: number }
  readonly entries: number
  readonly closes: number
  /** Entries made smaller than the sizing wanted, because the balance carried no more. */
  readonly reducedEntries: number
  readonly skipped: readonly { readonly reason: SkipReason; readonly count: number }[]
  /** Open time of the candle at whose close the drawdown limit was reached. */
  readonly haltedAt: number | null
  readonly gaps: { readonly count: number; readonly missingCandles: number; readonly list: readonly Gap[] }
  /** Candles that reached both stop and target, in the order of their times; of several pairs with the pair. */
  readonly bothReached: readonly (BothReached & { readonly symbol?: string })[]
  /** The share of the held time whose funding was assumed; null where none was charged: on spot, and without any rates. */
  readonly fundingAssumed: Ratio | null
  /** What became of post-only orders; left out where there were none. */
  readonly posted?: PostedOrders
  /** Quote without the profit or loss of an open position. */
  readonly finalBalance: number
  /** Quote at the last close, an open position marked there. */
  readonly finalEquity: number
}
