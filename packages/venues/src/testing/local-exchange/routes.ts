import { decimal } from './binance-numbers.ts'
import {
  newSpotOrderReply,
  placeSpotList,
  placeSpotOrder,
  spotAccountReply,
  spotListReply,
  spotOrderReply,
  spotTradesReply,
} from './binance-spot.ts'
import type { FuturesAccount } from './futures-account.ts'
import {
  futuresAccountReply,
  futuresOrderReply,
  futuresTradesReply,
  premiumIndexReply,
  riskReplies,
} from './futures-replies.ts'
import type { MarketData } from './market-data.ts'
import { futuresExchangeInfo, type MarketRules, spotExchangeInfo } from './market-rules.ts'
import type { LocalOrder, OrderBook } from './order-book.ts'
import { bookTicker, dayTicker, depth, klines, knownSymbol } from './price-replies.ts'
import type { RestRoute, RestRoutes } from './rest-server.ts'
import type { SpotAccount } from './spot-account.ts'
import { type LocalStop, stopReply } from './stop-orders.ts'
import { refusals } from './venue-error.ts'

export interface RouteDeps {
  readonly data: MarketData
  readonly markets: readonly MarketRules[]
  readonly now: () => number
  readonly spot: SpotAccount
  readonly futures: FuturesAccount
  /** What the key may do beyond what it usually may, by Binance's names; changed by tests. */
  readonly keyRights: Record<string, boolean>
}

type Answer = RestRoute['answer']

/** The routes of both interfaces, with Binance's weights. */
export function localRoutes(deps: RouteDeps): RestRoutes {
  const routes = new Map<string, RestRoute>()
  const add = (name: string, access: RestRoute['access'], weight: number, answer: Answer) =>
    routes.set(name, { access, weight, answer })
  publicRoutes(deps, add)
  spotRoutes(deps, add)
  futuresRoutes(deps, add)
  return routes
}

type Add = (name: string, access: RestRoute['access'], weight: number, answer: Answer) => void

function publicRoutes({ data, markets, now }: RouteDeps, add: Add): void {
  for (const [base, futures] of [
    ['/api/v3', false],
    ['/fapi/v1', true],
  ] as const) {
    add(`GET ${base}/ping`, 'public', 1, () => ({}))
    add(`GET ${base}/time`, 'public', 1, () => ({ serverTime: now() }))
    add(`GET ${base}/exchangeInfo`, 'public', futures ? 1 : 20, () =>
      futures ? futuresExchangeInfo(markets, now()) : spotExchangeInfo(markets, now()),
    )
    add(`GET ${base}/klines`, 'public', futures ? 5 : 2, ({ params }) => klines(data, params, futures ? 1500 : 1000))
    add(`GET ${base}/ticker/24hr`, 'public', 2, ({ params }) =>
      dayTicker(data, knownSymbol(data, params), now(), !futures),
    )
    add(`GET ${base}/ticker/bookTicker`, 'public', 2, ({ params }) => {
      const symbols = params.get('symbols')
      if (symbols === null) return bookTicker(data, knownSymbol(data, params))
      return (JSON.parse(symbols) as string[]).map((s) => bookTicker(data, s))
    })
    add(`GET ${base}/depth`, 'public', 5, ({ params }) =>
      depth(data, knownSymbol(data, params), Number(params.get('limit') ?? 100), now(), futures),
    )
  }
}

