import type { Fill, Journal } from '@shapecast/engine/journal'
import { type Units, unitsOf } from './money.ts'

/** What a step did, as it is booked: amounts in quote, quantities in base. */
export type Booked =
  | {
      readonly kind: 'fill'
      readonly symbol: string
      readonly fill: Fill
      readonly quantity: Units
      readonly notional: Units
      readonly fee: Units
      /** Null of an entry. */
      readonly pnl: Units | null
    }
  | { readonly kind: 'funding'; readonly amount: Units }

/** The ledger and the engine disagree: nothing may be traded on either before somebody has looked. */
export class BooksDisagree extends Error {
  override readonly name = 'BooksDisagree'
}

/** Two units, or what doubles of that size can no longer tell apart. */
const tolerance = (balance: number): Units => 2n + unitsOf(Math.abs(balance) * 4 * Number.EPSILON)

const agree = (a: Units, b: Units, balance: number): boolean => (a < b ? b - a : a - b) <= tolerance(balance)

/**
 * Keeps books while the engine steps. Each event is booked as what it says of itself, rounded, with the rounding of all
 * before it carried along: after every event the ledger is the engine's balance, to the unit. Throws `BooksDisagree`
 * where both differ by more than 10⁻⁸ before the first step, or an event changes the balance by anything else than it says.
 */
export class EngineBooks {
  readonly booked: Booked[] = []
  #balance: Units

  /** `booked`: the balance of the ledger; `engine`: that of the engine (quote). */
  constructor(booked: Units, engine: number) {
    if (!agree(booked, unitsOf(engine), engine))
      throw new BooksDisagree(`The ledger has ${booked} × 10⁻⁸, and the engine ${engine}.`)
    this.#balance = booked
  }

  /** The journal for steps of `account`, which trades `symbol`. Several share one balance. */
  journal(symbol: string, account: { readonly balance: number }): Journal {
    const changeBy = (expected: Units): Units => {
      const now = unitsOf(account.balance)
      const change = now - this.#balance
      if (!agree(change, expected, account.balance))
        throw new BooksDisagree(
          `${symbol}: an event of ${expected} × 10⁻⁸ changed the balance of the engine by ${change} × 10⁻⁸.`,
        )
      this.#balance = now
      return change
    }
    return {
      fill: (fill) => {
        const { kind, quantity, price } = fill
        const change = changeBy(unitsOf(fill.pnl - fill.fee))
        const fee = kind === 'entry' ? -change : unitsOf(fill.fee)
        const pnl = kind === 'entry' ? null : change + fee
        const notional = unitsOf(quantity * price)
        this.booked.push({ kind: 'fill', symbol, fill, quantity: unitsOf(quantity), notional, fee, pnl })
      },
      funding: (received) => {
        this.booked.push({ kind: 'funding', amount: changeBy(unitsOf(received)) })
      },
      trade: () => {},
      skip: () => {},
      reduced: () => {},
      gap: () => {},
    }
  }
}
