import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { WARMUP_CANDLES } from '@shapecast/contracts/training-candles'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { blockInputs } from './block-inputs.ts'
import { chosenFeatures } from './chosen-features.ts'
import { FEATURE_COLUMNS } from './feature-columns.ts'
import { harInputs as allHarInputs, harInputsBeside } from './har-inputs.ts'
import { type Continuity, cutBlocks, findContinuity } from './segments.ts'

/** Everything that the parts of a model are given, by candle. NaN in a segment's first 99 candles. */
export interface FeatureTable {
  length: number
  continuity: Continuity
  /** The features' names, and column by column their float64. */
  names: string[]
  features: Float64Array[]
  /** Those of the volatility model. */
  harNames: string[]
  harInputs: Float64Array[]
  /** Volatility of one candle's log return (EWMA). */
  sigma: Float64Array
  /** Average true range in quote. */
  atr: Float64Array
  /** One-candle log returns, those over holes brought to the size of one step; 0 at a segment's first candle. */
  returns: Float64Array
}

const empty = (n: number): Float64Array => new Float64Array(n).fill(Number.NaN)

/** `into[from…]` gets `column`'s rows; what a window without range or volume leaves undefined is neutral: 0. */
function place(into: Float64Array, column: Float64Array, from: number, offset: number, to: number): void {
  for (let i = from; i < to; i++) {
    const value = column[i - offset]!
    into[i] = Number.isFinite(value) ? value : 0
  }
}

/**
 * Computes the causal columns of the candles: row i is made from candles up to i only. With chosen features the table
 * has these alone, and the inputs of the volatility model that go with them. Throws `bad_input` where one is unknown.
 */
export function buildFeatureTable(candles: Candles, timeframe: Timeframe, chosen?: readonly string[]): FeatureTable {
  const n = candles.length
  const timeframeMs = TIMEFRAME_MS[timeframe]
  const continuity = findContinuity(candles, timeframeMs)
  const names = chosenFeatures(timeframe, chosen)
  const harNames = harInputsBeside(timeframe, names)
  const harColumns = new Map(allHarInputs(timeframe))
  const [features, harInputs] = [names.map(() => empty(n)), harNames.map(() => empty(n))]
  const [sigma, atr, returns] = [empty(n), empty(n), new Float64Array(n)]
  for (const { start, from, to } of cutBlocks(candles, continuity, timeframeMs)) {
    const inputs = blockInputs(sliceCandles(candles, start, to), continuity.steps.subarray(start, to))
    for (let i = Math.max(from, continuity.segmentStart[from]! + 1); i < to; i++)
      returns[i] = inputs.returns[i - start]!
    const first = Math.max(from, continuity.segmentStart[from]! + WARMUP_CANDLES)
    if (first >= to) continue
    names.forEach((name, c) => {
      place(features[c]!, FEATURE_COLUMNS[name](inputs), first, start, to)
    })
    harNames.forEach((name, c) => {
      place(harInputs[c]!, harColumns.get(name)!(inputs), first, start, to)
    })
    place(sigma, inputs.sigma, first, start, to)
    for (let i = first; i < to; i++) atr[i] = inputs.atrRatio[i - start]! * candles.close[i]!
  }
  return { length: n, continuity, names, features, harNames, harInputs, sigma, atr, returns }
}

/** Whether a window of `lookback` feature rows ends at candle i: neither warm-up nor a long hole lies within it. */
export const hasWindow = (table: FeatureTable, i: number, lookback: number): boolean =>
  i - table.continuity.segmentStart[i]! >= WARMUP_CANDLES + lookback - 1
