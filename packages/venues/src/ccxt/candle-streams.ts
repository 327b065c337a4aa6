import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import type { OnCandle, OnState, Unsubscribe } from '../live-venue.ts'
import type { ExchangeCandle, ExchangeMarket, StreamClient } from './calls/exchange-calls.ts'
import { type CandleMessage, CandleSequence } from './candle-sequence.ts'
import { Listeners } from './listeners.ts'
import { soundCandle } from './sound-candles.ts'
import { awaitedMarket, type StreamDeps } from './stream-deps.ts'
import { createUnconfirmedCandles, type UnconfirmedCandles } from './unconfirmed-candles.ts'
import { WatchGroup } from './watch-group.ts'

/** A raw `kline` message of Binance's: ccxt's candles leave out whether it is final and when it was sent. */
interface KlineMessage extends CandleMessage {
  /** The exchange's own name of the market. */
  readonly marketId: string
  readonly interval: string
}

/** The exchanges that speak so. */
const SPEAKS_KLINE: ReadonlySet<string> = new Set(['binance', 'binanceusdm', 'binanceus'])

interface RawKline {
  readonly e?: unknown
  readonly E?: unknown
  readonly k?: Readonly<Record<string, unknown>>
}

/** Without what JavaScript takes for 0: null, and text that is empty. */
const numberOf = (value: unknown): number => (value === null || value === '' ? Number.NaN : Number(value))

/** A message as a kline; null where it is another one, or makes no sense. */
function klineMessageOf(message: unknown): KlineMessage | null {
  if (typeof message !== 'object' || message === null) return null
  const wrapped = (message as { data?: unknown }).data
  const raw = (typeof wrapped === 'object' && wrapped !== null ? wrapped : message) as RawKline
  const { k } = raw
  if (raw.e !== 'kline' || k === undefined || typeof k.s !== 'string' || typeof k.i !== 'string') return null
  const timeframe = TIMEFRAMES.find((known) => known === k.i)
  const eventMs = Number(raw.E)
  if (timeframe === undefined || !Number.isFinite(eventMs)) return null
  const candle = soundCandle([k.t, k.o, k.h, k.l, k.c, k.v].map(numberOf), TIMEFRAME_MS[timeframe])
  if (candle === null) return null
  return { marketId: k.s, interval: k.i, candle, final: k.x === true, eventMs }
}

/** Of a candle that lies further back than this no message is believed: a page of the history. */
const MOST_BACK = 1_000

interface Series {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly listeners: Listeners<Parameters<OnCandle>>
  readonly sequence: CandleSequence
  readonly unconfirmed: UnconfirmedCandles
  readonly ended: AbortController
  market: ExchangeMarket | null
  client: StreamClient | null
}

/** The candle subscriptions of a venue. */
export class CandleStreams {
  readonly #deps: StreamDeps
  readonly #series = new Map<string, Series>()
  readonly #byKline = new Map<string, Series>()
  readonly #group: WatchGroup<Series>
  /** Whether the raw messages are read: they say what is final. Otherwise ccxt's candles are. */
  readonly #raw: boolean

