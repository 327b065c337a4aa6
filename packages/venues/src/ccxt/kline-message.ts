import { TIMEFRAME_MS, TIMEFRAMES } from '@shapecast/contracts/timeframes'
import type { CandleMessage } from './candle-sequence.ts'
import { soundCandle } from './sound-candles.ts'

/** A raw `kline` message of Binance's: ccxt's candles leave out whether it is final and when it was sent. */
export interface KlineMessage extends CandleMessage {
  /** The exchange's own name of the market. */
  readonly marketId: string
  readonly interval: string
}

/** The exchanges that speak so. */
export const SPEAKS_KLINE: ReadonlySet<string> = new Set(['binance', 'binanceusdm', 'binanceus'])

interface RawKline {
  readonly e?: unknown
  readonly E?: unknown
  readonly k?: Readonly<Record<string, unknown>>
}

/** Without what JavaScript takes for 0: null, and text that is empty. */
const numberOf = (value: unknown): number => (value === null || value === '' ? Number.NaN : Number(value))

/** A message as a kline; null where it is another one, or makes no sense. */
export function klineMessageOf(message: unknown): KlineMessage | null {
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
