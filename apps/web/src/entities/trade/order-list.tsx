import type { Order } from '@shapecast/contracts/accounts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatPrice, formatQuantity, formatQuantityAsset } from '#kit/format/money.ts'
import { formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Text } from '#kit/ui/primitives.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SideMark } from '../bots/bot-chips.tsx'
import { type MarketOf, useMarketFinder } from '../markets/use-market-of.ts'

/** How many are asked for at first, and at most. */
export const FIRST_ORDERS = 8
export const MOST_ORDERS = 1000

const TYPE = { market: 'at the market', limit: 'limit', stop: 'at stop', take_profit: 'at target' } as const
const STATUS = {
  open: 'Open',
  filled: 'Filled',
  cancelled: 'Cancelled',
  sending: 'Being sent',
  rejected: 'Rejected',
  expired: 'Expired',
  not_placed: 'Not placed',
} as const satisfies Record<Order['status'], string>

/** `Buy limit`, `Sell at stop`. */
const orderWords = ({ side, type, reduceOnly }: Order) =>
  `${side === 'buy' ? 'Buy' : 'Sell'} ${TYPE[type]}${reduceOnly ? ', reduce-only' : ''}`

/** `Buy limit, BTCUSDT, 9 Mar 2024, 11:05`. */
export const orderName = (order: Order) =>
  `${orderWords(order)}, ${order.symbol}, ${formatTableTimeYear(order.createdAt)}`

const sizeOf = (marketOf: MarketOf, { symbol, amount }: Order) =>
  formatQuantityAsset(amount, marketOf(symbol)?.base ?? symbol, marketOf(symbol)?.lotSize)
const priceOf = (marketOf: MarketOf, { symbol, average, price, stopPrice }: Order) =>
  formatPrice(average ?? price ?? stopPrice, marketOf(symbol)?.tickSize)

/** What was ordered, of what, how much and at which price. */
export const orderColumns = (marketOf: MarketOf): Column<Order>[] => [
  { head: 'Pair', keep: true, cell: ({ symbol }) => symbol },
  {
    head: 'Order',
    keep: true,
    cell: (order) => (
      <>
        <SideMark side={order.side === 'buy' ? 'long' : 'short'}>{orderWords(order)}</SideMark>
        <Note className={layout.onlyNarrow}>
          {formatQuantity(order.amount, marketOf(order.symbol)?.lotSize)} @ {priceOf(marketOf, order)}
        </Note>
      </>
    ),
  },
  { head: 'Size', figure: true, cell: (order) => sizeOf(marketOf, order) },
  { head: 'At', figure: true, cell: (order) => priceOf(marketOf, order) },
]

const listColumns = (marketOf: MarketOf): Column<Order>[] => [
  { head: `Placed, ${zoneWords()}`, whole: true, quiet: true, cell: ({ createdAt }) => formatTableTimeYear(createdAt) },
  ...orderColumns(marketOf),
  { head: 'Filled', figure: true, cell: ({ symbol, filled }) => formatQuantity(filled, marketOf(symbol)?.lotSize) },
  {
    head: 'Status',
    keep: true,
    cell: ({ status, statusReason }) => (
      <Text
        as="span"
        size="small"
        style={{ whiteSpace: 'normal' }}
        {...(status === 'rejected' && { tone: 'down', weight: 500 })}
      >
        {statusReason === null ? STATUS[status] : `${STATUS[status]}: ${statusReason}`}
      </Text>
    ),
  },
]

/** Orders, the newest first, with their results: those asked for at first, or all. */
export function OrderList({
  title,
  facts,
  empty,
  reply,
  limit,
  onAll,
  actions,
}: {
  title: string
  facts?: string
  empty: string
  reply: UseQueryResult<Order[]>
  /** As many were asked for. */
  limit: number
  onAll: () => void
  /** In the head, once there is an order. */
  actions?: ReactNode
}) {
  const orders = reply.data
  const marketOf = useMarketFinder()
  return (
    <Card title={title} facts={facts} flush actions={orders !== undefined && orders.length > 0 && actions}>
      <QueryBoundary reply={reply} of="the orders" px={28} rows={2} inset />
      {orders?.length === 0 && <EmptyLine>{empty}</EmptyLine>}
      {orders !== undefined && orders.length > 0 && (
        <DataTable
          label={title}
          columns={listColumns(marketOf)}
          rows={orders}
          rowKey={({ id }) => id}
          rowName={orderName}
        />
      )}
      {orders?.length === limit && limit < MOST_ORDERS && <ShowAll onClick={onAll}>Show all</ShowAll>}
    </Card>
  )
}
