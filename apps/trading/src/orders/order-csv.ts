import type { Order, Position } from '@shapecast/contracts/accounts'
import { csvOf } from '@shapecast/contracts/csv'

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

const POSITION_HEADS = [
  'money',
  'pair',
  'side',
  'quantity',
  'opened_at',
  'entry_price',
  'live_price',
  'worth_usdt',
  'pnl_before_fees_usdt',
  'stop',
  'target',
]

/** What an account holds as a file, with the prices of the stops and targets among its `open` orders. */
export function positionsFile(held: readonly Position[], open: readonly Order[]) {
  const guards = (symbol: string, type: Order['type']) =>
    open
      .filter((order) => order.symbol === symbol && order.type === type && order.status === 'open')
      .flatMap(({ stopPrice }) => stopPrice ?? [])
      .join(' ')
  const rows = held.map(({ isVirtual, symbol, side, quantity, openedAt, entryPrice, lastPrice, unrealisedPnl }) => [
    isVirtual ? 'virtual' : 'real',
    symbol,
    side,
    quantity,
    iso(openedAt),
    entryPrice,
    lastPrice,
    lastPrice === null ? null : quantity * lastPrice,
    unrealisedPnl,
    guards(symbol, 'stop'),
    guards(symbol, 'take_profit'),
  ])
  return { name: 'positions.csv', content: csvOf([POSITION_HEADS, ...rows]) }
}
