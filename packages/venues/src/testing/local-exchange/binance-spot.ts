import { decimal } from './binance-numbers.ts'
import type { MarketRules } from './market-rules.ts'
import { newOrderOf } from './new-order-request.ts'
import { isOpen, type LocalOrder } from './order-book.ts'
import type { SpotAccount, SpotRefusals } from './spot-account.ts'
import { refusals } from './venue-error.ts'

export const spotRefusals: SpotRefusals = {
  duplicate: refusals.duplicateOrder,
  noSuchOrder: refusals.noSuchOrder,
  notOpen: refusals.unknownOrder,
  crosses: refusals.wouldTake,
  tooSmall: () => refusals.filter('NOTIONAL'),
  noFunds: refusals.noFunds,
  tooManyWaiting: () => refusals.filter('MAX_NUM_ALGO_ORDERS'),
  tooManyOrders: () => refusals.filter('MAX_NUM_ORDERS'),
}

/** POST /api/v3/order */
export const placeSpotOrder = (
  spot: SpotAccount,
  params: URLSearchParams,
  market: MarketRules,
  last: number,
): LocalOrder => spot.place(newOrderOf(params, market, market.lotSize, last))

/** POST /api/v3/orderList/oco: of a sale, a take profit above the price and a stop-loss below it. */
export function placeSpotList(
  spot: SpotAccount,
  params: URLSearchParams,
  market: MarketRules,
  last: number,
): LocalOrder[] {
  if (params.get('side') !== 'SELL') throw refusals.missing('side')
  const leg = (name: 'above' | 'below', type: string) => {
    if (params.get(`${name}Type`) !== type) throw refusals.missing(`${name}Type`)
    const asked = new URLSearchParams({ side: 'SELL', type, timestamp: params.get('timestamp') ?? '' })
    for (const [to, from] of [
      ['quantity', 'quantity'],
      ['stopPrice', `${name}StopPrice`],
      ['newClientOrderId', `${name}ClientOrderId`],
    ] as const)
      asked.set(to, params.get(from) ?? '')
    if (Number(asked.get('stopPrice')) <= last === (name === 'above')) throw refusals.priceRelation()
    return newOrderOf(asked, market, market.lotSize, last)
  }
  return spot.placeList([leg('below', 'STOP_LOSS'), leg('above', 'TAKE_PROFIT')])
}

/** What an order list is answered with, taken or cancelled. */
export const spotListReply = (orders: readonly LocalOrder[], state: 'EXECUTING' | 'ALL_DONE'): object => ({
  orderListId: orders[0]!.listId,
  contingencyType: 'OCO',
  listStatusType: state === 'EXECUTING' ? 'EXEC_STARTED' : 'ALL_DONE',
  listOrderStatus: state,
  listClientOrderId: `local-list-${orders[0]!.listId}`,
  transactionTime: orders[0]!.updatedMs,
  symbol: orders[0]!.symbol,
  orders: orders.map(({ symbol, orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
  orderReports: orders.map((o) => ({ ...orderFields(o), transactTime: o.updatedMs, stopPrice: decimal(o.stopPrice) })),
})

const balances = (spot: SpotAccount): [string, string, string][] =>
  [...spot.balances.keys()].map((asset) => [asset, decimal(spot.free(asset)), decimal(spot.locked(asset))])

/** GET /api/v3/account */
export const spotAccountReply = (spot: SpotAccount, now: number): object => ({
  makerCommission: 10,
  takerCommission: 10,
  buyerCommission: 0,
  sellerCommission: 0,
  commissionRates: { maker: '0.00100000', taker: '0.00100000', buyer: '0.00000000', seller: '0.00000000' },
  canTrade: true,
  canWithdraw: true,
  canDeposit: true,
  brokered: false,
  requireSelfTradePrevention: false,
  preventSor: false,
  updateTime: now,
  accountType: 'SPOT',
  balances: balances(spot).map(([asset, free, locked]) => ({ asset, free, locked })),
  permissions: ['SPOT'],
  uid: 354937868,
})

/** What both replies say of an order. */
const orderFields = (o: LocalOrder) => ({
  symbol: o.symbol,
  orderId: o.orderId,
  orderListId: o.listId ?? -1,
  clientOrderId: o.clientOrderId,
  price: decimal(o.price),
  origQty: decimal(o.qty),
  executedQty: decimal(o.filled),
  origQuoteOrderQty: '0.00000000',
  cummulativeQuoteQty: decimal(o.filledQuote),
  status: o.status,
  timeInForce: o.timeInForce,
  type: o.type,
  side: o.side,
  workingTime: o.timeMs,
  selfTradePreventionMode: 'EXPIRE_MAKER',
})

/** GET /api/v3/order */
export const spotOrderReply = (o: LocalOrder): object => ({
  ...orderFields(o),
  stopPrice: decimal(o.stopPrice),
  icebergQty: '0.00000000',
  time: o.timeMs,
  updateTime: o.updatedMs,
  isWorking: isOpen(o),
})

/** POST /api/v3/order with newOrderRespType=FULL */
export const newSpotOrderReply = (o: LocalOrder): object => ({
  ...orderFields(o),
  transactTime: o.updatedMs,
  fills: o.fills.map((f) => ({
    price: decimal(f.price),
    qty: decimal(f.qty),
    commission: decimal(f.commission),
    commissionAsset: f.commissionAsset,
    tradeId: f.tradeId,
  })),
})

/** GET /api/v3/myTrades of one order */
export const spotTradesReply = (o: LocalOrder): object[] =>
  o.fills.map((f) => ({
    symbol: o.symbol,
    id: f.tradeId,
    orderId: o.orderId,
    orderListId: o.listId ?? -1,
    price: decimal(f.price),
    qty: decimal(f.qty),
    quoteQty: decimal(f.qty * f.price),
    commission: decimal(f.commission),
    commissionAsset: f.commissionAsset,
    time: o.updatedMs,
    isBuyer: o.side === 'BUY',
    isMaker: f.isMaker === true,
    isBestMatch: true,
  }))
