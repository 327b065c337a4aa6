import { decimal, isMultiple } from '../binance-numbers.ts'
import type { MarketData } from '../market-data.ts'
import type { MarketRules } from '../market-rules.ts'
import { isOpen, type LocalOrder, type NewOrder, waits, waitsForFall } from '../order-book.ts'
import type { RestRoute, RestRoutes } from '../rest-server.ts'
import type { SpotAccount } from '../spot-account.ts'
import { refusals } from './bybit-refusals.ts'

/** Orders that were taken and are not told of yet. */
export interface HiddenOrders {
  /** Look-ups by client order id that find nothing. */
  looks: number
}

const TRADES_OF_PAGE = 100
/** Orders that the list of late ones still has after their end; older ones are in the history alone. */
const RECENT = 50

/** The routes of Bybit's v5 that spot trading needs. */
export function bybitRoutes(deps: {
  data: MarketData
  markets: readonly MarketRules[]
  rules: (symbol: string) => MarketRules
  spot: SpotAccount
  now: () => number
  permissions: Record<string, string[]>
  hidden: HiddenOrders
}): RestRoutes {
  const { data, markets, rules, spot, now, permissions, hidden } = deps
  const routes = new Map<string, RestRoute>()
  const add = (name: string, access: RestRoute['access'], answer: (params: URLSearchParams) => unknown) =>
    routes.set(name, { weight: 1, access, answer: ({ params }) => answer(requireSpot(params)) })

  const asked = (params: URLSearchParams) => (order: LocalOrder) =>
    (params.get('symbol') ?? order.symbol) === order.symbol &&
    (params.get('orderId') ?? '') in { '': 0, [String(order.orderId)]: 0 } &&
    (params.get('orderLinkId') ?? '') in { '': 0, [order.clientOrderId]: 0 }
  const byName = (params: URLSearchParams) => params.has('orderId') || params.has('orderLinkId')
  const isHidden = (params: URLSearchParams) => params.has('orderLinkId') && hidden.looks > 0 && hidden.looks-- > 0

  add('GET /v5/market/time', 'public', () => ({
    timeSecond: String(Math.floor(now() / 1e3)),
    timeNano: `${now()}000000`,
  }))
  add('GET /v5/market/instruments-info', 'public', () => ({ category: 'spot', list: markets.map(instrument) }))
  add('GET /v5/user/query-api', 'signed', () => ({
    id: '13770661',
    note: 'bots',
    apiKey: 'local-key',
    readOnly: 0,
    permissions: { Spot: ['SpotTrade'], ContractTrade: [], Wallet: ['AccountTransfer'], ...permissions },
    ips: ['127.0.0.1'],
    uta: 1,
    userID: 24617703,
    isMaster: true,
  }))
  add('GET /v5/account/wallet-balance', 'signed', () => ({
    list: [
      {
        accountType: 'UNIFIED',
        coin: [...spot.balances].map(([coin, total]) => ({
          coin,
          walletBalance: decimal(total),
          locked: decimal(spot.locked(coin)),
          availableToWithdraw: '',
          free: '',
          totalPositionIM: '0',
          totalOrderIM: '0',
          borrowAmount: '0.0',
          accruedInterest: '0',
        })),
      },
    ],
  }))
  add('POST /v5/order/create', 'signed', (params) => {
    const wanted = newOrderOf(params, rules(params.get('symbol') ?? ''), data)
    spot.book.checkClientId(wanted.clientOrderId, 'always')
    const order = spot.place(wanted)
    return { orderId: String(order.orderId), orderLinkId: order.clientOrderId }
  })
  add('POST /v5/order/cancel', 'signed', (params) => {
    const order = spot.book.all.findLast(asked(params))
    if (order === undefined) throw refusals.noSuchOrder()
    // A stop that waits is another kind of order than the rest.
    if ((params.get('orderFilter') === 'tpslOrder') !== waits(order)) throw refusals.noSuchOrder()
    spot.book.cancel(order)
    return { orderId: String(order.orderId), orderLinkId: order.clientOrderId }
  })
  add('GET /v5/order/realtime', 'signed', (params) => {
    if (isHidden(params)) return { category: 'spot', nextPageCursor: '', list: [] }
    const recent = spot.book.all.slice(-RECENT)
    const known = byName(params) ? spot.book.all.filter((o) => isOpen(o) || recent.includes(o)) : spot.book.open()
    return { category: 'spot', nextPageCursor: '', list: known.filter(asked(params)).map(orderReply).toReversed() }
  })
  add('GET /v5/order/history', 'signed', (params) => {
    const ended = hidden.looks > 0 ? [] : spot.book.all.filter((order) => !isOpen(order))
    return { category: 'spot', nextPageCursor: '', list: ended.filter(asked(params)).map(orderReply).toReversed() }
  })
  add('GET /v5/execution/list', 'signed', (params) => {
    const trades = spot.book.all.filter(asked(params)).flatMap(tradeReplies).toReversed()
    const from = Number(params.get('cursor') ?? 0)
    const limit = Math.min(TRADES_OF_PAGE, Number(params.get('limit') ?? 50))
    const list = trades.slice(from, from + limit)
    return { category: 'spot', nextPageCursor: from + limit < trades.length ? String(from + limit) : '', list }
  })
  return routes
}

