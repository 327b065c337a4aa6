import type { ModelCard } from '../artifact/card.ts'
import { DEFAULT_SETTINGS } from '../recipe/settings.ts'

const pnl = { grossPct: 1.5, costsPct: 2.5, netPct: -1, turnover: 23 }
const range = { from: 1_704_067_200_000, to: 1_720_000_000_000, rows: 4000 }

/** A card with made-up numbers in every place, for tests of what keeps and carries cards. */
export const exampleCard = (): ModelCard => ({
  format: 'shapecast-model',
  formatVersion: 1,
  createdAtMs: 1_700_000_000_000,
  engine: { ml: '1.0.0', onnxRuntime: '1.27.0' },
  source: { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' },
  settings: { ...DEFAULT_SETTINGS },
  horizons: 1,
  quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
  data: { candles: 5000, from: range.from, to: range.to, gaps: 0, missingCandles: 0, hash: 'aa' },
  ranges: { train: range, validation: range, holdout: range },
  features: { names: ['return_1'], mean: [0], sd: [1] },
  har: {
    inputs: { names: ['log_sigma'], mean: [-6], sd: [0.5] },
    horizons: [{ weights: [0.4], intercept: -6, scale: 1.1 }],
    residualQuantiles: [[-1.6, -0.6, 0, 0.6, 1.6]],
  },
  logistic: { weights: [-0.1], intercept: 0.01 },
  networks: {
    lstm: { file: 'lstm.onnx', bestEpoch: 1, history: [{ trainLoss: 0.7, validationLoss: 0.71 }] },
    transformer: { file: 'transformer.onnx', bestEpoch: 1, history: [{ trainLoss: 0.7, validationLoss: 0.71 }] },
  },
  calibration: { climatology: 0.501, weight: 0.6 },
  conformal: { file: 'conformal-scores.f64', window: 500, rows: 0 },
  signal: { threshold: 0.02, roundTripCostBps: 22 },
  evaluation: {
    horizon: 1,
    accuracy: {
      accuracy: 0.54,
      interval: [0.48, 0.6],
      outcomes: 400,
      flatOutcomes: 0,
      effectiveOutcomes: 233,
      majorityBaseline: 0.51,
      reversalBaseline: 0.53,
      verdict: 'indistinguishable from the reversal baseline',
    },
    probability: {
      climatology: 0.501,
      brier: 0.248,
      brierSkill: 0.008,
      logLoss: 0.69,
      logLossSkill: 0.005,
      reliability: [{ predicted: 0.5, observed: 0.51, outcomes: 400, band: [0.43, 0.57] }],
    },
    fan: [
      {
        horizon: 1,
        outcomes: 400,
        effectiveOutcomes: 233,
        coverage90: 0.9,
        coverage90Interval: [0.85, 0.93],
        coverage50: 0.5,
        skillOverEwma: 0.01,
        skillOverHistorical: 0.05,
      },
    ],
    pinballSkillOverEwma: 0.01,
    pinballSkillOverHistorical: 0.05,
    correlation: { ic: 0.03, rankIc: 0.02, interval95: 0.128 },
    confusion: { buy: [40, 30, 0], sell: [30, 40, 0], hold: [130, 130, 0] },
    trading: {
      candles: 400,
      roundTripCostBps: 22,
      signal: pnl,
      buyAndHold: pnl,
      flat: { grossPct: 0, costsPct: 0, netPct: 0, turnover: 0 },
    },
  },
})
