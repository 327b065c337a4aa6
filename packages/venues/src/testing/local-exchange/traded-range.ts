import type { LocalCandle, MarketData } from './market-data.ts'

const MINUTE_MS = 60_000

/** The prices at which was traded since the last look, so that an order fills at what came after it, not before. */
export class TradedRange {
  readonly #data: MarketData
  readonly #seen = new Map<string, LocalCandle>()

  constructor(data: MarketData) {
    this.#data = data
  }

  /** The range of the minute that ends or runs at `nowMs`, less what was seen of it; null where nothing was traded. */
  since(symbol: string, nowMs: number): { low: number; high: number } | null {
    const candle = this.#data.candleAt(symbol, MINUTE_MS, Math.floor((nowMs - 1) / MINUTE_MS) * MINUTE_MS)
    if (candle === null) return null
    const before = this.#seen.get(symbol)
    this.#seen.set(symbol, candle)
    if (before?.ts !== candle.ts) return candle
    return {
      low: candle.low < before.low ? candle.low : Math.min(before.close, candle.close),
      high: candle.high > before.high ? candle.high : Math.max(before.close, candle.close),
    }
  }
}
