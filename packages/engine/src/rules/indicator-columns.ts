import { candlesPerYear, TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, sliceCandles } from '../candles.ts'
import { ema, wilder } from '../indicators/averages.ts'
import { bollinger, macd } from '../indicators/bands.ts'
import { cci, moneyFlow, stochastic } from '../indicators/channel-oscillators.ts'
import { directionalMovement } from '../indicators/directional.ts'
import { highest, lowest } from '../indicators/extremes.ts'
import { rsi, ultimateOscillator } from '../indicators/oscillators.ts'
import { rollingMoments, sma, zScore } from '../indicators/rolling.ts'
import { warmingSeries } from '../indicators/series.ts'
import { atr } from '../indicators/volatility.ts'
import type { Value } from './tree.ts'
import type { IndicatorName } from './vocabulary.ts'

type Call = Pick<Extract<Value, { kind: 'indicator' }>, 'name' | 'parameters'>

/** Candles that an average of weight 2 / (n + 1) or 1 / n takes to forget: what lies before weighs less than 1e-8. */
const FORGETS = { ema: 10, wilder: 20 } as const

interface Work {
  /** Candles before the first value that is asked for, on which that value rests. */
  memory(...parameters: number[]): number
  /** Of a stretch without unknown values; `x` is the input, of an indicator of candles the closes. */
  column(x: Float64Array, parameters: readonly number[], candles: Candles, timeframe: Timeframe): Float64Array
}

const ofMacd: Work['memory'] = (fast, slow, signal = 0) => FORGETS.ema * (Math.max(fast!, slow!) + signal)
const directional = ({ high, low, close }: Candles, n?: number) => directionalMovement(high, low, close, n)
const percentK = ({ high, low, close }: Candles, [n, smoothing]: readonly (number | undefined)[]) =>
  stochastic(high, low, close, n, smoothing)

const WORK: Readonly<Record<IndicatorName, Work>> = {
  sma: { memory: (n) => n! - 1, column: (x, [n]) => sma(x, n!) },
  ema: { memory: (n) => FORGETS.ema * n!, column: (x, [n]) => ema(x, n!) },
  wilder: { memory: (n) => FORGETS.wilder * n!, column: (x, [n]) => wilder(x, n!) },
  rsi: { memory: (n) => FORGETS.wilder * n! + 1, column: (x, [n]) => rsi(x, n!) },
  roc: { memory: (n) => n!, column: (x, [n]) => rateOfChange(x, n!) },
  stdev: { memory: (n) => n! - 1, column: (x, [n]) => rollingMoments(x, n!).std },
  zscore: { memory: (n) => n! - 1, column: (x, [n]) => warm(zScore(x, n!), n! - 1) },
  highest: { memory: (n) => n! - 1, column: (x, [n]) => highest(x, n!) },
  lowest: { memory: (n) => n! - 1, column: (x, [n]) => lowest(x, n!) },
  macd: { memory: ofMacd, column: (x, [fast, slow]) => macd(x, fast, slow, 1).macd },
  macd_signal: { memory: ofMacd, column: (x, [fast, slow, signal]) => macd(x, fast, slow, signal).signal },
  macd_histogram: { memory: ofMacd, column: (x, [fast, slow, signal]) => macd(x, fast, slow, signal).histogram },
  bollinger_upper: { memory: (n) => n! - 1, column: (x, [n, width]) => bollinger(x, n, width).upper },
  bollinger_lower: { memory: (n) => n! - 1, column: (x, [n, width]) => bollinger(x, n, width).lower },
  donchian_upper: { memory: (n) => n! - 1, column: (_x, [n], { high }) => highest(high, n!) },
  donchian_lower: { memory: (n) => n! - 1, column: (_x, [n], { low }) => lowest(low, n!) },
  atr: { memory: (n) => FORGETS.wilder * n! + 1, column: (_x, [n], { high, low, close }) => atr(high, low, close, n) },
  adx: { memory: (n) => 2 * FORGETS.wilder * n! + 1, column: (_x, [n], candles) => directional(candles, n).adx },
  plus_di: { memory: (n) => FORGETS.wilder * n! + 1, column: (_x, [n], candles) => directional(candles, n).plus },
  minus_di: { memory: (n) => FORGETS.wilder * n! + 1, column: (_x, [n], candles) => directional(candles, n).minus },
  stochastic_k: { memory: (n, smoothing) => n! + smoothing! - 2, column: (_x, of, candles) => percentK(candles, of) },
  stochastic_d: {
    memory: (n, smoothing, average) => n! + smoothing! + average! - 3,
    column: (_x, of, candles) => sma(percentK(candles, of), of[2]!),
  },
  williams_r: { memory: (n) => n! - 1, column: (_x, [n], candles) => percentK(candles, [n]).map((k) => k - 100) },
  cci: { memory: (n) => n! - 1, column: (_x, [n], { high, low, close }) => cci(high, low, close, n) },
  mfi: {
    memory: (n) => n!,
    column: (_x, [n], { high, low, close, volume }) => moneyFlow(high, low, close, volume, n),
  },
  ultimate: { memory: () => 28, column: (_x, _none, { high, low, close }) => ultimateOscillator(high, low, close) },
  vol: { memory: (n) => n!, column: (_x, [n], { close }, timeframe) => yearlyVolatility(close, n!, timeframe) },
}

