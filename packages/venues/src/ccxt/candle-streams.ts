import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import type { OnCandle, OnState, Unsubscribe } from '../live-venue.ts'
import type { ExchangeCandle, StreamClient } from './calls/exchange-calls.ts'
import { type CandleMessage, CandleSequence } from './candle-sequence.ts'
import { soundCandle } from './sound-candles.ts'
import { type StreamDeps, Subscription, Subscriptions } from './subscriptions.ts'
import { createUnconfirmedCandles, type UnconfirmedCandles } from './unconfirmed-candles.ts'

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

type News = Parameters<OnCandle>

class CandleSeries extends Subscription<News> {
  readonly timeframe: Timeframe
  readonly sequence = new CandleSequence()
  readonly unconfirmed: UnconfirmedCandles

  constructor(symbol: string, timeframe: Timeframe, { read, confirmAfterMs, settings }: StreamDeps) {
    super(symbol)
    this.timeframe = timeframe
    this.unconfirmed = createUnconfirmedCandles({
      read: (fromMs) => read(symbol, timeframe, { fromMs }),
      found: (candle, askedMs) => {
        if (this.sequence.confirm(candle, askedMs)) this.tell(candle, true, askedMs)
      },
      signal: this.ended.signal,
      waitMs: confirmAfterMs,
      random: settings.random,
    })
  }

  /** By which raw messages name it. */
  get kline(): string {
    return `${this.market?.id ?? this.symbol} ${this.timeframe}`
  }

  /** Listeners read what was missed. */
  override lost(): void {
    this.sequence.lost()
    super.lost()
  }
}

/** The candle subscriptions of a venue. */
export function createCandleStreams(deps: StreamDeps) {
  const { exchange, monitor, now } = deps
  /** Whether the raw messages are read: they say what is final. Otherwise ccxt's candles are. */
  const isRaw = SPEAKS_KLINE.has(exchange.id)
  const byKline = new Map<string, CandleSeries>()

  /**
   * Whether the candle has not begun, or is said to have closed before it began. Clocks differ, so a step is granted;
   * one stamped far ahead would make all that come before it look old.
   */
  function isAhead({ timeframe }: CandleSeries, { candle, final }: CandleMessage): boolean {
    const stepMs = TIMEFRAME_MS[timeframe]
    return candle.ts + (final === true ? stepMs : 0) > now() + stepMs
  }

  function take(series: CandleSeries, client: StreamClient, message: CandleMessage): void {
    const { sequence, unconfirmed, timeframe } = series
    series.heard(client)
    if (isAhead(series, message)) return
    const { tell, unconfirmedMs } = sequence.take(message)
    if (tell?.closed === true) unconfirmed.settle(tell.candle.ts)
    if (unconfirmedMs !== null && unconfirmedMs >= message.eventMs - MOST_BACK * TIMEFRAME_MS[timeframe])
      unconfirmed.add(unconfirmedMs)
    if (tell !== null) series.tell(tell.candle, tell.closed, message.eventMs)
  }

  /** ccxt's candles: in order, without a mark for the final ones. */
  function takeRows(series: CandleSeries, rows: readonly ExchangeCandle[]): void {
    if (isRaw || monitor.current === null) return
    for (const row of rows) {
      const candle = soundCandle(row, TIMEFRAME_MS[series.timeframe])
      if (candle !== null) take(series, monitor.current, { candle, final: null, eventMs: now() })
    }
  }

  async function watchMany(watched: readonly CandleSeries[]): Promise<void> {
    const pairs = watched.map((series): [string, string] => [series.market!.symbol, series.timeframe])
    const news = await exchange.watchOHLCVForSymbols(pairs)
    for (const series of watched) takeRows(series, news[series.market!.symbol]?.[series.timeframe] ?? [])
  }

  if (isRaw)
    monitor.onMessage((client, message) => {
      const kline = klineMessageOf(message)
      const series = kline && byKline.get(`${kline.marketId} ${kline.interval}`)
      if (kline && series) take(series, client, kline)
    })
  const all = new Subscriptions<News, CandleSeries>(deps, {
    many: exchange.has.watchOHLCVForSymbols === true ? watchMany : null,
    one: async (series) => takeRows(series, await exchange.watchOHLCV(series.market!.symbol, series.timeframe)),
    started: (series) => void byKline.set(series.kline, series),
    ended(series) {
      series.unconfirmed.clear()
      if (series.market === null) return
      byKline.delete(series.kline)
      if (exchange.has.unWatchOHLCV === true && series.client !== null)
        exchange.unWatchOHLCV(series.market.symbol, series.timeframe).catch(() => {})
    },
  })
  return {
    /** Candles of a series from now on. */
    subscribe: (symbol: string, timeframe: Timeframe, onCandle: OnCandle, onState?: OnState): Unsubscribe =>
      all.subscribe(`${symbol} ${timeframe}`, () => new CandleSeries(symbol, timeframe, deps), onCandle, onState),
    close() {
      all.close()
      byKline.clear()
    },
  }
}
