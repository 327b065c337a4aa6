import { type Candles, emptyCandles, setCandles, sliceCandles } from '@shapecast/engine/candles'
import { LRUCache } from 'lru-cache'

const BYTES_PER_CANDLE = 48

/** The newest candles of one series, without a break from the first of them to the last of the series. */
export interface CandleWindow {
  readonly revision: number
  /** Whether it begins with the first candle of the series. */
  readonly whole: boolean
  readonly candles: Candles
  /** Columns with room for more behind `candles`, which is a view on them. */
  readonly room?: Candles
}

/** Keeps the windows that were used last, up to `maxBytes` of columns. Callers have to compare the revision with the database's. */
export class CandleWindows extends LRUCache<number, CandleWindow> {
  constructor(maxBytes: number) {
    const sizeCalculation = ({ candles, room = candles }: CandleWindow) => Math.max(1, room.length * BYTES_PER_CANDLE)
    super({ maxSize: Math.max(1, maxBytes), sizeCalculation })
  }

  /** How many candles a single window may have. */
  get largest(): number {
    return Math.floor(this.maxSize / 2 / BYTES_PER_CANDLE)
  }

  /**
   * Adds candles that follow the window's last one. Views given out earlier stay as they are: the new candles go
   * behind them, or all move to larger columns.
   */
  append(seriesId: number, more: Candles): CandleWindow {
    const kept = this.peek(seriesId)!
    const length = kept.candles.length + more.length
    let { room = kept.candles } = kept
    if (room.length < length) {
      room = emptyCandles(Math.ceil(length * 1.25) + 64)
      setCandles(room, kept.candles)
    }
    setCandles(room, more, kept.candles.length)
    const window = { ...kept, candles: sliceCandles(room, 0, length), room }
    this.set(seriesId, window)
    return window
  }
}
