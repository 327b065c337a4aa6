import type { AccountCalls, ExchangeTrade } from '../calls/account-calls.ts'
import type { ExchangeMarket } from '../calls/exchange-calls.ts'

/** Trades of a page, the most that Binance gives. */
const AT_ONCE = 1_000

/**
 * All trades of an order of an exchange that numbers them and takes `fromId`. Without a place to begin it gives the
 * newest: all of them, but of an order in very many parts.
 */
export async function allTrades(exchange: AccountCalls, market: ExchangeMarket, id: string): Promise<ExchangeTrade[]> {
  const page = (from: object) => exchange.fetchMyTrades(market.symbol, undefined, AT_ONCE, { orderId: id, ...from })
  const newest = await page({})
  if (newest.length < AT_ONCE) return [...newest]
  const trades: ExchangeTrade[] = []
  for (let fromId = 0n; ; ) {
    const got = await page({ fromId: String(fromId) })
    trades.push(...got)
    if (got.length < AT_ONCE) return trades
    for (const trade of got) if (trade.id !== undefined && BigInt(trade.id) >= fromId) fromId = BigInt(trade.id) + 1n
  }
}