function spotRoutes({ spot, data, keyRights, markets, now }: RouteDeps, add: Add): void {
  add('GET /api/v3/account', 'signed', 20, () => spotAccountReply(spot, now()))
  const marketOf = (params: URLSearchParams): MarketRules => {
    const market = markets.find(({ symbol }) => symbol === params.get('symbol'))
    if (market === undefined) throw refusals.badSymbol()
    return market
  }
  add('POST /api/v3/order', 'signed', 1, ({ params }) => {
    const market = marketOf(params)
    return newSpotOrderReply(placeSpotOrder(spot, params, market, data.last(market.symbol) ?? 0))
  })
  add('POST /api/v3/orderList/oco', 'signed', 1, ({ params }) => {
    const market = marketOf(params)
    return spotListReply(placeSpotList(spot, params, market, data.last(market.symbol) ?? 0), 'EXECUTING')
  })
  orderRoutes('/api/v3', spot.book, data, spotOrderReply, add)
  tradeRoute('GET /api/v3/myTrades', spot.book, data, spotTradesReply, add)
  add('GET /sapi/v1/account/apiRestrictions', 'signed', 1, () => ({
    ipRestrict: true,
    createTime: 1_698_645_219_000,
    enableReading: true,
    enableSpotAndMarginTrading: true,
    enableWithdrawals: false,
    enableInternalTransfer: false,
    enableMargin: false,
    enableFutures: true,
    permitsUniversalTransfer: false,
    enableVanillaOptions: false,
    enableFixApiTrade: false,
    enableFixReadOnly: false,
    enablePortfolioMarginTrading: false,
    ...keyRights,
  }))
}

function futuresRoutes({ futures, data, now, markets }: RouteDeps, add: Add): void {
  add('GET /fapi/v1/premiumIndex', 'public', 1, ({ params }) =>
    premiumIndexReply(futures, knownSymbol(data, params), now()),
  )
  add('GET /fapi/v1/fundingRate', 'public', 1, ({ params }) =>
    futures.fundingRates
      .filter(
        ({ symbol, fundingTime }) =>
          symbol === params.get('symbol') &&
          fundingTime >= Number(params.get('startTime') ?? 0) &&
          fundingTime <= Number(params.get('endTime') ?? Number.MAX_SAFE_INTEGER),
      )
      .slice(0, Number(params.get('limit') ?? 100)),
  )
  add('POST /fapi/v1/order', 'signed', 1, ({ params }) => futuresOrderReply(futures.place(params)))
  orderRoutes('/fapi/v1', futures.book, data, futuresOrderReply, add)
  for (const version of ['v2', 'v3']) {
    add(`GET /fapi/${version}/account`, 'signed', 5, () => futuresAccountReply(futures, now()))
    add(`GET /fapi/${version}/positionRisk`, 'signed', 5, ({ params }) =>
      riskReplies(futures, now(), params.get('symbol') ?? undefined),
    )
  }
  tradeRoute('GET /fapi/v1/userTrades', futures.book, data, futuresTradesReply, add)
  stopRoutes({ futures }, add)
  add('GET /fapi/v1/positionSide/dual', 'signed', 30, () => ({ dualSidePosition: futures.hedged }))
  add('GET /fapi/v1/forceOrders', 'signed', 20, ({ params }) =>
    futures.forced
      .filter(({ symbol, timeMs }) => symbol === params.get('symbol') && timeMs >= Number(params.get('startTime') ?? 0))
      .map(futuresOrderReply),
  )
  add('GET /fapi/v1/income', 'signed', 30, ({ params }) =>
    futures.incomes
      .filter(
        ({ symbol, incomeType, time }) =>
          symbol === (params.get('symbol') ?? symbol) &&
          incomeType === (params.get('incomeType') ?? incomeType) &&
          time >= Number(params.get('startTime') ?? 0),
      )
      .slice(0, Number(params.get('limit') ?? 100))
      .map((row) => ({ ...row, income: decimal(row.income), asset: 'USDT', info: row.incomeType, tradeId: '' })),
  )
  add('POST /fapi/v1/leverage', 'signed', 1, ({ params }) =>
    futures.setLeverage(knownSymbol(data, params), Number(params.get('leverage'))),
  )
  add('POST /fapi/v1/marginType', 'signed', 1, ({ params }) =>
    futures.setMarginType(knownSymbol(data, params), params.get('marginType') ?? ''),
  )
  add('GET /fapi/v1/leverageBracket', 'signed', 1, () =>
    markets.map(({ symbol }) => ({
      symbol,
      notionalCoef: 1,
      brackets: [
        {
          bracket: 1,
          initialLeverage: 125,
          notionalCap: 50_000,
          notionalFloor: 0,
          maintMarginRatio: 0.004,
          cum: 0,
        },
      ],
    })),
  )
  add('GET /fapi/v1/symbolConfig', 'signed', 5, () =>
    markets.map(({ symbol }) => {
      const { leverage, isolated } = futures.position(symbol)
      const marginType = isolated ? 'ISOLATED' : 'CROSSED'
      return { symbol, marginType, isAutoAddMargin: false, leverage, maxNotionalValue: '1000000' }
    }),
  )
}

