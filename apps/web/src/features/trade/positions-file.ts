import type { Order, Position } from '@shapecast/contracts/accounts'
import { tableFile } from '#wire/calls/table-file.ts'

/** The prices of what stands over a coin: of its stops, or of its targets. */
export const guardPrices = (orders: readonly Order[], symbol: string, type: Order['type']): number[] =>
  orders
    .filter((order) => order.symbol === symbol && order.type === type && order.status === 'open')
    .flatMap(({ stopPrice }) => (stopPrice === null ? [] : [stopPrice]))

const HEADS = [
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

/** What is held by hand, with its stops and targets, for a spreadsheet. */
export const positionsFile = (held: readonly Position[], orders: readonly Order[]) =>
  tableFile('positions.csv', [
    HEADS,
    ...held.map(({ isVirtual, symbol, side, quantity, openedAt, entryPrice, lastPrice, unrealisedPnl }) => [
      isVirtual ? 'virtual' : 'real',
      symbol,
      side,
      quantity,
      openedAt === null ? null : new Date(openedAt).toISOString(),
      entryPrice,
      lastPrice,
      lastPrice === null ? null : quantity * lastPrice,
      unrealisedPnl,
      guardPrices(orders, symbol, 'stop').join(' '),
      guardPrices(orders, symbol, 'take_profit').join(' '),
    ]),
  ])
