import { least, type Units } from '../../src/ledger/money.ts'
import type { OrderRow } from '../../src/ledger/tables.ts'

/**
 * A replay of all orders, to hold what is kept against it: which coins at an exchange were bought here, and so may be sold
 * here. An account there may hold coins of other origin
 * too: they are never counted, and where it is not known whose coins a sale took, ours count as sold. Orders of one coin
 * come in the order of their making.
 */
export type Traded = Pick<
  OrderRow,
  'id' | 'side' | 'source' | 'quantity' | 'filled' | 'guardsId' | 'createdAtMs' | 'closedAtMs'
>
/** Base that a purchase brought, fees in coins taken off. */
type BroughtBy = (id: string) => Units

/** Coins that a sale had to itself until it ended, and then gave back unsold. */
interface Kept {
  readonly coins: Units
  readonly untilMs: number
}

/** What a sale takes: what it has sold, or all of it while it may yet fill. */
const takenBy = ({ quantity, filled, closedAtMs }: Traded): Units => (closedAtMs === null ? quantity : filled)

/**
 * Our coins that a sale could take when it was made. One by a model, or a stop-loss, is always of our coins. One that
 * its owner made by hand while other sales kept ours is of coins of other origin as far as those kept them.
 */
function openTo({ source, createdAtMs }: Traded, held: Units, kept: readonly Kept[]): Units {
  if (source !== 'user') return held
  return kept.reduce((free, { coins, untilMs }) => (untilMs > createdAtMs ? free - coins : free), held)
}

/** Each order with the coins of ours that it sold, and those that are held after it. */
function* walk(
  orders: readonly Traded[],
  broughtBy: BroughtBy,
): Generator<{ order: Traded; sold: Units; held: Units }> {
  let held = 0n
  const kept: Kept[] = []
  for (const order of orders) {
    let sold = 0n
    if (order.side === 'buy') held += broughtBy(order.id)
    else {
      const open = openTo(order, held, kept)
      // What it takes beyond our coins is of other origin.
      sold = least(takenBy(order), open)
      held -= sold
      if (order.closedAtMs !== null) kept.push({ coins: least(order.quantity, open) - sold, untilMs: order.closedAtMs })
    }
    yield { order, sold, held }
  }
}

/** Base that orders have bought and not sold. */
export function heldCoins(orders: readonly Traded[], broughtBy: BroughtBy): Units {
  let last = 0n
  for (const { held } of walk(orders, broughtBy)) last = held
  return last
}
