import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { OnState, StreamState, Unsubscribe } from '../live-venue.ts'
import type { CandleQuery } from '../venue.ts'
import { createBackoff, sleep } from './backoff.ts'
import type { ExchangeMarket, ExchangeStreams, StreamClient } from './calls/exchange-calls.ts'
import type { HistoryAnswer } from './candle-pages.ts'
import type { ConnectionMonitor } from './connection-monitor.ts'
import type { KnownMarkets } from './known-markets.ts'
import { WatchGroup, type WatchMethods, type WatchSettings } from './watch-group.ts'

/** What the streams of a venue are made of. */
export interface StreamDeps {
  readonly exchange: ExchangeStreams
  readonly markets: KnownMarkets
  readonly monitor: ConnectionMonitor
  readonly settings: WatchSettings
  /** The venue's clock. */
  readonly now: () => number
  /** Closed candles from the history. */
  readonly read: (symbol: string, timeframe: Timeframe, query: CandleQuery) => Promise<HistoryAnswer>
  /** How long a closing message may be late before the history is asked, ms. */
  readonly confirmAfterMs: number
}

/** What is wanted of one symbol, who listens to it, and whether each has been told that it is connected. */
export class Subscription<News extends unknown[]> {
  readonly symbol: string
  readonly ended = new AbortController()
  /** Null until the venue has told of it. */
  market: ExchangeMarket | null = null
  /** By which its last message came; null where that is lost. */
  client: StreamClient | null = null
  readonly #listeners = new Set<{ tell: (...news: News) => void; onState: OnState | undefined; state: StreamState }>()

  constructor(symbol: string) {
    this.symbol = symbol
  }

  /** A listener that joins a subscription under way hears `connected` with its first message. */
  listen(tell: (...news: News) => void, onState: OnState | undefined, emptied: () => void): Unsubscribe {
    const listener = { tell, onState, state: 'disconnected' as StreamState }
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) emptied()
    }
  }

  heard(client: StreamClient): void {
    this.client = client
    this.#state('connected')
  }

  lost(): void {
    this.client = null
    this.#state('disconnected')
  }

  tell(...news: News): void {
    for (const listener of this.#listeners) listener.tell(...news)
  }

  /** Tells a state of the connection to those who do not know it yet. */
  #state(state: StreamState): void {
    for (const listener of this.#listeners)
      if (listener.state !== state) {
        listener.state = state
        listener.onState?.(state)
      }
  }
}

interface Ways<S> extends Omit<WatchMethods<S>, 'onDown'> {
  /** Its market is known, and it is watched from now on. */
  started?(one: S): void
  /** Nobody listens to it any more. */
  ended(one: S): void
}

/** The subscriptions of one kind at a venue; all who ask for the same share one. */
export class Subscriptions<News extends unknown[], S extends Subscription<News>> {
  readonly #deps: StreamDeps
  readonly #ways: Ways<S>
  readonly #all = new Map<string, S>()
  readonly #group: WatchGroup<S>

  constructor(deps: StreamDeps, ways: Ways<S>) {
    this.#deps = deps
    this.#ways = ways
    const onDown = (lost: readonly S[]) => {
      for (const one of lost) one.lost()
    }
    this.#group = new WatchGroup<S>({ ...ways, onDown }, deps.settings)
    deps.monitor.onDown((client) => onDown([...this.#all.values()].filter((one) => one.client === client)))
  }

  subscribe(key: string, make: () => S, tell: (...news: News) => void, onState: OnState | undefined): Unsubscribe {
    let one = this.#all.get(key)
    if (one === undefined) {
      one = make()
      this.#all.set(key, one)
      void this.#start(one)
    }
    const mine = one
    return mine.listen(tell, onState, () => this.#end(key, mine))
  }

  /** The connections are ended by the venue. */
  close(): void {
    this.#group.close()
    for (const one of this.#all.values()) one.ended.abort()
    this.#all.clear()
  }

  async #start(one: S): Promise<void> {
    one.market = await this.#awaitedMarket(one)
    if (one.market === null) return
    this.#ways.started?.(one)
    this.#group.add(one)
  }

  #end(key: string, one: S): void {
    if (this.#all.get(key) !== one) return
    this.#all.delete(key)
    one.ended.abort()
    this.#group.remove(one)
    this.#ways.ended(one)
  }

  /** Waits for a market of the venue; null if the venue does not have it, or nobody wants it any more. */
  async #awaitedMarket({ symbol, ended: { signal } }: S): Promise<ExchangeMarket | null> {
    const { firstWaitMs, random } = this.#deps.settings
    const backoff = createBackoff({ firstMs: firstWaitMs, maxMs: 30_000, random })
    while (!signal.aborted)
      try {
        const market = await this.#deps.markets.of(symbol)
        return signal.aborted ? null : market
      } catch (error) {
        if (error instanceof AppError && error.code === 'unknown_symbol') return null
        await sleep(backoff.next(), signal).catch(() => {})
      }
    return null
  }
}
