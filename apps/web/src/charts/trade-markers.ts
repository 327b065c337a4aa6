import type { Trade } from '@shapecast/contracts/backtest-results'
import { indexAtOrBefore } from './candle-index.ts'

export type MarkerKind = 'long_entry' | 'short_entry' | 'profit_exit' | 'loss_exit'

export interface TradeMarker {
  readonly kind: MarkerKind
  /** Index of the candle in which the fill happened. */
  readonly index: number
  readonly price: number
  /** How much it matters where not all can be drawn: the size of the trade's result, in quote. */
  readonly weight: number
  /** Of an exit: where the position was opened, and what it made, quote. */
  readonly trade?: { readonly index: number; readonly price: number; readonly netPnL: number }
}

export type MarkedTrade = Pick<Trade, 'side' | 'entryTime' | 'exitTime' | 'entryPrice' | 'exitPrice' | 'netPnL'>

/**
 * Entries and exits of the trades, oldest first, on the candles whose ascending open times are `times`.
 * A fill before the first candle is left out. A trade that ends at exactly 0 is drawn as a loss: it earned nothing.
 */
export function markersOfTrades(
  trades: readonly MarkedTrade[],
  open: Pick<Trade, 'side' | 'entryTime' | 'entryPrice'> | null,
  times: readonly number[],
): TradeMarker[] {
  const markers: TradeMarker[] = []
  const add = (kind: MarkerKind, time: number, price: number, weight: number, trade?: MarkedTrade) => {
    const index = indexAtOrBefore(times, time)
    if (index < 0) return
    const of = trade && {
      index: indexAtOrBefore(times, trade.entryTime),
      price: trade.entryPrice,
      netPnL: trade.netPnL,
    }
    markers.push({ kind, index, price, weight, ...(of && { trade: of }) })
  }
  for (const trade of trades) {
    const weight = Math.abs(trade.netPnL)
    add(trade.side === 'long' ? 'long_entry' : 'short_entry', trade.entryTime, trade.entryPrice, weight)
    add(trade.netPnL > 0 ? 'profit_exit' : 'loss_exit', trade.exitTime, trade.exitPrice, weight, trade)
  }
  if (open !== null)
    add(open.side === 'long' ? 'long_entry' : 'short_entry', open.entryTime, open.entryPrice, Number.POSITIVE_INFINITY)
  return markers.sort((a, b) => a.index - b.index)
}

/** An order that was filled, by the market's clock, ms. */
export interface MarkedFill extends Pick<TradeMarker, 'kind' | 'price'> {
  readonly t: number
}

/** Fills on the candles whose ascending open times are `times`, oldest first; those before the first candle are left out. */
export const markersOfFills = (fills: readonly MarkedFill[], times: ArrayLike<number>): TradeMarker[] =>
  fills
    .map(({ t, kind, price }) => ({ kind, price, index: indexAtOrBefore(times, t), weight: 1 }))
    .filter(({ index }) => index >= 0)
    .sort((a, b) => a.index - b.index)
