import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { Predictions } from './predictions.ts'

/** Candles that are predicted at a time: bounds the memory of a prediction over years of minutes. */
const CHUNK_CANDLES = 20_000

/** Forecasts of candles that follow each other; `offset` is the index that a part's candle 0 has in the whole. */
interface PredictionPart {
  predictions: Predictions
  offset: number
}

function concatenate(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0]!
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

const COLUMNS = ['pUp', 'confidence', 'edgeBps', 'expectedMoveBps', 'stopLoss', 'quantilePrices'] as const

/** One set of forecasts for `from` … `to`−1 from its parts in order; at least one. */
function joinPredictions(parts: readonly PredictionPart[], from: number, to: number): Predictions {
  const first = parts[0]!.predictions
  const signal = new Int8Array(to - from)
  for (const { predictions, offset } of parts) signal.set(predictions.signal, offset + predictions.from - from)
  const join = (of: (made: Predictions) => Float64Array) => concatenate(parts.map((part) => of(part.predictions)))
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, join((made) => made[name])]))
  const medians = Object.keys(first.medians).map((name) => [name, join((made) => made.medians[name]!)])
  return { ...first, ...columns, from, to, signal, medians: Object.fromEntries(medians) }
}

/**
 * Forecasts for the range (all candles where none is given), a chunk at a time.
 * @param history candles before a chunk that its forecasts depend on
 * @param predict forecasts candles `from` … to the last of those that it is given
 */
export async function predictInChunks(
  candles: Candles,
  history: number,
  predict: (candles: Candles, from: number) => Promise<Predictions>,
  { from, to } = { from: 0, to: candles.length },
): Promise<Predictions> {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || from > to || to > candles.length)
    throw new RangeError(`The range ${from} … ${to} does not lie within the ${candles.length} candles.`)
  const parts: PredictionPart[] = []
  for (let at = from; at < to || parts.length === 0; at += CHUNK_CANDLES) {
    const offset = Math.max(0, at - history)
    const chunk = sliceCandles(candles, offset, Math.min(to, at + CHUNK_CANDLES))
    parts.push({ predictions: await predict(chunk, at - offset), offset })
  }
  return joinPredictions(parts, from, to)
}
