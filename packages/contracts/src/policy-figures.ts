import type { RiskLevel } from './bots.ts'
import type { Policy } from './policies.ts'
import type { Pct } from './units.ts'

/** What one rule did over the studied stretch, costs included. */
export interface PolicyFigures {
  /** Of 1 at the start. */
  readonly finalEquity: number
  /** Percent, 0 or below. */
  readonly maxDrawdownPct: Pct
  /** Notional traded over equity, a year. */
  readonly turnoverPerYear: number
}

const figures = (finalEquity: number, maxDrawdownPct: Pct, turnoverPerYear: number): PolicyFigures => ({
  finalEquity,
  maxDrawdownPct,
  turnoverPerYear,
})

/** BTCUSDT 1h from 1 January 2022 to 20 April 2024: `npm run study -- policies`, held to it by a test. */
export const HOLD_FIGURES = figures(1.4036, -67.38, 0.43)

const FIXED_SHARE = figures(1.2901, -40.94, 0.52)
/** By policy and risk. The policies that ask a model have none: their figures are those of the model. */
const STUDIED: Partial<Record<Policy, Readonly<Record<RiskLevel, PolicyFigures>>>> = {
  steady_risk: {
    low: figures(1.5984, -24.46, 0.54),
    medium: figures(1.8795, -48.87, 0.82),
    high: figures(1.5449, -64.03, 0.62),
  },
  trend_steady_risk: {
    low: figures(1.4056, -15.75, 8.8),
    medium: figures(1.7696, -29.14, 18.15),
    high: figures(1.5712, -39.46, 22.32),
  },
  trend_ensemble: {
    low: figures(1.3092, -8.53, 3.84),
    medium: figures(1.6547, -16.76, 10.65),
    high: figures(1.5362, -23.91, 15.07),
  },
  fixed_share: { low: FIXED_SHARE, medium: FIXED_SHARE, high: FIXED_SHARE },
}

/** What a policy did at a risk level; null where it has not been studied. */
export const policyFigures = (policy: Policy, riskLevel: RiskLevel): PolicyFigures | null =>
  STUDIED[policy]?.[riskLevel] ?? null

/** Years of BTC that began at every seventh midnight from 2018 to 2023. They overlap: six of them stand on their own. */
export const STUDIED_YEARS = 277

/** Of the studied years, how many a limit of `from`, `from` + 1 … percent ended early; every lower limit ended all. */
interface HaltedYears {
  readonly from: number
  readonly counts: readonly number[]
}

const STEADY_HALTED: Readonly<Record<RiskLevel, HaltedYears>> = {
  low: {
    from: 9,
    counts: [
      271, 268, 246, 234, 219, 207, 205, 200, 179, 156, 147, 136, 121, 116, 105, 94, 65, 48, 26, 23, 20, 17, 8, 1, 1, 1,
    ],
  },
  medium: {
    from: 15,
    counts: [
      276, 270, 268, 268, 261, 252, 237, 234, 234, 226, 225, 216, 212, 212, 206, 205, 186, 186, 181, 161, 154, 151, 148,
      148, 145, 144, 142, 139, 129, 112, 99, 82, 70, 57, 43, 37, 34, 20, 15, 9, 5, 1,
    ],
  },
  high: {
    from: 21,
    counts: [
      268, 246, 245, 244, 244, 241, 240, 235, 234, 232, 232, 230, 226, 225, 223, 223, 221, 218, 216, 216, 187, 186, 186,
      186, 185, 184, 166, 155, 149, 145, 145, 143, 140, 134, 131, 119, 103, 78, 66, 61, 61, 60, 52, 46, 28, 24, 24, 24,
      16, 4, 1, 1,
    ],
  },
}
const FIXED_HALTED: HaltedYears = {
  from: 11,
  counts: [
    273, 254, 253, 252, 238, 235, 233, 233, 232, 229, 223, 223, 222, 222, 222, 222, 220, 219, 211, 206, 186, 144, 142,
    121, 106, 97, 89, 81, 79, 76, 65, 51, 34, 34, 33, 25, 10, 4, 2, 2, 2, 2, 1,
  ],
}
/** `npm run study -- policies`, held to it by a test. A model can only make `model_brake` hold less than `steady_risk`. */
const HALTED: Partial<Record<Policy, Readonly<Record<RiskLevel, HaltedYears>>>> = {
  model_brake: STEADY_HALTED,
  steady_risk: STEADY_HALTED,
  trend_steady_risk: {
    low: { from: 7, counts: [271, 267, 265, 200, 126, 89, 74, 44, 31, 11, 9, 4, 1] },
    medium: { from: 16, counts: [270, 259, 219, 158, 126, 117, 99, 75, 68, 43, 37, 32, 22, 16, 9, 9, 6, 1, 1] },
    high: {
      from: 20,
      counts: [
        269, 268, 227, 194, 189, 187, 170, 128, 126, 117, 108, 77, 75, 69, 44, 39, 37, 32, 26, 21, 10, 9, 9, 9, 6, 1, 1,
      ],
    },
  },
  trend_ensemble: {
    low: { from: 6, counts: [207, 204, 177, 114, 87, 49, 32, 20, 3] },
    medium: { from: 10, counts: [267, 233, 210, 204, 184, 176, 113, 92, 78, 71, 68, 56, 15, 13, 9, 3] },
    high: {
      from: 12,
      counts: [
        274, 274, 269, 248, 214, 204, 171, 152, 150, 140, 136, 102, 92, 81, 78, 38, 31, 30, 19, 17, 15, 13, 13, 9, 5, 2,
      ],
    },
  },
  fixed_share: { low: FIXED_HALTED, medium: FIXED_HALTED, high: FIXED_HALTED },
}

/**
 * Of the 277 studied years of BTC, how many a drawdown limit (percent, a fraction counts as the next lower whole) would
 * have ended early; null for the signal, which was not studied.
 */
export function haltedYears(policy: Policy, riskLevel: RiskLevel, limitPct: Pct): number | null {
  const halted = HALTED[policy]?.[riskLevel]
  if (halted === undefined) return null
  const limit = Math.floor(limitPct)
  return limit < halted.from ? STUDIED_YEARS : (halted.counts[limit - halted.from] ?? 0)
}

/**
 * The start that a newcomer is recommended, and what it did from 1 July 2022 to 20 April 2024 after costs, beside holding
 * both coins in equal parts. Held to the study by a test.
 */
export const RECOMMENDED_START = {
  policy: 'trend_ensemble',
  riskLevel: 'medium',
  tradingPairs: ['BTCUSDT', 'ETHUSDT'],
  initialBalance: 1000,
  maxDrawdown: 30,
  studiedFrom: '2022-07-01',
  studiedTo: '2024-04-21',
  figures: { ...figures(1.5692, -14.82, 10.65), sharpe: 1.205, trades: 246 },
  hold: { ...figures(3.0982, -42.61, 0.55), sharpe: 1.41, trades: 2 },
  /** The worst 365 days in a row of both, percent. */
  worstYearPct: { followed: -1.9, held: -1.2 },
  /** Its turnover at a fee of 6 bps and slippage of 5, percent of the equity. */
  costsPctAYear: 1.2,
  /** How many points less deep its worst fall was, with the 95 % interval over histories put together from its days. */
  fellLess: { points: 27.8, interval: [3.8, 38.8] },
} as const
