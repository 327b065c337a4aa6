import { isMultiple } from './binance-numbers.ts'
import type { MarketRules } from './market-rules.ts'
import { type NewOrder, waits, waitsForFall } from './order-book.ts'
import { refusals } from './venue-error.ts'

const TYPES = new Set(['MARKET', 'LIMIT', 'LIMIT_MAKER', 'STOP_LOSS', 'TAKE_PROFIT'])
const FORM = /^[.A-Z:/a-z0-9_-]{1,36}$/

/** A client order id as Binance takes it; throws its refusal of any other. */
export function clientIdOf(text: string, name: string): string {
  if (!FORM.test(text)) throw refusals.missing(name)
  return text
}

/** Reads what a request has to bring; a refusal where it does not. */
export const textOf =
  (params: URLSearchParams) =>
  (name: string): string => {
    const value = params.get(name)
    if (value === null || value === '') throw refusals.missing(name)
    return value
  }

/** A POST …/order as an order that keeps the market's rules, or the refusal that Binance would give. */
export function newOrderOf(params: URLSearchParams, market: MarketRules, lot: number, lastPrice: number): NewOrder {
  const text = textOf(params)
  const side = text('side')
  const type = text('type')
  if (side !== 'BUY' && side !== 'SELL') throw refusals.missing('side')
  if (!TYPES.has(type)) throw refusals.missing('type')
  const isPriced = type === 'LIMIT' || type === 'LIMIT_MAKER'
  const price = isPriced ? Number(text('price')) : 0
  const stopPrice = waits({ type }) ? Number(text('stopPrice')) : 0
  const timeInForce = type === 'LIMIT' ? text('timeInForce') : 'GTC'
  const quoteQty = params.get('quoteOrderQty')
  const qty = quoteQty === null ? Number(text('quantity')) : Math.floor(Number(quoteQty) / lastPrice / lot + 1e-9) * lot
  if (!(qty > 0) || !isMultiple(qty, lot)) throw refusals.filter('LOT_SIZE')
  if (isPriced && (!(price > 0) || !isMultiple(price, market.tickSize))) throw refusals.filter('PRICE_FILTER')
  if (waits({ type })) {
    if (!(stopPrice > 0) || !isMultiple(stopPrice, market.tickSize)) throw refusals.filter('PRICE_FILTER')
    if (waitsForFall({ side, type }) ? lastPrice <= stopPrice : lastPrice >= stopPrice) throw refusals.triggersAtOnce()
  }
  const clientOrderId = params.get('newClientOrderId') ?? `local-${Math.round(lastPrice)}-${params.get('timestamp')}`
  return {
    clientOrderId: clientIdOf(clientOrderId, 'newClientOrderId'),
    symbol: market.symbol,
    side,
    type,
    timeInForce,
    price,
    stopPrice,
    qty,
    reduceOnly: params.get('reduceOnly') === 'true',
    postOnly: type === 'LIMIT_MAKER',
  }
}
