import { rebalanceBot } from '@shapecast/contracts/bot-changes'
import { type RebalanceOrder, rebalancePreview } from '@shapecast/contracts/bot-rebalances'
import type { Bot } from '@shapecast/contracts/bots'
import { coinOf } from '#entities/bots/bot-words.ts'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { formatMoney, formatMoneyUnit, formatPrice, formatQuantity } from '#kit/format/money.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { ListSkeleton } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Note, Column as Stack } from '#kit/ui/primitives.tsx'
import { failureText } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { useRealMoneyWords } from '../real/real-money-words.tsx'

/** Prices move while somebody reads. */
const ASK_AGAIN_MS = 10_000

const COLUMNS: readonly Column<RebalanceOrder>[] = [
  {
    head: 'Order',
    keep: true,
    whole: true,
    cell: ({ side, symbol }) => `${side === 'buy' ? 'Buy' : 'Sell'} ${coinOf(symbol)}`,
  },
  { head: 'Quantity', figure: true, cell: ({ quantity }) => formatQuantity(quantity) },
  { head: 'Price, about', figure: true, quiet: true, cell: ({ price }) => formatPrice(price) },
  { head: 'Value, USDT', figure: true, keep: true, cell: ({ value }) => formatMoney(value) },
  { head: 'Costs, USDT', figure: true, cell: ({ fee, slippage }) => formatMoney(fee + slippage) },
]

/** Lists the orders that bring a bot to its targets, with what they cost, before they are made. */
export function RebalanceDialog({ bot, onDone, onClose }: { bot: Bot; onDone: () => void; onClose: () => void }) {
  const reply = useEndpointQuery(rebalancePreview, { params: { id: bot.id } }, { refetchInterval: ASK_AGAIN_MS })
  const rebalance = useEndpointMutation(rebalanceBot)
  const key = useRequestKey()
  const words = useRealMoneyWords(!bot.isVirtual)
  const seen = reply.data
  const isNothing = seen !== undefined && seen.orders.length === 0
  const hasOrders = seen !== undefined && seen.obstacle === null && !isNothing
  const disabledReason =
    seen === undefined
      ? 'Its orders are being worked out'
      : (seen.obstacle ?? (isNothing ? 'There is nothing to do' : words.disabledReason))
  return (
    <ConfirmDialog
      title={`Rebalance ${bot.name} now?`}
      widthPx={600}
      text={`Brings each coin to its last target at the next price${bot.isVirtual ? '' : ', with real money'}, however near it is. The bot goes on and decides again at 00:00 UTC.`}
      subject={
        <Stack gap={2}>
          <QueryBoundary reply={reply} title="Its orders could not be worked out">
            <ListSkeleton label="Working out its orders" rowHeightPx={36} rows={bot.tradingPairs.length} />
          </QueryBoundary>
          {seen !== undefined && seen.obstacle !== null && <Banner kind="warning" title={seen.obstacle} />}
          {isNothing && seen.obstacle === null && (
            <Banner kind="info" title="Nothing to do: no coin is further from its target than the smallest order." />
          )}
          {seen !== undefined && seen.orders.length > 0 && (
            <>
              <DataTable label="Orders" columns={COLUMNS} rows={seen.orders} rowKey={({ symbol }) => symbol} />
              <p>
                About {formatMoneyUnit(seen.fees + seen.slippage, 'USDT')}, of which {formatMoney(seen.fees)} are fees
                and the rest slippage{bot.isVirtual ? '' : '; your exchange may take more or less'}.{' '}
                {new Set(seen.orders.map(({ side }) => side)).size > 1 &&
                  'Sales come first, purchases are made with what they bring. '}
                {seen.pricedAt !== null && (
                  <>
                    Prices of <MarketAgo ms={seen.pricedAt} />.
                  </>
                )}
              </p>
            </>
          )}
          {seen?.left.map(({ symbol, reason }) => (
            <Note key={symbol} as="p">
              {coinOf(symbol)}: {reason}
            </Note>
          ))}
          {!bot.isVirtual && hasOrders && (
            <>
              <Note as="p">Its limits hold for each order: one that they refuse is named under Rebalances.</Note>
              {words.field}
            </>
          )}
        </Stack>
      }
      confirmLabel={
        rebalance.isPending
          ? 'Rebalancing…'
          : hasOrders
            ? `Make ${seen.orders.length} ${seen.orders.length === 1 ? 'order' : 'orders'}`
            : 'Rebalance'
      }
      tone={bot.isVirtual ? 'contained' : 'danger'}
      disabledReason={disabledReason}
      onConfirm={() =>
        rebalance.mutate(
          {
            params: { id: bot.id },
            body: words.confirm,
            idempotencyKey: key,
          },
          { onSuccess: onDone },
        )
      }
      onClose={onClose}
      busy={rebalance.isPending}
      error={failureText(rebalance.error, 'The server did not answer. Press again: it is done once.')}
    />
  )
}
