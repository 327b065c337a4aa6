import type { RealMarket } from '@shapecast/contracts/exchanges'
import { type Fill, type Journal, SILENT } from '@shapecast/engine/journal'
import { atCost, cashOf } from './entries.ts'
import { type Holding, NOTHING } from './holding.ts'
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
      /** What it moved, without the fee; negative where it was paid. */
      readonly cash: Units
    }
  | { readonly kind: 'funding'; readonly amount: Units }

/** The ledger and the engine disagree: nothing may be traded on either before somebody has looked. */
export class LedgerMismatch extends Error {
  override readonly name = 'LedgerMismatch'
}

/** Two units, or what doubles of that size can no longer tell apart. */
const tolerance = (balance: number): Units => 2n + unitsOf(Math.abs(balance) * 4 * Number.EPSILON)

const agree = (a: Units, b: Units, balance: number): boolean => (a < b ? b - a : a - b) <= tolerance(balance)

/** The engine's account of one pair. */
interface PairState {
  readonly balance: number
  readonly size: number
  readonly entryPrice: number
}

/** Less than a unit is nothing held, whatever the engine still counts. */
function heldBy({ size, entryPrice }: PairState): Holding {
  const quantity = unitsOf(size)
  return quantity === 0n ? NOTHING : { quantity, cost: unitsOf(Math.abs(size) * entryPrice) }
}

/**
 * Keeps a ledger while the engine steps. Each event is booked as what it says of itself, rounded, with the rounding of all
 * before it carried along: after every event the ledger, at cost, is the engine's balance, to the unit. Throws
 * `LedgerMismatch` where both differ by more than 10⁻⁸ before the first step, or an event changes the balance by anything
 * else than it says.
 */
export class EngineLedger {
  readonly booked: Booked[] = []
  /** What is held of each symbol. */
  readonly held: Map<string, Holding>
  readonly market: RealMarket
  /** At cost, as the engine counts. */
  #balance: Units

  /** `cash` and `held` are those of the ledger; `engine` is the balance of the engine (quote). */
  constructor(market: RealMarket, { cash, held }: { cash: Units; held: ReadonlyMap<string, Holding> }, engine: number) {
    this.market = market
    this.held = new Map(held)
    this.#balance = atCost(market, cash, held.values())
    if (!agree(this.#balance, unitsOf(engine), engine))
      throw new LedgerMismatch(`The ledger has ${this.#balance} × 10⁻⁸, and the engine ${engine}.`)
  }

  /** The journal for steps of `account`, which trades `symbol`. Several share one balance. */
  journal(symbol: string, account: PairState): Journal {
    const changeBy = (expected: Units): Units => {
      const now = unitsOf(account.balance)
      const change = now - this.#balance
      if (!agree(change, expected, account.balance))
        throw new LedgerMismatch(
          `${symbol}: an event of ${expected} × 10⁻⁸ changed the balance of the engine by ${change} × 10⁻⁸.`,
        )
      this.#balance = now
      return change
    }
    return {
      ...SILENT,
      fill: (fill) => {
        const { kind, quantity, price } = fill
        const change = changeBy(unitsOf(fill.pnl - fill.fee))
        const fee = kind === 'entry' ? -change : unitsOf(fill.fee)
        const pnl = kind === 'entry' ? null : change + fee
        const holding = heldBy(account)
        const cash = cashOf(this.market, this.held.get(symbol) ?? NOTHING, { holding, pnl })
        this.held.set(symbol, holding)
        const notional = unitsOf(quantity * price)
        this.booked.push({ kind: 'fill', symbol, fill, quantity: unitsOf(quantity), notional, fee, pnl, cash })
      },
      funding: (received) => {
        this.booked.push({ kind: 'funding', amount: changeBy(unitsOf(received)) })
      },
    }
  }
}