function stopRoutes({ futures }: Pick<RouteDeps, 'futures'>, add: Add): void {
  const named = (params: URLSearchParams): LocalStop => {
    const algoId = params.get('algoId')
    const clientAlgoId = params.get('clientAlgoId')
    if (algoId !== null && algoId !== '') return futures.stops.find({ algoId: Number(algoId) })
    if (clientAlgoId === null) throw refusals.missing('algoId')
    return futures.stops.find({ clientAlgoId })
  }
  add('POST /fapi/v1/algoOrder', 'signed', 1, ({ params }) => stopReply(futures.placeStop(params)))
  add('GET /fapi/v1/algoOrder', 'signed', 1, ({ params }) => stopReply(named(params)))
  add('GET /fapi/v1/openAlgoOrders', 'signed', 1, ({ params }) =>
    futures.stops.open(params.get('symbol') ?? undefined).map(stopReply),
  )
  add('DELETE /fapi/v1/algoOrder', 'signed', 1, ({ params }) => {
    let stop: LocalStop
    try {
      stop = named(params)
    } catch {
      throw refusals.unknownOrder()
    }
    futures.stops.cancel(stop)
    return { algoId: stop.algoId, clientAlgoId: stop.clientAlgoId, code: '200', msg: 'success' }
  })
}

function tradeRoute(
  name: string,
  book: OrderBook,
  data: MarketData,
  reply: (order: LocalOrder) => object[],
  add: Add,
): void {
  add(name, 'signed', 5, ({ params }) => {
    const order = book.find(knownSymbol(data, params), { orderId: Number(params.get('orderId')) })
    const from = params.get('fromId')
    const limit = Math.min(1000, Number(params.get('limit') ?? 500))
    const fills = order.fills.filter(({ tradeId }) => from === null || tradeId >= Number(from))
    return reply({ ...order, fills: from === null ? fills.slice(-limit) : fills.slice(0, limit) })
  })
}

function orderRoutes(
  base: string,
  book: OrderBook,
  data: MarketData,
  reply: (order: LocalOrder) => object,
  add: Add,
): void {
  const named = (params: URLSearchParams): LocalOrder => {
    const symbol = knownSymbol(data, params)
    const orderId = params.get('orderId')
    const clientOrderId = params.get('origClientOrderId')
    if (orderId !== null && orderId !== '') return book.find(symbol, { orderId: Number(orderId) })
    if (clientOrderId === null) throw refusals.missing('orderId')
    return book.find(symbol, { clientOrderId })
  }
  add(`GET ${base}/order`, 'signed', 4, ({ params }) => reply(named(params)))
  add(`GET ${base}/openOrders`, 'signed', 6, ({ params }) => book.open(params.get('symbol') ?? undefined).map(reply))
  add(`DELETE ${base}/order`, 'signed', 1, ({ params }) => {
    let order: LocalOrder
    try {
      order = named(params)
    } catch {
      throw refusals.unknownOrder()
    }
    book.cancel(order)
    const { listId } = order
    if (listId !== undefined)
      return spotListReply(
        book.all.filter((o) => o.listId === listId),
        'ALL_DONE',
      )
    const newId = params.get('newClientOrderId') ?? `cancel-${order.orderId}`
    return { ...reply(order), origClientOrderId: order.clientOrderId, clientOrderId: newId }
  })
}
