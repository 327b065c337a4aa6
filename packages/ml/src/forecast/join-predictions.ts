import type { Predictions } from './predictions.ts'

/** Forecasts of candles that follow each other; `offset` is the index that a part's candle 0 has in the whole. */
export interface PredictionPart {
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

/** One set of forecasts for `from` … `to`−1 from its parts in order; at least one. */
export function joinPredictions(parts: readonly PredictionPart[], from: number, to: number): Predictions {
  const all = parts.map((part) => part.predictions)
  const signal = new Int8Array(to - from)
  for (const { predictions, offset } of parts) signal.set(predictions.signal, offset + predictions.from - from)
  const first = all[0]!
  return {
    from,
    to,
    pUp: concatenate(all.map((p) => p.pUp)),
    signal,
    confidence: concatenate(all.map((p) => p.confidence)),
    lstm: concatenate(all.map((p) => p.lstm)),
    transformer: concatenate(all.map((p) => p.transformer)),
    edgeBps: concatenate(all.map((p) => p.edgeBps)),
    expectedMoveBps: concatenate(all.map((p) => p.expectedMoveBps)),
    stopLoss: concatenate(all.map((p) => p.stopLoss)),
    quantilePrices: concatenate(all.map((p) => p.quantilePrices)),
    horizons: first.horizons,
    quantiles: first.quantiles,
    signalHorizon: first.signalHorizon,
    threshold: first.threshold,
    roundTripCostBps: first.roundTripCostBps,
  }
}
