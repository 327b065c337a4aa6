import { type Order, orders, type Position } from '@shapecast/contracts/accounts'
import { useMemo } from 'react'
import { useOpenOrders, useOwnPositions } from '#entities/trade/use-own-account.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import type { PriceLevel } from '../primitives/price-levels.ts'
import type { MarkedFill } from '../trade-markers.ts'

/** What an account did with a coin, and what it holds of it. */
export interface OwnMarks {
  readonly levels: readonly PriceLevel[]
  /** Its filled orders. */
  readonly fills: readonly MarkedFill[]
}

const MOST_FILLS = 200

const filledAt = ({ filledAtMarketTime, closedAt }: Order): number => filledAtMarketTime ?? closedAt ?? 0

/** What sold and made more than it cost, with the fees of both sides, which are about the same, is drawn as a gain. */
const kindOf = ({ side, pnl, fee }: Order): MarkedFill['kind'] =>
  side === 'buy' ? 'long_entry' : pnl === null ? 'short_entry' : pnl > 2 * fee ? 'profit_exit' : 'loss_exit'

/** The marks of one coin: the average entry from its first purchase on, and the stops and targets that wait. */
export function ownMarks(position: Position | undefined, open: readonly Order[], ended: readonly Order[]): OwnMarks {
  const filled = ended.filter(({ average }) => average !== null)
  const openedAt = position?.openedAt ?? Number.POSITIVE_INFINITY
  const bought = filled.filter(({ side, closedAt }) => side === 'buy' && (closedAt ?? 0) >= openedAt).map(filledAt)
  const since = bought.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...bought)
  const entry = position?.entryPrice ?? null
  const away = (price: number) => (entry === null ? '' : ` ${formatChangePct((100 * (price - entry)) / entry)}`)
  const level = ({ type, stopPrice: price }: Order): PriceLevel[] =>
    price === null
      ? []
      : type === 'stop'
        ? [{ name: `Stop${away(price)}`, price, tone: 'down', since }]
        : [{ name: `Target${away(price)}`, price, tone: 'up', since }]
  return {
    levels: [
      ...(entry === null ? [] : [{ name: 'Your entry', price: entry, tone: 'plain' as const, since }]),
      ...open.flatMap(level),
    ],
    fills: filled.map((order) => ({ t: filledAt(order), price: order.average!, kind: kindOf(order) })),
  }
}

/** The marks of the own account in a coin; the same object until it does or holds something else. */
export function useOwnMarks(symbol: string, isVirtual: boolean): OwnMarks {
  const held = useOwnPositions(isVirtual).data
  const open = useOpenOrders(isVirtual).data
  const ended = useEndpointQuery(
    orders,
    { query: { symbol, isVirtual: isVirtual ? 'true' : 'false', state: 'ended', limit: MOST_FILLS } },
    { refetchInterval: REFRESH_MS },
  ).data
  const position = held?.find((each) => each.symbol === symbol)
  // The price of now changes nothing here.
  const { entryPrice = null, openedAt = null } = position ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(
    () => ownMarks(position, open?.filter((order) => order.symbol === symbol) ?? [], ended ?? []),
    [entryPrice, openedAt, open, ended, symbol],
  )
}
