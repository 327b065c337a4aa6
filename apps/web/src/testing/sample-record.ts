import type { ReplyInputOf } from '@shapecast/contracts/endpoint'
import type { LiveScores, TrackRecord, trackRecord } from '@shapecast/contracts/track-record'

const HOUR_MS = 3_600_000
/** 7 November 2026, 00:00 UTC. */
const FROM = Date.UTC(2026, 10, 7)

/** 200 outcomes, of which 124 had the right direction: more than luck explains. */
export const sampleScores = (over: Partial<LiveScores> = {}): LiveScores => ({
  sealed: 202,
  outcomes: 200,
  flatOutcomes: 0,
  effectiveOutcomes: 160,
  accuracy: 0.62,
  interval: [0.551, 0.684],
  majorityBaseline: 0.52,
  reversalBaseline: 0.49,
  brier: 0.24,
  climatologyBrier: 0.25,
  brierSkill: 0.04,
  brierSkillInterval: [0.01, 0.07],
  verdict: 'better than knowing nothing',
  direction: { code: 'better_than_guessing', forecasts: 200, right: 124, rule: 'majority', ruleRatio: 0.52 },
  ...over,
})

type Sealed = TrackRecord['newest'][number]

/** The forecast of the `n`th hour, that the close rises from 100. */
const sealed = (n: number, outcome: Sealed['outcome']): Sealed => ({
  seq: n,
  symbol: 'BTCUSDT',
  timeframe: '1h',
  timestamp: FROM + n * HOUR_MS,
  aligned_ts: FROM + (n + 1) * HOUR_MS,
  madeAt: FROM + (n + 1) * HOUR_MS + 2_000,
  signal: 'BUY',
  confidence: 0.58,
  current_price: 100,
  lstm_prediction: 101,
  transformer_prediction: 101,
  stopLoss: 98,
  reasoning: '',
  edgeBps: 5,
  verdict: null,
  version: 'v3',
  hash: 'a'.repeat(64),
  pUp: 0.58,
  horizon: 1,
  previousHash: 'b'.repeat(64),
  rowHash: `${n}`.padStart(64, 'c'),
  outcome,
})

/** v3 on BTCUSDT 1h: of eight forecasts the newest has no outcome, the one before was right, the others were wrong. */
export const sampleRecord = (over: Partial<TrackRecord> = {}): ReplyInputOf<typeof trackRecord> => ({
  version: 'v3',
  stage: 'production',
  total: sampleScores(),
  span: { candles: 210, missed: 8 },
  series: [
    {
      symbol: 'BTCUSDT',
      timeframe: '1h',
      scores: sampleScores(),
      span: { candles: 210, missed: 8 },
      coverage: [
        {
          horizon: 1,
          outcomes: 200,
          effectiveOutcomes: 160,
          coverage90: 0.91,
          interval: [0.86, 0.95],
          coverage50: 0.5,
        },
      ],
      worthCalls: { made: 104, paid: 61, interval: [0.461, 0.703] },
    },
  ],
  months: [],
  course: { unit: 'day', parts: [] },
  reliability: [],
  newest: Array.from({ length: 8 }, (_, k) => {
    const n = 8 - k
    if (k === 0) return sealed(n, null)
    return sealed(n, { price: k === 1 ? 101 : 99, correct: k === 1, scoredAt: FROM + (n + 2) * HOUR_MS })
  }),
  head: { rows: 202, hash: 'd'.repeat(64) },
  ...over,
})
