import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelPredictor, ModelTraits } from '@shapecast/ml/forecast/model-traits'
import type { Predictions } from '@shapecast/ml/forecast/predictions'

export interface Rule {
  /** Candles that a forecast rests on; without so many there is none. */
  history: number
  /** DECISION code at candle `i`, out of candles up to `i`. */
  signal(candles: Candles, i: number): number
  confidence?: number
  edgeBps?(candles: Candles, i: number): number
  trained?: { from: number; to: number }
}

/** A model by rule in place of a trained one, so that a test can work out by hand what a backtest must come to. */
export function stubPredictor(rule: Rule): ModelPredictor {
  const { from, to } = rule.trained ?? { from: 0, to: 1 }
  const seen = { from, to: to + 8 * TIMEFRAME_MS['1h'], basis: 'trained' } as const
  return {
    traits: { timeframe: '1h', horizons: 8, signalHorizon: 1, roundTripCostBps: 0, seen } as ModelTraits,
    historyCandles: rule.history,
    async predict(candles, range = { from: 0, to: candles.length }) {
      const rows = range.to - range.from
      const column = (value: (i: number) => number) =>
        Float64Array.from({ length: rows }, (_, row) =>
          range.from + row < rule.history ? Number.NaN : value(range.from + row),
        )
      const confidence = rule.confidence ?? 0.6
      return {
        ...range,
        signal: Int8Array.from({ length: rows }, (_, row) =>
          range.from + row < rule.history ? 0 : rule.signal(candles, range.from + row),
        ),
        pUp: column(() => confidence),
        confidence: column(() => confidence),
        medians: {
          lstm: column((i) => candles.close[i]! + 1),
          transformer: column((i) => candles.close[i]! - 1),
        },
        edgeBps: column((i) => rule.edgeBps?.(candles, i) ?? -3),
        expectedMoveBps: column(() => 10),
        stopLoss: column((i) => candles.close[i]! * 0.98),
        quantilePrices: new Float64Array(rows * 40),
        horizons: 8,
        quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
        signalHorizon: 1,
        threshold: 0,
        roundTripCostBps: 0,
      } satisfies Predictions
    },
    close: async () => {},
  }
}
