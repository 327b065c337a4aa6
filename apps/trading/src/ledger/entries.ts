import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { NewEntry } from './account-store.ts'
import type { Applied, Holding } from './holding.ts'
import type { Units } from './money.ts'

/**
 * What an account has with all that it holds at its cost, quote: deposits and realised profit after fees. On spot the cost
 * was paid out of its money; a position on futures cost nothing, its margin stays the account's.
 */
export const atCost = (market: RealMarket, cash: Units, held: Iterable<Holding>): Units =>
  market === 'futures' ? cash : [...held].reduce((sum, { cost }) => sum + cost, cash)

/**
 * Quote that a fill moved, without fees; negative where it was paid. It changes `atCost` by what the fill earned, to the
 * unit: what was bought leaves at the cost at which it stands in the ledger.
 */
export const cashOf = (market: RealMarket, before: Holding, { holding, pnl }: Applied): Units =>
  (pnl ?? 0n) + (market === 'spot' ? before.cost - holding.cost : 0n)

/** What was taken for a trade: a fee, or by a liquidation what was left of the margin. Positive of its asset. */
export interface Charge {
  readonly kind?: 'fee' | 'liquidation'
  readonly asset?: string
  readonly amount: Units
}

/** The entries of one fill: what it moved, and what was charged for it. */
export function entriesOfFill(
  of: Pick<NewEntry, 'accountId' | 'fillId' | 'atMs'>,
  { market, side, cash }: { market: RealMarket; side: 'buy' | 'sell'; cash: Units },
  charges: readonly Charge[],
): NewEntry[] {
  const kind = market === 'futures' ? 'settlement' : side === 'buy' ? 'purchase' : 'sale'
  return [
    { ...of, kind, asset: ACCOUNT_CURRENCY, amount: cash } as const,
    ...charges.map(({ kind = 'fee', asset = ACCOUNT_CURRENCY, amount }) => ({ ...of, kind, asset, amount: -amount })),
  ].filter(({ amount }) => amount !== 0n)
}
