import { type Account, createAccount } from './account.ts'

/** One pair of a bot: its position, as the engine's account has it. */
export interface PairAccount {
  readonly symbol: string
  readonly account: Account
  /** What the last decision asks for at the next open: a code of DECISION. */
  pending: number
  /** The last price seen, quote per base; 0 before the first. */
  lastPrice: number
}

/** Several pairs on one balance. Plain finite numbers only, so that it survives JSON. Amounts in quote. */
export interface Portfolio {
  /** Money without the profit or loss of open positions. */
  balance: number
  /** At the last close, open positions marked there. */
  equity: number
  /** Highest equity at a close so far. */
  peak: number
  /** Open time of the candle at whose close the drawdown limit was reached; −1 before that. */
  haltedAt: number
  readonly pairs: PairAccount[]
}

/** A portfolio of `initialBalance` quote that has seen no candle. */
export const createPortfolio = (initialBalance: number, symbols: readonly string[]): Portfolio => ({
  balance: initialBalance,
  equity: initialBalance,
  peak: initialBalance,
  haltedAt: -1,
  pairs: symbols.map((symbol) => ({ symbol, account: createAccount(initialBalance), pending: 0, lastPrice: 0 })),
})
