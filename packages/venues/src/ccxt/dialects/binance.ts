import type { AccountPayment } from '../../live-trading.ts'
import type { AccountCalls, ExchangeOrder } from '../calls/account-calls.ts'
import { classNames } from '../calls/class-names.ts'
import type { ExchangeMarket } from '../calls/exchange-calls.ts'
import { allTrades } from './all-trades.ts'
import type { ExchangeDialect } from './dialect.ts'

/** Nothing that needs a key where none is needed, and one connection for all prices. */
export const binanceOptions = {
  fetchMargins: false,
  fetchCurrencies: false,
  streamLimits: { spot: 1, future: 1 },
  subscriptionLimitByStream: { spot: 1000, future: 200 },
}

/**
 * Stops on futures are kept by a service of their own ("algo orders"), which numbers them apart and, once one is
 * triggered, places an ordinary order that has another id than ours. Here such a stop is one order from beginning to end.
 */
const STOP = 'algo-'
const STOPS = { trigger: true }
const isFutures = (market: ExchangeMarket): boolean => market.swap === true
const isNotFound = (error: unknown): boolean => classNames(error).includes('OrderNotFound')

/** An order with an id that tells a stop of that service from an ordinary order. */
const named = (order: ExchangeOrder): ExchangeOrder =>
  order.info?.algoId === undefined ? order : { ...order, id: `${STOP}${order.id}` }

/** A stop as the algo service reports it, with the state of the order that it placed. */
async function wholeStop(exchange: AccountCalls, market: ExchangeMarket, stop: ExchangeOrder): Promise<ExchangeOrder> {
  const { algoStatus, actualOrderId = '' } = stop.info ?? {}
  if (actualOrderId !== '' && actualOrderId !== '0') {
    const { status, filled, average, fee, fees } = await exchange.fetchOrder(String(actualOrderId), market.symbol, {})
    return { ...named(stop), status, filled, average, fee, fees }
  }
  // ccxt takes one that was triggered for one that is filled.
  const isUnderWay = algoStatus === 'TRIGGERING' || algoStatus === 'TRIGGERED' || algoStatus === 'FINISHED'
  return { ...named(stop), ...(isUnderWay ? { status: 'open' } : {}) }
}

async function fetchStop(
  exchange: AccountCalls,
  market: ExchangeMarket,
  by: { id: string } | { clientOrderId: string },
) {
  const stop =
    'id' in by
      ? await exchange.fetchOrder(by.id.slice(STOP.length), market.symbol, STOPS)
      : await exchange.fetchOrder('', market.symbol, { ...STOPS, ...by })
  return wholeStop(exchange, market, stop)
}

/** The most that it tells at a time. */
const INCOMES = 1_000
const PAYMENTS: Readonly<Record<string, AccountPayment['kind']>> = {
  FUNDING_FEE: 'funding',
  INSURANCE_CLEAR: 'liquidation',
}

export const binance: ExchangeDialect = {
  options: binanceOptions,

  // Its demo trading has spot and futures under one key, at the prices of the real markets; its testnets have not.
  enterSandbox: (exchange) => exchange.enableDemoTrading(true),

  async keyRights(exchange, testnet) {
    // The interface that tells has no sandbox, and a sandbox nothing to withdraw.
    if (testnet) return null
    const said = await exchange.sapiGetAccountApiRestrictions!()
    return {
      withdraw: said.enableWithdrawals !== false,
      spot: said.enableSpotAndMarginTrading === true,
      futures: said.enableFutures === true,
    }
  },

  signedAt: (timestamp) => ({ timestamp }),

  placedOrder: async (_exchange, _market, said) => named(said),

  async placePair(exchange, market, { quantity, stop, target, params }) {
    const said = await exchange.privatePostOrderListOco!({
      symbol: market.id,
      side: 'SELL',
      quantity: exchange.amountToPrecision(market.symbol, quantity),
      aboveType: 'TAKE_PROFIT',
      aboveStopPrice: exchange.priceToPrecision(market.symbol, target.price),
      aboveClientOrderId: target.clientOrderId,
      belowType: 'STOP_LOSS',
      belowStopPrice: exchange.priceToPrecision(market.symbol, stop.price),
      belowClientOrderId: stop.clientOrderId,
      newOrderRespType: 'RESULT',
      ...params,
    })
    const orders = (said.orderReports ?? []).map((report) => exchange.parseOrder(report, market))
    const named = (name: string) => orders.find(({ clientOrderId }) => clientOrderId === name) ?? {}
    return [named(stop.clientOrderId), named(target.clientOrderId)]
  },

  async fetchOrder(exchange, market, { id, clientOrderId }) {
    if (id?.startsWith(STOP)) return fetchStop(exchange, market, { id })
    try {
      return await exchange.fetchOrder(id ?? '', market.symbol, id === null ? { clientOrderId } : {})
    } catch (error) {
      if (id !== null || !isFutures(market) || !isNotFound(error)) throw error
      return fetchStop(exchange, market, { clientOrderId })
    }
  },

  async cancelOrder(exchange, market, clientOrderId) {
    try {
      const said = await exchange.cancelOrder('', market.symbol, { clientOrderId })
      if (said.info?.contingencyType === undefined) return said
      // With one order of a pair the other is cancelled too, and it answers of the pair.
      const order = await exchange.fetchOrder('', market.symbol, { clientOrderId })
      return order.status === 'open' ? said : order
    } catch (error) {
      if (!isFutures(market) || !isNotFound(error)) throw error
      await exchange.cancelOrder('', market.symbol, { ...STOPS, clientOrderId })
      return fetchStop(exchange, market, { clientOrderId })
    }
  },

  async openOrders(exchange, name) {
    const orders = await exchange.fetchOpenOrders(name)
    if (exchange.options.defaultType === 'spot') return orders
    const stops = await exchange.fetchOpenOrders(name, undefined, undefined, STOPS)
    return [...orders, ...stops.map(named)]
  },

  async tradesOf(exchange, market, id) {
    if (!id.startsWith(STOP)) return allTrades(exchange, market, id)
    const { info } = await exchange.fetchOrder(id.slice(STOP.length), market.symbol, STOPS)
    const placed = String(info?.actualOrderId ?? '')
    return placed === '' || placed === '0' ? [] : allTrades(exchange, market, placed)
  },

  async payments(exchange, market, sinceMs) {
    const found = new Map<string, Omit<AccountPayment, 'symbol'>>()
    for (let from = sinceMs; ; ) {
      const said = await exchange.fapiPrivateGetIncome!({ symbol: market.id!, startTime: from, limit: INCOMES })
      for (const { incomeType, tranId, asset, income, time } of said) {
        const kind = PAYMENTS[incomeType]
        // Its numbers are unique among those of one kind.
        const id = `${incomeType} ${tranId}`
        if (kind !== undefined) found.set(id, { id, kind, asset, amount: Number(income), timestampMs: Number(time) })
      }
      if (said.length < INCOMES) return [...found.values()]
      from = Math.max(Number(said.at(-1)!.time), from + 1)
    }
  },

  async forcedOrders(exchange, market, sinceMs) {
    // Without `autoCloseType`, which ccxt would set, it tells of deleveraging too.
    const said = await exchange.fapiPrivateGetForceOrders!({ symbol: market.id!, startTime: sinceMs })
    return said.map(({ orderId, side, executedQty, avgPrice, time }) => ({
      id: String(orderId),
      side: side === 'BUY' ? 'buy' : 'sell',
      quantity: Number(executedQty),
      average: Number(avgPrice),
      timestampMs: Number(time),
    }))
  },
}