/** Only spot is spoken here. */
function requireSpot(params: URLSearchParams): URLSearchParams {
  if ((params.get('category') ?? 'spot') !== 'spot') throw refusals.badParam('category')
  return params
}

/** A POST /v5/order/create as an order that keeps the market's steps. Throws the refusal that Bybit would give. */
function newOrderOf(params: URLSearchParams, market: MarketRules, data: MarketData): NewOrder {
  const { symbol, lotSize, tickSize } = market
  const side = params.get('side')
  const isMarket = params.get('orderType') === 'Market'
  const isStop = params.get('orderFilter') === 'tpslOrder'
  // 1: once the price has risen to it, 2: once it has fallen to it.
  const rises = params.get('triggerDirection') === '1'
  const qty = Number(params.get('qty'))
  const price = isMarket ? 0 : Number(params.get('price'))
  const stopPrice = isStop ? Number(params.get('triggerPrice')) : 0
  const clientOrderId = params.get('orderLinkId') ?? `local-${params.get('qty')}`
  if (side !== 'Buy' && side !== 'Sell') throw refusals.badParam('side')
  if (!isMarket && params.get('orderType') !== 'Limit') throw refusals.badParam('orderType')
  // Without it the quantity of a purchase at the market would be money.
  if (isMarket && !isStop && params.get('marketUnit') !== 'baseCoin') throw refusals.badParam('marketUnit')
  if (!/^[A-Za-z0-9_-]{1,36}$/.test(clientOrderId)) throw refusals.badParam('orderLinkId')
  if (!(qty > 0) || !isMultiple(qty, lotSize)) throw refusals.quantity()
  for (const value of isMarket ? [] : [price]) if (!(value > 0) || !isMultiple(value, tickSize)) throw refusals.price()
  if (isStop) {
    const last = data.last(symbol) ?? 0
    if (!(stopPrice > 0) || !isMultiple(stopPrice, tickSize)) throw refusals.price()
    if (rises ? last >= stopPrice : last <= stopPrice) throw refusals.stopPassed()
  }
  return {
    clientOrderId,
    symbol,
    side: side === 'Buy' ? 'BUY' : 'SELL',
    type: isStop ? (rises === (side === 'Buy') ? 'STOP_LOSS' : 'TAKE_PROFIT') : isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: 'GTC',
    price,
    stopPrice,
    qty,
    reduceOnly: false,
    postOnly: params.get('timeInForce') === 'PostOnly',
  }
}

