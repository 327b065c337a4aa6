import type { Order, Position } from '@shapecast/contracts/accounts'
import { csvOf } from '@shapecast/contracts/csv'
import { type CsvColumns, isoTime } from '@shapecast/platform/http/csv-file'

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
    isoTime(openedAt),
    entryPrice,
    lastPrice,
    lastPrice === null ? null : quantity * lastPrice,
    unrealisedPnl,
    guards(symbol, 'stop'),
    guards(symbol, 'take_profit'),
  ])
  return { name: 'positions.csv', content: csvOf([POSITION_HEADS, ...rows]) }
}
