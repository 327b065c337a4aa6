import type { Order } from '@shapecast/contracts/accounts'
import { botOrders } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { useState } from 'react'
import { formatPrice, formatQuantity } from '#kit/format/money.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { ShowAll } from '#kit/ui/show-all.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS } from '../use-bot.ts'

const FIRST_SHOWN = 8
const MOST = 1000

const STATUS = {
  open: 'Open',
  filled: 'Filled',
  cancelled: 'Cancelled',
  sending: 'Being sent',
  rejected: 'Rejected',
  expired: 'Expired',
  not_placed: 'Not placed',
} as const satisfies Record<Order['status'], string>
const TYPE = {
  market: 'Market',
  limit: 'Limit',
  stop: 'Stop-loss',
  take_profit: 'Take profit',
} as const satisfies Record<Order['type'], string>

/** What a bot has sent to the exchange, and what became of it. */
export function OrdersCard({ bot, marketOf }: { bot: Bot; marketOf: (symbol: string) => Market | undefined }) {
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const reply = useEndpointQuery(
    botOrders,
    { params: { id: bot.id }, query: { limit } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const orders = reply.data
  return (
    <Card title="Orders" facts={`at the exchange · times in ${zoneWords()}`} flush>
      <QueryBoundary reply={reply} title="The orders could not be loaded" inset>
        <ListSkeleton label="Loading the orders" rowHeightPx={28} rows={2} />
      </QueryBoundary>
      {orders?.length === 0 && <EmptyLine>No order has been sent yet.</EmptyLine>}
      {orders !== undefined && orders.length > 0 && (
        <DataTable
          label="Orders"
          columns={columnsOf(marketOf)}
          rows={orders}
          rowKey={({ id }) => id}
          rowName={({ side, createdAt }) => `the ${side} order of ${formatTableTimeYear(createdAt)}`}
        />
      )}
      {orders?.length === limit && limit < MOST && <ShowAll onClick={() => setLimit(MOST)}>Show all</ShowAll>}
    </Card>
  )
}

function columnsOf(marketOf: (symbol: string) => Market | undefined): Column<Order>[] {
  const price = ({ symbol }: Order, value: number | null) => formatPrice(value, marketOf(symbol)?.tickSize)
  const base = ({ symbol }: Order, value: number) => formatQuantity(value, marketOf(symbol)?.lotSize)
  return [
    {
      id: 'time',
      head: 'Time',
      keep: true,
      whole: true,
      quiet: true,
      cell: ({ createdAt }) => formatTableTimeYear(createdAt),
    },
    { id: 'pair', head: 'Pair', cell: ({ symbol }) => symbol },
    {
      id: 'side',
      head: 'Order',
      keep: true,
      cell: ({ side, type, reduceOnly }) =>
        [side === 'buy' ? 'Buy' : 'Sell', TYPE[type].toLowerCase(), ...(reduceOnly ? ['reduce-only'] : [])].join(', '),
    },
    { id: 'amount', head: 'Amount', figure: true, cell: (order) => base(order, order.amount) },
    { id: 'filled', head: 'Filled', figure: true, cell: (order) => base(order, order.filled) },
    {
      id: 'price',
      head: 'Price',
      figure: true,
      cell: (order) => price(order, order.average ?? order.price ?? order.stopPrice),
    },
    {
      id: 'status',
      head: 'Status',
      keep: true,
      cell: ({ status, statusReason }) => (
        <span style={{ whiteSpace: 'normal', ...(status === 'rejected' && { color: colors.down, fontWeight: 500 }) }}>
          {statusReason === null ? STATUS[status] : `${STATUS[status]}: ${statusReason}`}
        </span>
      ),
    },
  ]
}