const workOf = ({ name }: Call): Work => WORK[name as IndicatorName]

/** Candles before a block from which an indicator begins. */
export const memoryOf = (call: Call): number => workOf(call).memory(...call.parameters)

const SMALLEST_BLOCK = 1024
/** Candles of the blocks of the calendar in which an indicator of that memory is worked out: a power of two. */
export function blockOf(memory: number): number {
  let block = SMALLEST_BLOCK
  while (block < memory) block *= 2
  return block
}

/**
 * An indicator at each candle, NaN where it is unknown. It begins at fixed candles, so that a value is the same to the
 * bit wherever the candles begin: time is cut into blocks of `blockOf` candles, counted from 1970, and each block is
 * worked out from `memoryOf` candles before it on. Behind an unknown input it begins again.
 */
export function indicatorColumn(
  call: Call,
  input: Float64Array | null,
  candles: Candles,
  timeframe: Timeframe,
): Float64Array {
  const { column } = workOf(call)
  const x = input ?? candles.close
  const memory = memoryOf(call)
  const blockMs = blockOf(memory) * TIMEFRAME_MS[timeframe]
  const out = new Float64Array(candles.length).fill(Number.NaN)
  for (let first = 0, end = 0; first < candles.length; first = end) {
    const block = Math.floor(candles.ts[first]! / blockMs)
    end = first + 1
    while (end < candles.length && Math.floor(candles.ts[end]! / blockMs) === block) end++
    const begin = Math.max(0, first - memory)
    for (const [from, to] of knownStretches(x, begin, end)) {
      if (to <= first) continue
      const values = column(x.subarray(from, to), call.parameters, sliceCandles(candles, from, to), timeframe)
      const kept = Math.max(from, first)
      out.set(values.subarray(kept - from), kept)
    }
  }
  return out
}

/** The stretches of known values within a range. */
function knownStretches(x: Float64Array, begin: number, end: number): [from: number, to: number][] {
  const stretches: [number, number][] = []
  for (let i = begin; i < end; i++) {
    if (Number.isNaN(x[i]!)) continue
    const from = i
    while (i < end && !Number.isNaN(x[i]!)) i++
    stretches.push([from, i])
  }
  return stretches
}

/** A column whose first values are not known yet. */
const warm = (x: Float64Array, unknown: number): Float64Array => x.fill(Number.NaN, 0, unknown)

/** The change over `period` candles as a ratio; NaN if there is none. */
function rateOfChange(x: Float64Array, period: number): Float64Array {
  const out = warmingSeries(x.length, period)
  for (let i = period; i < x.length; i++) {
    const before = x[i - period]!
    out[i] = before === 0 ? Number.NaN : x[i]! / before - 1
  }
  return out
}

/** √(candles a year × mean r²) of the last `period` log returns r. */
function yearlyVolatility(close: Float64Array, period: number, timeframe: Timeframe): Float64Array {
  const squares = warmingSeries(close.length, 1)
  for (let i = 1; i < close.length; i++) squares[i] = Math.log(close[i]! / close[i - 1]!) ** 2
  // What a sliding sum of squares leaves behind may lie a rounding below 0.
  const out = sma(squares, period)
  const candles = candlesPerYear(timeframe)
  for (let i = period; i < out.length; i++) out[i] = Math.sqrt(candles * Math.max(0, out[i]!))
  return out
}
