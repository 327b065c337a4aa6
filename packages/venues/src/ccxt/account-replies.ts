import type { AssetBalance, OrderStatus, VenueFill, VenueOrder, VenuePosition } from '../live-trading.ts'
import type {
  ExchangeBalances,
  ExchangeFees,
  ExchangeOrder,
  ExchangePosition,
  ExchangeTrade,
} from './calls/account-calls.ts'

/** ccxt's unified states; `closed` is a filled order. */
const STATUS: Readonly<Record<string, OrderStatus>> = {
  open: 'open',
  closed: 'filled',
  canceled: 'canceled',
  canceling: 'open',
  rejected: 'rejected',
  expired: 'expired',
}

/** An order of ccxt's as ours. `symbol` is ours. */
export function venueOrderOf(order: ExchangeOrder, symbol: string): VenueOrder {
  const filled = order.filled ?? 0
  return {
    id: order.id ?? '',
    clientOrderId: order.clientOrderId ?? '',
    symbol,
    side: order.side === 'sell' ? 'sell' : 'buy',
    status: STATUS[order.status ?? ''] ?? 'unknown',
    quantity: order.amount ?? 0,
    filled,
    average: filled > 0 ? (order.average ?? order.price ?? null) : null,
    price: order.type === 'market' ? null : (order.price ?? null),
    fees: feesOf(order),
    timestampMs: order.timestamp ?? null,
  }
}

/** A trade of ccxt's as ours; null where it lacks what makes it one. */
export function venueFillOf(trade: ExchangeTrade): VenueFill | null {
  const { id, price, amount } = trade
  if (id === undefined || price === undefined || amount === undefined) return null
  return { id, price, quantity: amount, fees: feesOf(trade), timestampMs: trade.timestamp ?? null }
}

function feesOf(of: ExchangeFees): VenueFill['fees'] {
  const fees = of.fees !== undefined && of.fees.length > 0 ? of.fees : of.fee === undefined ? [] : [of.fee]
  return fees.flatMap(({ currency, cost }) =>
    currency === undefined || cost === undefined ? [] : [{ asset: currency, amount: cost }],
  )
}

/** Assets with a balance. */
export const balancesOf = (balances: ExchangeBalances): AssetBalance[] =>
  Object.entries(balances.total).flatMap(([asset, total]) =>
    total === undefined || total === 0
      ? []
      : [{ asset, total, free: balances.free[asset] ?? 0, used: balances.used[asset] ?? 0 }],
  )

/** A position of ccxt's as ours; null if it is empty. */
export function venuePositionOf(
  position: ExchangePosition,
  symbol: string,
  setLeverage: number | undefined,
): VenuePosition | null {
  const quantity = (position.contracts ?? 0) * (position.contractSize ?? 1)
  if (quantity === 0) return null
  const { marginMode } = position
  return {
    symbol,
    side: position.side === 'short' ? 'short' : 'long',
    quantity,
    entryPrice: position.entryPrice ?? Number.NaN,
    markPrice: position.markPrice ?? null,
    unrealisedPnl: position.unrealizedPnl ?? null,
    liquidationPrice: position.liquidationPrice ?? null,
    leverage: position.leverage ?? setLeverage ?? null,
    margin: marginMode === 'isolated' ? (position.collateral ?? null) : null,
    marginMode: marginMode === 'isolated' || marginMode === 'cross' ? marginMode : null,
  }
}
