import type { Trade } from '@shapecast/contracts/backtest-results'

export type TradeExit = Trade['exitReason']

const WITHIN: readonly TradeExit[] = ['stop_loss', 'trailing_stop', 'take_profit', 'liquidation']
/** Whether a price within a candle closed a position. */
export const isWithin = ({ exitReason }: { readonly exitReason: TradeExit }): boolean => WITHIN.includes(exitReason)

/** One execution. Prices in quote per base, `rawPrice` before slippage; fee in quote; time in ms. */
export interface Fill {
  readonly kind: 'entry' | 'exit'
  /** Of the position, not of the order: an exit of a long is a sale. */
  readonly side: 'long' | 'short'
  readonly time: number
  readonly price: number
  readonly rawPrice: number
  readonly quantity: number
  readonly fee: number
  /** Of an exit: what the price earned on what it closes, slippage included, fees not (quote); 0 of an entry. */
  readonly pnl: number
  /** Why it was closed; null of an entry. */
  readonly exitReason: TradeExit | null
}

/**
 * A closed position. netPnL = grossPnL − slippageCost − fees + funding (quote; funding is negative where it was paid).
 * Times are the open times of the candles in which the fills happened, ms.
 */
export interface EngineTrade extends Readonly<Omit<Trade, 'symbol'>> {
  readonly grossPnL: number
  readonly slippageCost: number
}

/** Why an entry that was asked for was not made. */
export type SkipReason =
  | 'same_bar_reentry'
  | 'no_balance'
  | 'below_lot_size'
  | 'below_min_notional'
  | 'volatility_unknown'

/** Missing candles between two that follow each other: the open time of the one before, and how many. */
export interface Gap {
  readonly after: number
  readonly missing: number
}

/** Where a step writes what happened. None of these is called on a candle in which nothing happens. */
export interface Journal {
  /** The account is as the fill has left it. */
  fill(fill: Fill): void
  trade(trade: EngineTrade): void
  skip(reason: SkipReason, time: number): void
  /** An entry was made smaller than wanted, because the balance carried no more. */
  reduced(wanted: number, quantity: number, time: number): void
  gap(gap: Gap): void
  /** A candle has reached both stop and target; whether smaller ones told which came first. */
  bothReached?(time: number, isTold: boolean): void
  /** Funding of the open position in quote; negative where we pay. */
  funding(amount: number, time: number): void
}

/** Writes nothing down. */
export const SILENT: Journal = { fill() {}, trade() {}, skip() {}, reduced() {}, gap() {}, funding() {} }
