import type { Units } from '../money.ts'
import type { RealOrderRow } from './tables.ts'

export type Traded = Pick<
  RealOrderRow,
  'id' | 'side' | 'source' | 'quantity' | 'filled' | 'guardsId' | 'createdAtMs' | 'closedAtMs'
>

/**
 * Base that orders of one coin have bought and not sold; where `buyId` is given, what that purchase has left of it.
 * `orders`: in the order of their making; `broughtBy`: base that a purchase brought, fees in coins taken off. A sale that
 * may yet fill counts as filled. A sale takes what was bought before it; its owner's takes coins of other origin beyond
 * that, and where another sale that waited had the coins. One that guards a purchase takes that purchase's.
 */
export function heldCoins(orders: readonly Traded[], broughtBy: (id: string) => Units, buyId?: string): Units {
  let held = 0n
  let left: Units | null = null
  let guarded = 0n
  /** Coins that sales had to themselves until they ended, and did not sell. */
  const kept: { coins: Units; untilMs: number }[] = []
  for (const { id, side, source, quantity, filled, guardsId, createdAtMs, closedAtMs } of orders) {
    if (side === 'buy') {
      held += broughtBy(id)
      if (id === buyId) left = broughtBy(id)
      continue
    }
    let free = held
    if (source === 'user') for (const { coins, untilMs } of kept) if (untilMs > createdAtMs) free -= coins
    const wanted = closedAtMs === null ? quantity : filled
    const sold = least(wanted, free)
    if (closedAtMs !== null) kept.push({ coins: least(quantity, free) - sold, untilMs: closedAtMs })
    held -= sold
    if (guardsId === buyId) guarded += wanted
    if (left !== null) left = least(guardsId === buyId ? left - sold : left, held)
  }
  if (left === null) return held
  // Whatever a clock that was set back makes of the order: what its own stops sold is gone.
  return least(left, broughtBy(buyId!) - guarded)
}

const least = (a: Units, b: Units): Units => (a < b ? a : b)
