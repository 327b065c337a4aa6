import type { Order, Position } from '@shapecast/contracts/accounts'
import { type CsvColumns, csvTable, isoTime } from '@shapecast/platform/http/csv-file'

export const ORDER_COLUMNS: CsvColumns<Order> = {
  placed: ({ createdAt }) => isoTime(createdAt),
  money: ({ isVirtual }) => (isVirtual ? 'virtual' : 'real'),
  symbol: ({ symbol }) => symbol,
  side: ({ side }) => side,
  type: ({ type }) => type,
  status: ({ status }) => status,
  reason: ({ statusReason }) => statusReason,
  amount: ({ amount }) => amount,
  filled: ({ filled }) => filled,
  price: ({ price }) => price,
  stop_price: ({ stopPrice }) => stopPrice,
  average: ({ average }) => average,
  fee_usdt: ({ fee }) => fee,
  pnl_before_fees_usdt: ({ pnl }) => pnl,
  source: ({ source }) => source,
  closed: ({ closedAt }) => isoTime(closedAt),
  filled_at_market_time: ({ filledAtMarketTime }) => isoTime(filledAtMarketTime),
  id: ({ id }) => id,
}

/** What an account holds as a file, with the prices of the stops and targets among its `open` orders. */
export function positionsFile(held: readonly Position[], open: readonly Order[]) {
  const guards = (symbol: string, type: Order['type']) =>
    open
      .filter((order) => order.symbol === symbol && order.type === type && order.status === 'open')
      .flatMap(({ stopPrice }) => stopPrice ?? [])
      .join(' ')
  const columns: CsvColumns<Position> = {
    money: ({ isVirtual }) => (isVirtual ? 'virtual' : 'real'),
    pair: ({ symbol }) => symbol,
    side: ({ side }) => side,
    quantity: ({ quantity }) => quantity,
    opened_at: ({ openedAt }) => isoTime(openedAt),
    entry_price: ({ entryPrice }) => entryPrice,
    live_price: ({ lastPrice }) => lastPrice,
    worth_usdt: ({ quantity, lastPrice }) => (lastPrice === null ? null : quantity * lastPrice),
    pnl_before_fees_usdt: ({ unrealisedPnl }) => unrealisedPnl,
    stop: ({ symbol }) => guards(symbol, 'stop'),
    target: ({ symbol }) => guards(symbol, 'take_profit'),
  }
  return csvTable('positions.csv', columns, held)
}
