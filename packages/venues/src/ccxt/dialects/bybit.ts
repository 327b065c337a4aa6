import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shapecast/contracts/errors'
import type { AccountCalls, ExchangeOrder, ExchangeTrade } from '../calls/account-calls.ts'
import type { ExchangeMarket } from '../calls/exchange-calls.ts'
import type { ExchangeDialect, OrderName } from './dialect.ts'

/** Trades of a page, the most that it gives. */
const TRADES_AT_ONCE = 100
/** It accepts an order before its result is known: how often and how far apart it is then looked up. */
const LOOKS = 5
const BETWEEN_LOOKS_MS = 200
/** Its words for an order that can no longer be cancelled: filled, cancelled, not on the book. */
const ENDED = /"retCode":(?:110001|170139|170142|170143|170190|170213)\b/
/** The parameter of ours that says as of when a request is signed. */
const SIGNED_AT = 'signedAtMs'

interface SignsByNonce {
  nonce: () => number
  sign: (path: string, api: string, method: string, params?: object, headers?: unknown, body?: unknown) => unknown
}

const gone = () => new AppError('not_found', 'Bybit knows no such order.')
const isOpen = ({ status }: ExchangeOrder): boolean => status === 'open'
/** A stop that has not been triggered: on spot it is cancelled as another kind of order. */
const waits = ({ info }: ExchangeOrder): boolean => info?.orderStatus === 'Untriggered'

/** ccxt takes one that was filled in part and then given up for one that is filled. */
function told(order: ExchangeOrder): ExchangeOrder {
  if (order.info?.orderStatus !== 'PartiallyFilledCanceled') return order
  return { ...order, status: order.type === 'market' ? 'expired' : 'canceled' }
}

/** An order among those of late, else in the history. */
async function fetchOrder(
  exchange: AccountCalls,
  { symbol }: ExchangeMarket,
  { id, clientOrderId }: OrderName,
): Promise<ExchangeOrder> {
  const by = id === null ? { orderLinkId: clientOrderId } : { orderId: id }
  const [recent] = await exchange.fetchOpenOrders(symbol, undefined, undefined, by)
  const order = recent ?? (await exchange.fetchCanceledAndClosedOrders!(symbol, undefined, undefined, by))[0]
  if (order === undefined) throw gone()
  return told(order)
}

/** Looks until an order is not `while` any more, a few times; the last look, or null where there was none. */
async function lookWhile(
  look: () => Promise<ExchangeOrder>,
  still: (order: ExchangeOrder) => boolean,
): Promise<ExchangeOrder | null> {
  let order: ExchangeOrder | null = null
  for (let n = 0; n < LOOKS; n++) {
    if (n > 0) await wait(BETWEEN_LOOKS_MS)
    order = await look().catch(() => order)
    if (order !== null && !still(order)) break
  }
  return order
}

export const bybit: ExchangeDialect = {
  // Accounts of the older kind are not made any more; asking each time which one it is costs two requests.
  options: { enableUnifiedMargin: false, enableUnifiedAccount: true },

  prepare(calls) {
    // Markets need no list of coins, which asks for a right to the account's assets.
    Object.assign(calls.has, { fetchCurrencies: false })
    // Its signature stands in a header, whose time ccxt takes from `nonce`.
    const exchange = calls as unknown as SignsByNonce
    const sign = exchange.sign.bind(exchange)
    const nonce = exchange.nonce.bind(exchange)
    exchange.sign = (path, api, method, params = {}, ...rest) => {
      const { [SIGNED_AT]: signedAtMs, ...sent } = params as { [SIGNED_AT]?: number }
      if (signedAtMs === undefined) return sign(path, api, method, params, ...rest)
      exchange.nonce = () => signedAtMs
      try {
        return sign(path, api, method, sent, ...rest)
      } finally {
        exchange.nonce = nonce
      }
    }
  },
  signedAt: (ms) => ({ [SIGNED_AT]: ms }),

  // Timeouts and errors of its own: the order may have been taken.
  doubtful: /"retCode":(?:10000|10016|10019|170146|170147|170149|170150|170191|170234)\b/,

  async keyRights(exchange) {
    const { permissions = {}, readOnly } = (await exchange.privateGetV5UserQueryApi!()).result
    const may = (name: string, right: string) => readOnly !== '1' && permissions[name]?.includes(right) === true
    return {
      withdraw: may('Wallet', 'Withdraw'),
      spot: may('Spot', 'SpotTrade'),
      futures: may('ContractTrade', 'Order') && may('ContractTrade', 'Position'),
    }
  },

  async accountId(exchange) {
    const { userID } = (await exchange.privateGetV5UserQueryApi!()).result
    return userID === undefined ? null : String(userID)
  },

  // Once it has answered, the order is there: failures to look it up are none of the order's.
  async placedOrder(exchange, market, said, type) {
    const { id = null, clientOrderId = '' } = said
    const look = () => fetchOrder(exchange, market, { id, clientOrderId })
    return (await lookWhile(look, (order) => type === 'market' && isOpen(order))) ?? { ...said, status: 'open' }
  },

  fetchOrder,

  async cancelOrder(exchange, market, clientOrderId) {
    const look = () => fetchOrder(exchange, market, { id: null, clientOrderId })
    const order = await look()
    if (!isOpen(order)) throw gone()
    const orderFilter = waits(order) ? 'tpslOrder' : 'Order'
    try {
      await exchange.cancelOrder(order.id ?? '', market.symbol, { orderFilter })
    } catch (error) {
      throw error instanceof Error && ENDED.test(error.message) ? gone() : error
    }
    const after = await lookWhile(look, isOpen)
    if (after !== null && !isOpen(after)) return after
    throw new AppError('order_ambiguous', 'Bybit did not say whether it has cancelled the order.')
  },

  async tradesOf(exchange, market, id) {
    const trades: ExchangeTrade[] = []
    for (let from: object = {}; ; ) {
      const got = await exchange.fetchMyTrades(market.symbol, undefined, TRADES_AT_ONCE, { orderId: id, ...from })
      trades.push(...got)
      const cursor = got.find(({ info }) => (info?.nextPageCursor ?? '') !== '')?.info?.nextPageCursor
      if (got.length < TRADES_AT_ONCE || cursor === undefined) return trades
      from = { cursor }
    }
  },
}