function statusOf(o: LocalOrder): string {
  switch (o.status) {
    case 'NEW':
      return waits(o) ? 'Untriggered' : 'New'
    case 'PARTIALLY_FILLED':
      return 'PartiallyFilled'
    case 'FILLED':
      return 'Filled'
    case 'CANCELED':
    case 'EXPIRED':
      return o.filled > 0 ? 'PartiallyFilledCanceled' : 'Cancelled'
    default:
      return o.status satisfies never
  }
}

const fee = (o: LocalOrder): Record<string, string> => {
  const sums = Map.groupBy(o.fills, ({ commissionAsset }) => commissionAsset)
  return Object.fromEntries(
    [...sums].map(([asset, fills]) => [asset, decimal(fills.reduce((sum, f) => sum + f.commission, 0))]),
  )
}

/** An order of /v5/order/realtime and /v5/order/history */
const orderReply = (o: LocalOrder): object => ({
  orderId: String(o.orderId),
  orderLinkId: o.clientOrderId,
  symbol: o.symbol,
  price: decimal(o.price),
  qty: decimal(o.qty),
  side: o.side === 'BUY' ? 'Buy' : 'Sell',
  isLeverage: '0',
  positionIdx: 0,
  orderStatus: statusOf(o),
  cancelType: o.status === 'CANCELED' ? 'CancelByUser' : 'UNKNOWN',
  rejectReason: 'EC_NoError',
  avgPrice: o.filled > 0 ? decimal(o.filledQuote / o.filled) : '',
  leavesQty: isOpen(o) ? decimal(o.qty - o.filled) : '0',
  cumExecQty: decimal(o.filled),
  cumExecValue: decimal(o.filledQuote),
  cumFeeDetail: fee(o),
  timeInForce: o.postOnly === true ? 'PostOnly' : o.type === 'LIMIT' ? 'GTC' : 'IOC',
  orderType: o.type === 'LIMIT' ? 'Limit' : 'Market',
  stopOrderType: waits(o) ? 'tpslOrder' : '',
  marketUnit: o.type === 'LIMIT' ? '' : 'baseCoin',
  triggerPrice: decimal(o.stopPrice),
  triggerDirection: waits(o) ? (waitsForFall(o) ? 2 : 1) : 0,
  createdTime: String(o.timeMs),
  updatedTime: String(o.updatedMs),
})

/** The trades of an order in /v5/execution/list */
const tradeReplies = (o: LocalOrder): object[] =>
  o.fills.map((f) => ({
    symbol: o.symbol,
    orderId: String(o.orderId),
    orderLinkId: o.clientOrderId,
    side: o.side === 'BUY' ? 'Buy' : 'Sell',
    orderPrice: decimal(o.price),
    orderQty: decimal(o.qty),
    orderType: o.type === 'LIMIT' ? 'Limit' : 'Market',
    execId: `2210000000${f.tradeId}`,
    execPrice: decimal(f.price),
    execQty: decimal(f.qty),
    execValue: decimal(f.qty * f.price),
    execFee: decimal(f.commission),
    feeCurrency: f.commissionAsset,
    feeRate: '0.001',
    execType: 'Trade',
    execTime: String(o.updatedMs),
    isMaker: f.isMaker === true,
    leavesQty: '0',
  }))

/** A market of /v5/market/instruments-info */
const instrument = (m: MarketRules): object => ({
  symbol: m.symbol,
  baseCoin: m.base,
  quoteCoin: m.quote,
  innovation: '0',
  status: m.trading ? 'Trading' : 'PreLaunch',
  marginTrading: 'none',
  lotSizeFilter: {
    basePrecision: String(m.lotSize),
    quotePrecision: '0.0000001',
    minOrderQty: String(m.lotSize),
    maxOrderQty: '9000',
    minOrderAmt: String(m.minNotional),
    maxOrderAmt: '9000000',
  },
  priceFilter: { tickSize: String(m.tickSize) },
})
