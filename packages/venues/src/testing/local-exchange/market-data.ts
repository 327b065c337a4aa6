import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A candle as the exchange sees it now: complete, or still forming. */
export interface LocalCandle {
  readonly ts: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** What an exchange knows of its markets: one-minute candles up to its clock, and what can be made of them. */
export class MarketData {
  readonly #series: ReadonlyMap<string, Candles>
  readonly #now: () => number
  readonly #revised = new Map<string, Map<number, LocalCandle>>()

  constructor(series: ReadonlyMap<string, Candles>, now: () => number) {
    this.#series = series
    this.#now = now
  }

  get symbols(): readonly string[] {
    return [...this.#series.keys()]
  }

  /** Whether there is a market of this symbol. */
  has(symbol: string): boolean {
    return this.#series.has(symbol)
  }

  /** From now on the minute at `ts` has these values, in every answer. */
  revise(symbol: string, candle: LocalCandle): void {
    const revised = this.#revised.get(symbol) ?? new Map<number, LocalCandle>()
    this.#revised.set(symbol, revised.set(candle.ts, candle))
  }

  /** The candle of `stepMs` that opened at `ts`, as far as the clock has got; null where nothing was traded. */
  candleAt(symbol: string, stepMs: number, ts: number): LocalCandle | null {
    const candles = this.#series.get(symbol)
    if (candles === undefined || ts > this.#now()) return null
    let made: { -readonly [Column in keyof LocalCandle]: LocalCandle[Column] } | null = null
    for (let i = indexAtOrAfter(candles, ts); i < candles.length && candles.ts[i]! < ts + stepMs; i++) {
      const minute = this.#minute(symbol, candles, i)
      if (minute === null) break
      made ??= { ...minute, ts, volume: 0 }
      made.high = Math.max(made.high, minute.high)
      made.low = Math.min(made.low, minute.low)
      made.close = minute.close
      made.volume += minute.volume
    }
    return made
  }

  /** As /klines answers: from `startMs` on, or the newest; oldest first. */
  candles(symbol: string, stepMs: number, range: { startMs?: number; endMs?: number; limit: number }): LocalCandle[] {
    const candles = this.#series.get(symbol)
    if (candles === undefined || candles.length === 0) return []
    const newest = Math.floor(Math.min(this.#now(), range.endMs ?? this.#now()) / stepMs) * stepMs
    const first = Math.floor(candles.ts[0]! / stepMs) * stepMs
    const rows: LocalCandle[] = []
    if (range.startMs !== undefined) {
      const start = Math.max(first, Math.ceil(range.startMs / stepMs) * stepMs)
      for (let ts = start; ts <= newest && rows.length < range.limit; ts += stepMs) {
        const row = this.candleAt(symbol, stepMs, ts)
        if (row !== null) rows.push(row)
      }
      return rows
    }
    for (let ts = newest; ts >= first && rows.length < range.limit; ts -= stepMs) {
      const row = this.candleAt(symbol, stepMs, ts)
      if (row !== null) rows.unshift(row)
    }
    return rows
  }

  /** The price of the last trade; null before the first. */
  last(symbol: string): number | null {
    const candles = this.#series.get(symbol)
    if (candles === undefined) return null
    const i = indexAtOrAfter(candles, this.#now() + 1) - 1
    return i < 0 ? null : (this.#minute(symbol, candles, i)?.close ?? null)
  }

  /** The last 24 hours as one candle. */
  day(symbol: string): LocalCandle | null {
    const now = this.#now()
    return this.candleAt(symbol, DAY_MS + MINUTE_MS, Math.floor((now - DAY_MS) / MINUTE_MS) * MINUTE_MS)
  }

  #minute(symbol: string, candles: Candles, i: number): LocalCandle | null {
    const ts = candles.ts[i]!
    const now = this.#now()
    if (ts > now) return null
    const whole: LocalCandle = this.#revised.get(symbol)?.get(ts) ?? {
      ts,
      open: candles.open[i]!,
      high: candles.high[i]!,
      low: candles.low[i]!,
      close: candles.close[i]!,
      volume: candles.volume[i]!,
    }
    return now >= ts + MINUTE_MS ? whole : forming(whole, (now - ts) / MINUTE_MS)
  }
}

/** A minute on its way: open, then to the high, then to the low, and the close with the minute's end. */
function forming(whole: LocalCandle, part: number): LocalCandle {
  const { ts, open, high, low } = whole
  const volume = whole.volume * part
  if (part < 0.25) return { ts, open, high: open, low: open, close: open, volume }
  if (part < 0.5) return { ts, open, high, low: open, close: high, volume }
  return { ts, open, high, low, close: low, volume }
}