  constructor(deps: StreamDeps) {
    const { exchange, monitor, settings } = deps
    this.#deps = deps
    this.#raw = SPEAKS_KLINE.has(exchange.id)
    this.#group = new WatchGroup<Series>(
      {
        many: exchange.has.watchOHLCVForSymbols === true ? (series) => this.#watchMany(series) : null,
        one: async (series) => {
          this.#takeRows(series, await exchange.watchOHLCV(series.market!.symbol, series.timeframe))
        },
        onDown: (series) => {
          for (const s of series) this.#down(s)
        },
      },
      settings,
    )
    monitor.onDown((client) => {
      for (const s of this.#series.values()) if (s.client === client) this.#down(s)
    })
    if (this.#raw)
      monitor.onMessage((client, message) => {
        const kline = klineMessageOf(message)
        if (kline === null) return
        const series = this.#byKline.get(`${kline.marketId} ${kline.interval}`)
        if (series !== undefined) this.#take(series, client, kline)
      })
  }

  /** Candles of a series from now on; all who ask for one share its stream. */
  subscribe(symbol: string, timeframe: Timeframe, onCandle: OnCandle, onState?: OnState): Unsubscribe {
    const key = `${symbol} ${timeframe}`
    let series = this.#series.get(key)
    if (series === undefined) {
      series = this.#create(symbol, timeframe)
      this.#series.set(key, series)
      void this.#start(series)
    }
    const mine = series
    return mine.listeners.add(onCandle, onState, () => this.#end(key, mine))
  }

  /** The connections are ended by the venue. */
  close(): void {
    this.#group.close()
    for (const series of this.#series.values()) series.ended.abort()
    this.#series.clear()
    this.#byKline.clear()
  }

  #create(symbol: string, timeframe: Timeframe): Series {
    const ended = new AbortController()
    const sequence = new CandleSequence()
    const listeners = new Listeners<Parameters<OnCandle>>()
    const unconfirmed = createUnconfirmedCandles({
      read: (fromMs) => this.#deps.read(symbol, timeframe, { fromMs }),
      found: (candle, askedMs) => {
        if (sequence.confirm(candle, askedMs)) listeners.tell(candle, true, askedMs)
      },
      signal: ended.signal,
      waitMs: this.#deps.confirmAfterMs,
      random: this.#deps.settings.random,
    })
    return { symbol, timeframe, listeners, sequence, unconfirmed, ended, market: null, client: null }
  }

  async #start(series: Series): Promise<void> {
    series.market = await awaitedMarket(this.#deps, series.symbol, series.ended.signal)
    if (series.market === null) return
    this.#byKline.set(`${series.market.id ?? series.symbol} ${series.timeframe}`, series)
    this.#group.add(series)
  }

  #end(key: string, series: Series): void {
    const { exchange } = this.#deps
    if (this.#series.get(key) !== series) return
    this.#series.delete(key)
    series.ended.abort()
    series.unconfirmed.clear()
    this.#group.remove(series)
    if (series.market === null) return
    this.#byKline.delete(`${series.market.id ?? series.symbol} ${series.timeframe}`)
    if (exchange.has.unWatchOHLCV === true && series.client !== null)
      exchange.unWatchOHLCV(series.market.symbol, series.timeframe).catch(() => {})
  }

  async #watchMany(series: readonly Series[]): Promise<void> {
    const { exchange } = this.#deps
    const pairs = series.map((s): [string, string] => [s.market!.symbol, s.timeframe])
    const news = await exchange.watchOHLCVForSymbols(pairs)
    if (this.#raw) return
    for (const s of series) {
      const rows = news[s.market!.symbol]?.[s.timeframe]
      if (rows !== undefined) this.#takeRows(s, rows)
    }
  }

  /** ccxt's candles: in order, without a mark for the final ones. */
  #takeRows(series: Series, rows: readonly ExchangeCandle[]): void {
    const { monitor, now } = this.#deps
    if (this.#raw || monitor.current === null) return
    for (const row of rows) {
      const candle = soundCandle(row, TIMEFRAME_MS[series.timeframe])
      if (candle !== null) this.#take(series, monitor.current, { candle, final: null, eventMs: now() })
    }
  }

  #take(series: Series, client: StreamClient, message: CandleMessage): void {
    series.client = client
    series.listeners.state('connected')
    if (this.#isAhead(series, message)) return
    const { tell, unconfirmedMs } = series.sequence.take(message)
    if (tell?.closed === true) series.unconfirmed.settle(tell.candle.ts)
    if (unconfirmedMs !== null && unconfirmedMs >= message.eventMs - MOST_BACK * TIMEFRAME_MS[series.timeframe])
      series.unconfirmed.add(unconfirmedMs)
    if (tell !== null) series.listeners.tell(tell.candle, tell.closed, message.eventMs)
  }

  /**
   * Whether the candle has not begun, or is said to have closed before it began. Clocks differ, so a step is granted;
   * one stamped far ahead would make all that come before it look old.
   */
  #isAhead(series: Series, { candle, final }: CandleMessage): boolean {
    const stepMs = TIMEFRAME_MS[series.timeframe]
    return candle.ts + (final === true ? stepMs : 0) > this.#deps.now() + stepMs
  }

  #down(series: Series): void {
    series.client = null
    // Listeners read what was missed.
    series.sequence.lost()
    series.listeners.state('disconnected')
  }
}
