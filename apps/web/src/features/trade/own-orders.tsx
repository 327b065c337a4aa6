import { cancelOrder, cancelOrders, exportOrders, type Order } from '@shapecast/contracts/accounts'
import { useState } from 'react'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { orderEstimate } from '#entities/trade/order-estimate.ts'
import { FIRST_ORDERS, MOST_ORDERS, OrderList, orderColumns, orderName } from '#entities/trade/order-list.tsx'
import { useEndedOrders } from '#entities/trade/use-own-account.ts'
import { formatMoney } from '#kit/format/money.ts'
import { formatCounted, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { file } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'

/** What waits for its price, each with Cancel. */
export function OpenOrders({ orders: open, isVirtual }: { orders: readonly Order[]; isVirtual: boolean }) {
  const [asksAll, setAsksAll] = useState(false)
  const cancel = useEndpointMutation(cancelOrder)
  const columns: Column<Order>[] = [
    ...orderColumns(useMarketFinder()),
    {
      head: 'Away',
      figure: true,
      cell: ({ symbol, price, stopPrice }) => <Away symbol={symbol} price={price ?? stopPrice} />,
    },
    ...(isVirtual ? [{ head: 'Set aside, USDT', figure: true, cell: setAside }] : []),
    {
      head: `Placed, ${zoneWords()}`,
      whole: true,
      quiet: true,
      cell: ({ createdAt }) => formatTableTimeYear(createdAt),
    },
    {
      head: 'Cancel',
      keep: true,
      cell: (order) =>
        order.status === 'sending' ? (
          'Being sent'
        ) : (
          <Button
            size="small"
            aria-label={`Cancel: ${orderName(order)}`}
            {...busyButton(cancel.isPending && cancel.variables?.params.id === order.id, () =>
              cancel.mutate({ params: { id: order.id } }),
            )}
          >
            Cancel
          </Button>
        ),
    },
  ]
  return (
    <Card
      title="Open orders"
      facts={String(open.length)}
      flush
      actions={
        open.length > 0 && (
          <Button size="small" onClick={() => setAsksAll(true)}>
            Cancel all
          </Button>
        )
      }
    >
      {asksAll && <CancelAllDialog open={open} isVirtual={isVirtual} onClose={() => setAsksAll(false)} />}
      {cancel.error !== null && (
        <Text role="alert" size="small" tone="down" style={{ padding: '8px 16px' }}>
          {errorText(cancel.error, 'The server did not answer. Look whether the order is still open.')}
        </Text>
      )}
      {open.length === 0 ? (
        <EmptyLine>No order waits for its price.</EmptyLine>
      ) : (
        <DataTable label="Open orders" columns={columns} rows={open} rowKey={({ id }) => id} rowName={orderName} />
      )}
    </Card>
  )
}

/** How far the price has to go. */
function Away({ symbol, price }: { symbol: string; price: number | null }) {
  const last = useTicker(symbol).data?.last
  return formatChangePct(last === undefined || price === null ? null : (100 * (price - last)) / last)
}

/** What a virtual purchase holds back until it is filled or cancelled. */
const setAside = ({ side, type, price, amount }: Order): string =>
  side === 'sell' || type !== 'limit' || price === null
    ? UNKNOWN
    : formatMoney(
        orderEstimate(
          { side, type, unit: 'base', size: amount },
          { price, lotSize: 0, free: 0, held: 0, isVirtual: true },
        )?.total,
      )

/** Asks once, then cancels all that is open; says which of them still are. */
function CancelAllDialog({
  open,
  isVirtual,
  onClose,
}: {
  open: readonly Order[]
  isVirtual: boolean
  onClose: () => void
}) {
  const cancel = useEndpointMutation(cancelOrders, { onSuccess: ({ failed }) => failed.length === 0 && onClose() })
  const guards = open.filter(({ type }) => type === 'stop' || type === 'take_profit').length
  const failed = cancel.data?.failed ?? []
  const error =
    cancel.error !== null
      ? errorText(cancel.error, 'The server did not answer. Press again: what is cancelled stays so.')
      : failed.length > 0
        ? `Still open: ${formatCounted(failed.length, 'order')}. ${failed[0]!.error}`
        : undefined
  return (
    <ConfirmDialog
      title={`Cancel ${formatCounted(open.length, 'open order')}?`}
      text={[
        isVirtual ? 'On your virtual account.' : 'At the exchange, on your own account. Orders of bots stay.',
        guards > 0 &&
          `${formatCounted(guards, 'of them is a stop or target', 'of them are stops and targets')}: what they guard stays without them.`,
      ]
        .filter((part) => part !== false)
        .join(' ')}
      confirmLabel={cancel.isPending ? 'Cancelling…' : 'Cancel all'}
      onConfirm={() => cancel.mutate({ query: { isVirtual: isVirtual ? 'true' : 'false' } })}
      onClose={onClose}
      busy={cancel.isPending}
      error={error}
    />
  )
}

/** Orders that have ended, the newest first. */
export function OrderHistory({ isVirtual }: { isVirtual: boolean }) {
  const [limit, setLimit] = useState(FIRST_ORDERS)
  return (
    <OrderList
      title="Order history"
      empty="No order has ended yet."
      reply={useEndedOrders(isVirtual, limit)}
      limit={limit}
      onAll={() => setLimit(MOST_ORDERS)}
      actions={
        <CsvButton
          of="orders"
          label="CSV of all orders"
          fetchFile={() => file(exportOrders, { query: { isVirtual: isVirtual ? 'true' : 'false' } })}
        />
      }
    />
  )
}
