import { AppError } from '@shapecast/contracts/errors'
import type { Ticker } from '@shapecast/contracts/market'
import type { ExchangeCalls } from './calls/exchange-calls.ts'
import type { KnownMarkets } from './known-markets.ts'

/** The last price of a symbol of ours. Throws `unknown_symbol`, and `no_candles` without a price. */
export async function readTicker(
  {
    exchange,
    markets,
    ask,
  }: { exchange: ExchangeCalls; markets: KnownMarkets; ask<T>(call: () => Promise<T>): Promise<T> },
  id: string,
  now: () => number,
): Promise<Ticker> {
  const { symbol } = await markets.of(id)
  const { last, change, percentage, timestamp } = await ask(() => exchange.fetchTicker(symbol))
  if (last === undefined) throw new AppError('no_candles', `${exchange.id} has no price of ${id} yet.`)
  return { symbol: id, last, change: change ?? null, percentage: percentage ?? null, timestamp: timestamp ?? now() }
}
