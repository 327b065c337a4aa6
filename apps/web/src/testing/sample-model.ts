import type { ReplyInputOf } from '@shapecast/contracts/endpoint'
import type { modelDetail } from '@shapecast/contracts/ml'
import type { RangeRow } from '@shapecast/contracts/predictions'

type ModelReply = ReplyInputOf<typeof modelDetail>
type Artifact = ModelReply['artifacts'][number]

const HOUR_MS = 3_600_000
/** 6 November 2026, 03:00 UTC. */
const HOLDOUT_FROM = Date.UTC(2026, 10, 6, 3)

const accuracy: Artifact['evaluation']['accuracy'] = {
  accuracy: 0.541,
  interval: [0.477, 0.604],
  outcomes: 399,
  flatOutcomes: 1,
  effectiveOutcomes: 232,
  majorityBaseline: 0.469,
  reversalBaseline: 0.491,
  verdict: 'indistinguishable from the reversal baseline',
}

const direction: Artifact['direction'] = { code: 'no_better', holdsUp: false, rule: 'reversal', ruleRatio: 0.491 }

const evaluation: Artifact['evaluation'] = {
  horizon: 1,
  accuracy,
  probability: {
    climatology: 0.499,
    brier: 0.248,
    brierSkill: 0.005,
    logLoss: 0.691,
    logLossSkill: 0.004,
    reliability: [0.47, 0.49, 0.5, 0.52, 0.53].map((predicted) => ({
      predicted,
      observed: predicted + 0.01,
      outcomes: 80,
      band: [predicted - 0.14, predicted + 0.14],
    })),
  },
  fan: Array.from({ length: 8 }, (_, k) => ({
    horizon: k + 1,
    outcomes: 400 - k,
    effectiveOutcomes: 233 / (k + 1),
    coverage90: 0.905,
    coverage90Interval: [0.86, 0.94],
    coverage50: 0.51,
    skillOverEwma: 0.006,
    skillOverHistorical: 0.011,
  })),
  pinballSkillOverEwma: 0.006,
  pinballSkillOverHistorical: 0.011,
  correlation: { ic: 0.083, rankIc: 0.091, interval95: 0.128 },
  confusion: { buy: [48, 37, 1], sell: [27, 25, 0], hold: [137, 125, 0] },
  trading: {
    candles: 400,
    roundTripCostBps: 22,
    signal: { grossPct: -1.01, costsPct: 3.82, netPct: -4.82, turnover: 34 },
    buyAndHold: { grossPct: 2.81, costsPct: 0.22, netPct: 2.59, turnover: 2 },
    flat: { grossPct: 0, costsPct: 0, netPct: 0, turnover: 0 },
  },
  uncertainty: {
    pinballSkillOverEwma: [-0.017, 0.008],
    logLossSkill: [-0.003, 0.01],
    tradedNetPct: [-15.3, 5.8],
    tradedSharpe: { value: -3.1, interval: [-9.9, 3.6] },
  },
}

const verdict: Artifact['verdict'] = {
  range: { code: 'kept_promise', holdsUp: true, inside: 362, outcomes: 400 },
  direction,
  trading: { code: 'lost_money', holdsUp: false, aheadPct: -7.41, isApartFromHold: false },
  fan: { code: 'kept_promise', offHorizons: [] },
  skill: 'both',
  next: 'size_only',
}

const LEARNING = {
  bestEpoch: 2,
  history: [0.9, 0.7, 0.6].map((loss) => ({ trainLoss: loss, validationLoss: loss + 0.02 })),
}

/** v3, trained on 5,000 hours of BTC, with a hold-out of 400. */
export const sampleModel = (): ModelReply => ({
  version: 'v3',
  stage: 'production',
  stats: { accuracy: 0.541, interval: [0.477, 0.604], baseline: 0.491, last_update: HOLDOUT_FROM + 400 * HOUR_MS },
  owner: null,
  artifacts: [
    {
      id: '0199d3c0-0000-7000-8000-00000000000a',
      venue: 'simulated',
      symbol: 'BTCUSDT',
      timeframe: '1h',
      hash: 'a'.repeat(64),
      origin: 'trained',
      createdAt: HOLDOUT_FROM + 400 * HOUR_MS,
      trainedFrom: HOLDOUT_FROM - 4000 * HOUR_MS,
      trainedTo: HOLDOUT_FROM - 600 * HOUR_MS,
      holdoutFrom: HOLDOUT_FROM,
      holdoutTo: HOLDOUT_FROM + 399 * HOUR_MS,
      seed: 1,
      accuracy,
      direction,
      active: true,
      comparison: null,
      engine: { ml: '1.0.0', onnxRuntime: '1.27.0' },
      evaluation,
      verdict,
      learningCurves: { lstm: LEARNING, transformer: LEARNING },
      candles: {
        count: 5000,
        from: HOLDOUT_FROM - 4600 * HOUR_MS,
        to: HOLDOUT_FROM + 399 * HOUR_MS,
        hash: 'b'.repeat(64),
      },
      settings: { seed: 1, epochs: 20, lookback: 30, signalThreshold: null },
      features: ['return_1', 'rsi_14', 'hour_sin'],
      signalThreshold: 0.02,
      roundTripCostBps: 22,
      upload: null,
    },
  ],
})

/** Ranges of 99 to 101 at 48 closes of 100, of which the third lies at 102; the last candle has not closed. */
export const sampleRanges = (): RangeRow[] =>
  Array.from({ length: 49 }, (_, k) => ({
    time: HOLDOUT_FROM + (350 + k) * HOUR_MS,
    low: 99,
    median: 100,
    high: 101,
    close: k === 48 ? null : k === 2 ? 102 : 100,
  }))
