import type { Candles } from '@shapecast/engine/candles'
import type { ModelCard } from '@shapecast/ml/artifact'
import type { Predictions, Predictor } from '@shapecast/ml/predict'

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
export function stubPredictor(rule: Rule): Predictor {
  const { from, to } = rule.trained ?? { from: 0, to: 1 }
  const card = {
    horizons: 8,
    ranges: { train: { from, to, rows: 1 }, validation: { from: to, to, rows: 1 }, holdout: { from: to, to, rows: 0 } },
  } as unknown as ModelCard
  return {
    artifact: { card, files: {} },
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
        lstm: column((i) => candles.close[i]! + 1),
        transformer: column((i) => candles.close[i]! - 1),
        edgeBps: column((i) => rule.edgeBps?.(candles, i) ?? -3),
        expectedMoveBps: column(() => 10),
        stopLoss: column((i) => candles.close[i]! * 0.98),
        quantilePrices: new Float64Array(rows * 40),
        horizons: 8,
        quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
        reasonFor: () => 'By rule.',
      } satisfies Predictions
    },
    close: async () => {},
  }
}
