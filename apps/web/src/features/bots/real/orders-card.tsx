import { botOrders } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { useState } from 'react'
import { FIRST_ORDERS, MOST_ORDERS, OrderList } from '#entities/trade/order-list.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { REFRESH_MS } from '../use-bot.ts'

/** The orders that a bot has sent to the exchange, with their results. */
export function OrdersCard({ bot, marketOf }: { bot: Bot; marketOf: (symbol: string) => Market | undefined }) {
  const [limit, setLimit] = useState(FIRST_ORDERS)
  const reply = useEndpointQuery(
    botOrders,
    { params: { id: bot.id }, query: { limit } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  return (
    <OrderList
      title="Orders"
      facts="at the exchange"
      empty="No order has been sent yet."
      reply={reply}
      limit={limit}
      onAll={() => setLimit(MOST_ORDERS)}
      marketOf={marketOf}
    />
  )
}
