import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { OrderRow } from '../ledger/tables.ts'
import type { VenueAccount } from './venue-accounts.ts'

export const otherSide = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy')

/** Whether an order of a bot makes what it holds smaller: on spot every sale does. */
export const closes = ({ side, reduceOnly }: Pick<OrderRow, 'side' | 'reduceOnly'>, market: RealMarket): boolean =>
  market === 'spot' ? side === 'sell' : reduceOnly

/** What waits at the exchange over an entry: its stop-loss and its take profit. */
export type LegKind = 'stop' | 'take_profit'

/** Orders that wait at the exchange for a price, and then trade at the market. */
export const CONDITIONAL: readonly OrderRow['type'][] = ['stop', 'take_profit']
export const isConditional = ({ type }: Pick<OrderRow, 'type'>): boolean => CONDITIONAL.includes(type)

/** Which of the two an order stands for; one whose price had been passed already is an order at the market. */
export const kindOf = ({ exitReason }: Pick<OrderRow, 'exitReason'>): LegKind =>
  exitReason === 'take_profit' ? 'take_profit' : 'stop'

/** Legs that are placed, stand and end together. */
export type Group = readonly [LegKind, ...LegKind[]]

/**
 * What has to stand over an entry. On futures stop and target are orders of their own: reduce-only, they cannot close more
 * than there is. On spot an order keeps its coins to itself, so that both are one.
 */
export function groupsOf(
  { guardPrice, targetPct }: Pick<OrderRow, 'guardPrice' | 'targetPct'>,
  { trading }: VenueAccount,
): readonly Group[] {
  const stop: LegKind[] = guardPrice === null ? [] : ['stop']
  const [first, ...rest]: LegKind[] = targetPct === null ? stop : [...stop, 'take_profit']
  if (first === undefined) return []
  return trading.marketType === 'spot' ? [[first, ...rest]] : [first, ...rest].map((kind) => [kind])
}
