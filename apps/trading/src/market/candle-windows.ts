import { type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'

const BYTES_PER_CANDLE = 48

/** The newest candles of one series, without a break from the first of them to the last of the series. */
export interface CandleWindow {
  readonly revision: number
  /** Whether it begins with the first candle of the series. */
  readonly whole: boolean
  readonly candles: Candles
}

interface Kept extends CandleWindow {
  /** Columns with room for more behind `candles`, which is a view on them. */
  readonly room: Candles
}

/**
 * Keeps the windows that were used last, up to `maxBytes` of columns. It only remembers: callers have to compare
 * the revision with the database's.
 */
export class CandleWindows {
  readonly #windows = new Map<number, Kept>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How many candles a single window may have. */
  get largest(): number {
    return Math.floor(this.#maxBytes / 2 / BYTES_PER_CANDLE)
  }

  get(seriesId: number): CandleWindow | undefined {
    const found = this.#windows.get(seriesId)
    if (found === undefined) return undefined
    this.#windows.delete(seriesId)
    this.#windows.set(seriesId, found)
    return found
  }

  set(seriesId: number, window: CandleWindow): void {
    this.#put(seriesId, { ...window, room: window.candles })
  }

  /**
   * Adds candles that follow the window's last one. Views given out earlier stay as they are: the new candles go
   * behind them, or all move to larger columns.
   */
  append(seriesId: number, more: Candles): CandleWindow {
    const kept = this.#windows.get(seriesId)!
    const length = kept.candles.length + more.length
    let { room } = kept
    if (room.length < length) {
      room = emptyCandles(Math.ceil(length * 1.25) + 64)
      copyInto(room, kept.candles, 0)
    }
    copyInto(room, more, kept.candles.length)
    const window = { ...kept, candles: sliceCandles(room, 0, length), room }
    this.#put(seriesId, window)
    return window
  }

  #put(seriesId: number, window: Kept): void {
    this.#drop(seriesId)
    this.#windows.set(seriesId, window)
    this.#bytes += window.room.length * BYTES_PER_CANDLE
    for (const oldest of [...this.#windows.keys()]) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #drop(seriesId: number): void {
    const old = this.#windows.get(seriesId)
    if (old === undefined) return
    this.#windows.delete(seriesId)
    this.#bytes -= old.room.length * BYTES_PER_CANDLE
  }
}

function copyInto(target: Candles, source: Candles, at: number): void {
  target.ts.set(source.ts, at)
  target.open.set(source.open, at)
  target.high.set(source.high, at)
  target.low.set(source.low, at)
  target.close.set(source.close, at)
  target.volume.set(source.volume, at)
}
