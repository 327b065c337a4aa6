import type { Order } from '@shapecast/contracts/accounts'

export const ORDER_HEADS = [
  'placed',
  'money',
  'symbol',
  'side',
  'type',
  'status',
  'reason',
  'amount',
  'filled',
  'price',
  'stop_price',
  'average',
  'fee_usdt',
  'pnl_before_fees_usdt',
  'source',
  'closed',
  'filled_at_market_time',
  'id',
] as const

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** An order's cells under `ORDER_HEADS`; times are ISO 8601. */
export const orderCells = (order: Order) => [
  iso(order.createdAt),
  order.isVirtual ? 'virtual' : 'real',
  order.symbol,
  order.side,
  order.type,
  order.status,
  order.statusReason,
  order.amount,
  order.filled,
  order.price,
  order.stopPrice,
  order.average,
  order.fee,
  order.pnl,
  order.source,
  iso(order.closedAt),
  iso(order.filledAtMarketTime),
  order.id,
]
