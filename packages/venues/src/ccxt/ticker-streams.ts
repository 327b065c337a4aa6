import type { Ticker } from '@shapecast/contracts/market'
import type { OnState, OnTicker, Unsubscribe } from '../live-venue.ts'
import type { ExchangeTicker } from './calls/exchange-calls.ts'
import { type StreamDeps, Subscription, Subscriptions } from './subscriptions.ts'

class TickerSubscription extends Subscription<[Ticker]> {
  lastMs = 0
}

/** The ticker subscriptions of a venue. */
export function createTickerStreams({ exchange, monitor, now, ...deps }: StreamDeps) {
  function take(one: TickerSubscription, { last, change, percentage, timestamp }: ExchangeTicker): void {
    const client = monitor.current
    if (client === null) return
    one.heard(client)
    const at = timestamp ?? now()
    // An older message that came late says nothing new.
    if (last === undefined || at < one.lastMs) return
    one.lastMs = at
    one.tell({ symbol: one.symbol, last, change: change ?? null, percentage: percentage ?? null, timestamp: at })
  }
  const all = new Subscriptions<[Ticker], TickerSubscription>(
    { exchange, monitor, now, ...deps },
    {
      many:
        exchange.has.watchTickers === true
          ? async (watched) => {
              const news = await exchange.watchTickers(watched.map((one) => one.market!.symbol))
              for (const one of watched) {
                const ticker = news[one.market!.symbol]
                if (ticker !== undefined) take(one, ticker)
              }
            }
          : null,
      one: async (one) => take(one, await exchange.watchTicker(one.market!.symbol)),
      ended({ market }) {
        if (exchange.has.unWatchTicker === true && exchange.has.watchTickers !== true && market !== null)
          exchange.unWatchTicker(market.symbol).catch(() => {})
      },
    },
  )
  return {
    /** Prices of a symbol from now on. */
    subscribe: (symbol: string, onTicker: OnTicker, onState?: OnState): Unsubscribe =>
      all.subscribe(symbol, () => new TickerSubscription(symbol), onTicker, onState),
    close: () => all.close(),
  }
}
