import type { AppError } from '@shapecast/contracts/errors'
import type { Market, Ticker } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { FundingRecord } from './funding.ts'
import type { Venue } from './venue.ts'

/** One candle. `ts` is its open time in ms UTC by the venue's clock; `volume` is in base. */
export interface LiveCandle {
  readonly ts: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A closed candle, and when the venue said it, ms by its clock. */
export interface HeardCandle {
  readonly candle: LiveCandle
  readonly heardMs: number
}

/**
 * `connected`: messages of this subscription arrive. `disconnected`: they do not, and the venue is being tried again; at
 * the next `connected` whatever came between is missing and has to be read with `candles`.
 */
export type StreamState = 'connected' | 'disconnected'

/**
 * `closed` is true only where the venue says that the candle is final, or, where it never says so, where the next one
 * has begun and the values were read again from its history. A closed candle may come a second time with other values:
 * the venue has revised it, and the later one holds. Old and repeated messages are left out. `heardMs` is when the
 * venue said it, by its clock.
 */
export type OnCandle = (candle: LiveCandle, closed: boolean, heardMs: number) => void
export type OnTicker = (ticker: Ticker) => void
/** Called at each change. A subscription begins as `disconnected`, without a call. */
export type OnState = (state: StreamState) => void
export type Unsubscribe = () => void

/** What a measurement of the venue's clock says. */
export interface ClockReading {
  /** The venue's clock minus ours, ms. */
  readonly skewMs: number
  /** Half the round trip, ms: the skew is known to no more than this. */
  readonly uncertaintyMs: number
  /** When it was measured, by our clock. */
  readonly measuredAtMs: number
}

/** The best bid and ask. Sizes are in base. */
export interface BookTop {
  readonly symbol: string
  readonly bid: number
  readonly bidSize: number
  readonly ask: number
  readonly askSize: number
  readonly timestampMs: number
}

/** A piece of a series' history. */
export interface HistoryChunk {
  /** Closed candles, oldest first, in order, unique and of sane values. */
  readonly candles: Candles
  /** Everything before this open time has been asked for: where to go on. */
  readonly resumeMs: number
  /** How much of the range has been asked for, 0 to 1. */
  readonly doneRatio: number
  /** Rows that the venue sent and that could not be taken (out of order, high below low, …). */
  readonly refused: number
  /** When the venue was asked, by its clock: what it says after that is newer. */
  readonly askedMs: number
}

export interface HistoryQuery {
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Open times, both included. */
  readonly fromMs: number
  readonly toMs: number
  readonly signal?: AbortSignal | undefined
  /** Told before each wait for the venue: how long it will be, in ms, and why. */
  readonly onWait?: ((ms: number, why: AppError) => void) | undefined
}

export interface FundingQuery {
  readonly symbol: string
  readonly fromMs: number
  readonly untilMs: number
}

/** A real exchange: the markets of a `Venue`, and what it tells without being asked. */
export interface LiveVenue extends Venue {
  /** What its websocket has; where it has not, the candles or the ticker are to be asked for. */
  readonly streams: { readonly candles: boolean; readonly ticker: boolean }
  /**
   * The venue's clock in ms: its last reading and the time since, however our own clock is set meanwhile. Our clock
   * before the first reading; `now()` waits for that.
   */
  clock(): number
  /** The last reading; null before the first. */
  clockReading(): ClockReading | null
  /** Reads the venue's clock. Throws `venue_unreachable` or `venue_rate_limited`. */
  measureClock(): Promise<ClockReading>
  /** Asks for the markets again. */
  refreshMarkets(): Promise<Market[]>
  /**
   * History to any depth, page by page, at the speed that the venue allows: it waits out rate limits, and tries again
   * where the venue does not answer. Throws `venue_unreachable` after several vain tries, `unknown_symbol`, and the
   * signal's reason where it is aborted.
   */
  history(query: HistoryQuery): AsyncIterable<HistoryChunk>
  /**
   * Funding rates of a perpetual future after `fromMs` up to `untilMs`, oldest first; left out where there are none to ask
   * for. Throws as `candles` does, and `unprocessable` where the venue tells none.
   */
  funding?(query: FundingQuery): Promise<FundingRecord[]>
  bookTop(symbol: string): Promise<BookTop>
  /**
   * Candles as they form. The venue object reconnects by itself, with backoff; nobody else does. After every
   * `connected` the reader backfills from its last closed candle. Throws nothing: an unknown symbol shows as a
   * subscription that never connects, so ask `markets` first.
   */
  subscribeCandles(symbol: string, timeframe: Timeframe, onCandle: OnCandle, onState?: OnState): Unsubscribe
  subscribeTicker(symbol: string, onTicker: OnTicker, onState?: OnState): Unsubscribe
  /** Whether any websocket is open, of prices and of the account. */
  websocket(): { public: boolean; private: boolean }
  /** Ends subscriptions, sockets and timers. */
  close(): Promise<void>
}
