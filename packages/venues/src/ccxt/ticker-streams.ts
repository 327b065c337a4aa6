import type { Ticker } from '@shapecast/contracts/market'
import type { OnState, OnTicker, Unsubscribe } from '../live-venue.ts'
import type { ExchangeMarket, ExchangeTicker, StreamClient } from './calls/exchange-calls.ts'
import { Listeners } from './listeners.ts'
import { awaitedMarket, type StreamDeps } from './stream-deps.ts'
import { WatchGroup } from './watch-group.ts'

interface Subscription {
  readonly symbol: string
  readonly listeners: Listeners<[Ticker]>
  readonly ended: AbortController
  market: ExchangeMarket | null
  client: StreamClient | null
  lastMs: number
}

/** The ticker subscriptions of a venue. */
export class TickerStreams {
  readonly #deps: StreamDeps
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #group: WatchGroup<Subscription>

  constructor(deps: StreamDeps) {
    const { exchange, monitor, settings } = deps
    this.#deps = deps
    this.#group = new WatchGroup<Subscription>(
      {
        many:
          exchange.has.watchTickers === true
            ? async (all) => {
                const news = await exchange.watchTickers(all.map((s) => s.market!.symbol))
                for (const s of all) {
                  const ticker = news[s.market!.symbol]
                  if (ticker !== undefined) this.#take(s, ticker)
                }
              }
            : null,
        one: async (s) => this.#take(s, await exchange.watchTicker(s.market!.symbol)),
        onDown: (all) => {
          for (const s of all) this.#down(s)
        },
      },
      settings,
    )
    monitor.onDown((client) => {
      for (const s of this.#subscriptions.values()) if (s.client === client) this.#down(s)
    })
  }

  /** Prices of a symbol from now on; all who ask for one share its stream. */
  subscribe(symbol: string, onTicker: OnTicker, onState?: OnState): Unsubscribe {
    let subscription = this.#subscriptions.get(symbol)
    if (subscription === undefined) {
      const listeners = new Listeners<[Ticker]>()
      subscription = { symbol, listeners, ended: new AbortController(), market: null, client: null, lastMs: 0 }
      this.#subscriptions.set(symbol, subscription)
      void this.#start(subscription)
    }
    const mine = subscription
    return mine.listeners.add(onTicker, onState, () => this.#end(mine))
  }

  /** The connections are ended by the venue. */
  close(): void {
    this.#group.close()
    for (const s of this.#subscriptions.values()) s.ended.abort()
    this.#subscriptions.clear()
  }

  async #start(s: Subscription): Promise<void> {
    s.market = await awaitedMarket(this.#deps, s.symbol, s.ended.signal)
    if (s.market !== null) this.#group.add(s)
  }

  #end(s: Subscription): void {
    const { exchange } = this.#deps
    if (this.#subscriptions.get(s.symbol) !== s) return
    this.#subscriptions.delete(s.symbol)
    s.ended.abort()
    this.#group.remove(s)
    if (exchange.has.unWatchTicker === true && exchange.has.watchTickers !== true && s.market !== null)
      exchange.unWatchTicker(s.market.symbol).catch(() => {})
  }

  #take(s: Subscription, ticker: ExchangeTicker): void {
    const client = this.#deps.monitor.current
    if (client === null) return
    s.client = client
    s.listeners.state('connected')
    const { last, change, percentage, timestamp } = ticker
    const at = timestamp ?? this.#deps.now()
    // An older message that came late says nothing new.
    if (last === undefined || at < s.lastMs) return
    s.lastMs = at
    s.listeners.tell({ symbol: s.symbol, last, change: change ?? null, percentage: percentage ?? null, timestamp: at })
  }

  #down(s: Subscription): void {
    s.client = null
    s.listeners.state('disconnected')
  }
}
